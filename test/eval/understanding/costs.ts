// What each format costs over plain markdown, in processor time, on a page of 60 kB: the worker's own call, with and
// without the format. The page is laid together from the pages of the sets, so that its words are as many as a page has.
import { readdirSync, readFileSync } from 'node:fs'
import { scrapeBody } from '../../../src/scrape/scrape-options.ts'
import { makeScrapePlan } from '../../../src/scrape/scrape-plan.ts'
import { compareTexts } from '../../../src/scrape/workshop/compare-text-versions.ts'
import { type DigestRequest, digestBytes } from '../../../src/scrape/workshop/digest-page.ts'

const BYTES = 60_000
const RUNS = 5
/** What is dearer than this is given more turns to warm up, before it is called dear. */
const FINE_MS = 40
const MAX_RUNS = 40

/** A page of as many bytes, made of whole pages of the sets. */
function longPage(bytes = BYTES): string {
  const folders = ['questions/pages/', 'products/pages/'].map((name) => new URL(name, import.meta.url))
  const bodies = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => {
      const html = readFileSync(new URL(name, folder), 'utf8')
      return /<(main|body)\b[^>]*>([\s\S]*)<\/\1>/.exec(html)?.[2] ?? html
    }),
  )
  let page = '<!doctype html><html lang="en"><head><title>A long page</title></head><body><main><h1>A long page</h1>'
  for (let n = 0; page.length < bytes; n++) page += `<section>${bodies[n % bodies.length]}</section>`
  return `${page}</main></body></html>`
}

const SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    price: { type: 'number' },
    opened: { type: 'string', format: 'date' },
    people: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
}
/** By name: the options of a scrape. */
const INPUTS: Readonly<Record<string, object>> = {
  summary: { formats: ['summary'] },
  question: { formats: [{ type: 'question', question: 'Who designed the waterworks, and when was it opened?' }] },
  highlights: { formats: [{ type: 'highlights', query: 'the price of water' }] },
  query: { formats: [{ type: 'query', prompt: 'When was the waterworks opened?', mode: 'directQuote' }] },
  json: { formats: [{ type: 'json', schema: SCHEMA }] },
  'json by prompt': {
    formats: [{ type: 'json', prompt: 'Extract the title and the price', checkPromptInjection: true }],
  },
  deterministicJson: { formats: [{ type: 'deterministicJson', schema: SCHEMA }] },
  changeTracking: { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] },
  product: { formats: ['product'] },
  menu: { formats: ['menu'] },
  attributes: { formats: [{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }] },
  onlyCleanContent: { formats: ['markdown'], onlyCleanContent: true },
  redactPII: { formats: ['markdown'], redactPII: true },
}

/** Milliseconds of processor time over plain markdown, by name. */
export async function formatCosts(runs = RUNS): Promise<Map<string, number>> {
  const url = 'https://own.example/'
  const bytes = new TextEncoder().encode(longPage())
  const requestOf = (request: object): DigestRequest => {
    const { choices, needs, formats, treatment } = makeScrapePlan(scrapeBody.parse({ url, ...request }), 'costs')
    const reads = formats.flatMap(({ format, options }) => (format.read ? [options] : []))
    const contentType = 'text/html; charset=utf-8'
    return { bytes, contentType, url, choices, needs: [...new Set(['markdown' as const, ...needs])], reads, treatment }
  }
  const request = requestOf({ formats: ['markdown'] })
  const reply = await digestBytes(request)
  if ('problem' in reply) throw new Error(reply.problem.kind)
  const text = JSON.parse(Buffer.from(reply.digest.materials.markdown!).toString()) as string
  const pageText = (said: string) => new TextEncoder().encode(JSON.stringify({ text: said, lines: [] }))
  const [before, after] = [pageText(text), pageText(text.replaceAll('water', 'wine'))]
  const costs = new Map<string, number>()
  for (const [name, input] of Object.entries(INPUTS)) {
    const wanted = requestOf(input)
    const whole = async () => {
      await digestBytes(wanted)
      if (name === 'changeTracking') compareTexts({ previous: before, current: after, diff: 'object' })
    }
    costs.set(name, await moreThan(() => digestBytes(request), whole, runs))
  }
  return costs
}

/**
 * Processor time that one takes over the other. In turn, so that both are as warm and as disturbed, and the least of
 * several: what else the machine does is not ours.
 */
async function moreThan(less: () => Promise<unknown>, more: () => Promise<unknown>, runs: number): Promise<number> {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < runs || (most - least > FINE_MS && run < MAX_RUNS); run++) {
    least = Math.min(least, await cpuOf(less))
    most = Math.min(most, await cpuOf(more))
  }
  return Math.max(0, most - least)
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return process.cpuUsage(before).user / 1000
}
