// One example line for each command: its own, or its usage with a value in every place.
import type { Command } from './command.ts'

/** What a place may hold; an id by default. */
const SAMPLES: Readonly<Record<string, string>> = {
  address: 'https://example.com',
  url: 'https://example.com',
  urls: 'https://example.com/a https://example.com/b',
  client: 'cursor',
  command: 'scrape',
  file: 'report.pdf',
  folder: 'pages',
  name: 'my-agent',
  team: 'default',
  shell: 'bash',
  plan: 'free',
  domain: 'example.com',
  query: '"web data"',
  prompt: '"the plans and their prices"',
  credits: '1000',
  period: '2026-01',
}
const ID = '0190a0b0-c0d0-7000-8000-000000000000'

export function exampleOf({ name, usage, example }: Command): string {
  const words = example?.() ?? []
  if (words.length > 0) return ['orb', name, ...words.map(quoted)].join(' ')
  const places = [...usage.matchAll(/<([\w-]+)>/g)].map(([, place = '']) => SAMPLES[place] ?? ID)
  return ['orb', name, ...places].join(' ')
}

/** As a shell wants it. */
const quoted = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
