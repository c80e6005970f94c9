// One example line for each command: its own, or its usage with a value in every place.
import type { Command } from './command.ts'

const SAMPLES: Readonly<Record<string, string>> = {
  url: 'https://example.com',
  username: 'ada',
  password: 'secret',
  client: 'cursor',
  code: 'await page.title()',
  domain: 'example.com',
  endpoint: 'scrape',
  examples: '@examples.json',
  file: 'report.pdf',
  folder: 'pages',
  mode: 'normal',
  name: 'my-agent',
  text: 'The lamp costs 30 euros.',
  prompt: 'the plans and their prices',
  rating: 'good',
  steps: '@steps.json',
  team: 'default',
}
const ID = '0190a0b0-c0d0-7000-8000-000000000000'

export const exampleValueOfPlaceholder = (place: string): string => SAMPLES[place] ?? ID

export function writeExample({ name, usage, example }: Command): string {
  const words = example?.() ?? []
  // A text of several lines would need an explanation of its own.
  if (words.length > 0 && !words.some((word) => word.includes('\n')))
    return ['orb', name, ...words.map(quoteForShell)].join(' ')
  const places = [...usage.matchAll(/<([\w-]+)>/g)].map(([, place = '']) =>
    quoteForShell(exampleValueOfPlaceholder(place)),
  )
  return ['orb', name, ...places].join(' ')
}

const quoteForShell = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
