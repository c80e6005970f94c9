// The docs, pasted: every block of shell, JavaScript and Python in every document is run as it stands against a real service.
// Only the address, the key and the port of the zoo are put in, as a reader's own machine would have them; example.com, which
// needs a network, is the zoo. Blocks of data are parsed. What is shown and not meant to be pasted is `text`.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSoak } from '../soak.ts'
import { type Block, blocks, canRunPython, outputPattern, root, runAsReader, SHELL } from './docs-blocks.ts'
import { closedPort, type Service, startService } from './service.ts'

const LANGUAGES = new Set(['sh', 'js', 'py', 'json', 'yaml', 'text'])
const RUN = new Set(['sh', 'js', 'py'])
/** Has a test of its own, as it starts a fleet. */
const NOT_HERE = 'docs/tutorials/fleet.md'
/** What a new user reads; the pages of capabilities, which have tests of their own, follow in the second tier. */
const FIRST = /^README|^docs\/(?:quick-start|recipes|tutorials\/.*)\.md$/

let service: Service
let zoo = ''
/** Ports of the tutorials: a program of the reader's listens there. */
const ports = new Map([
  ['127.0.0.1:4010', await closedPort()],
  ['127.0.0.1:4011', await closedPort()],
])
const folder = mkdtempSync(join(tmpdir(), 'orb-recipes-'))
beforeAll(async () => {
  service = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${ports.get('127.0.0.1:4011')}` } })
  zoo = (await service.call('GET', '/zoo/index.json')).json.origin
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // The reader's own file.
  const report = await fetch(`${zoo}/zoo/report.pdf`)
  writeFileSync(join(folder, 'report.pdf'), Buffer.from(await report.arrayBuffer()))
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function here(text: string): string {
  let own = text
    .replaceAll('http://127.0.0.1:3003', zoo)
    .replaceAll('http://localhost:3002', service.url)
    .replaceAll(/(?<![\w/])localhost:3002/g, service.url)
    .replaceAll(/https:\/\/example\.com(?![\w.-])/g, `${zoo}/zoo/article`)
    .replaceAll('fc-…', service.key)
  for (const [address, port] of ports)
    own = own.replaceAll(address, `127.0.0.1:${port}`).replaceAll(`listen(${address.slice(-4)},`, `listen(${port},`)
  return own
}

/** Runs a block; one with a file name is only written. */
async function runBlock({ language, file, heading, text }: Block): Promise<{ code: number; out: string; err: string }> {
  const env = { ORB_URL: service.url, ORB_API_KEY: service.key }
  if (file) writeFileSync(join(folder, file), here(text))
  if (file) return { code: 0, out: '', err: '' }
  if (language === 'sh') return runAsReader('bash', ['-c', SHELL + here(text)], folder, env)
  const name = join(folder, `${heading.replaceAll(/\W+/g, '-')}.${language === 'js' ? 'mjs' : 'py'}`)
  writeFileSync(name, here(text))
  // Packages of Python may be in the home of the user.
  return language === 'js'
    ? runAsReader('node', [name], folder, env)
    : runAsReader('python3', [name], folder, { ...env, HOME: process.env.HOME ?? folder })
}

/** What a reader should see at the end. */
const SEEN: Readonly<Record<string, RegExp>> = {
  'Markdown for a RAG store': /Why orb weavers take their webs down/,
  'Keep a RAG index up to date with one cron line':
    /[1-9]\d* new, 0 changed[\s\S]*\n0 new, 0 changed, 0 removed, [1-9]/,
  'JSON from a shop': /"price": 49\.9[\s\S]*"inStock": true|"inStock": true[\s\S]*"price": 49\.9/,
  'Watch a price': /"success":true/,
  'Crawl docs to a folder': /handbook-repairs\.md/,
  'Log in once, then scrape': /Good evening, keeper/,
  'PDF to tables': /\| Q3 \| 498 \|/,
  'Search and summarise': /refunds/i,
  'Give the agent a task': /49\.9/,
  'Connect an MCP client': /orbweaver/,
  'The released SDK': /Why orb weavers/,
  'Vercel AI SDK': /Every evening an orb weaver/,
  'Scraping a page': /Why orb weavers/,
  'The zoo': /Drawn in the browser/,
  'Conformance test': /15 of 15 hold/,
  'Run it': /Why orb weavers/,
  'Keep your client, change one line': /Why orb weavers/,
  '2. Get a page': /Why orb weavers/,
  '3. Get a site': /article/,
  'Mapping a site': /handbook/,
  Documents: /Annual report of the web works/,
  Search: /refunds/i,
  Agent: /49\.9|"success":true/,
  Monitors: /"success":true/,
  'Interact: live browser sessions': /Copper kettle/,
  'Playwright and Puppeteer': /Why orb weavers/,
  'Audio and video': /\/v2\/media\//,
  'Threat protection': /"blocked":/,
  'Flows: recorded browser steps': /"title":"/,
  Extractors: /Copper kettle|Wall clock/,
  'Sync: fetch only changes': /[1-9]\d* new|"success":true/,
  'Remove personal data': /Every evening an orb weaver/,
  'Jobs: batch, crawl, webhooks, live streams': /Why orb weavers|"success":true/,
  Vault: /"success":true/,
  'Crawl a site': /handbook[/-]refunds/,
  'Tracking changes': /changeStatus/,
  'Products, menus and brands': /Copper kettle/,
  Profiles: /shop/,
  'Opt-outs and site owners': /"success":true/,
  'Polling and `next`': /completed 5 documents/,
  'Verify a signature': /right secret: true wrong secret: false/,
}

/** Setting the key, and programs that only define something, print nothing. */
const isSilent = ({ text, file }: Block): boolean => text.startsWith('export') || file !== ''

describe('recipes', () => {
  const all = blocks.filter(({ language, file, page }) => (RUN.has(language) || file) && page !== NOT_HERE)
  const runnable = all.filter(({ page }) => isSoak || FIRST.test(page))

  it('every block says what it is', () => {
    const strange = blocks.filter(({ language }) => !LANGUAGES.has(language))
    expect(strange.map(({ page, heading, language }) => `${page}: ${heading}: \`${language}\``)).toEqual([])
  })

  it('every block of JSON is JSON', () => {
    for (const { page, heading, text } of blocks.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(text), `${page}: ${heading}`).not.toThrow()
  })

  for (const [at, block] of runnable.entries()) {
    const { page, heading, language, output } = block
    const canRun = language !== 'py' || canRunPython(block)
    it.skipIf(!canRun)(`${page} ${heading} (${at})${language === 'py' ? ' in Python' : ''}`, async () => {
      const { code, out, err } = await runBlock(block)
      expect(code, `${out}\n${err}`).toBe(0)
      if (output) expect(out + err).toMatch(outputPattern(here(output)))
      else if (!isSilent(block) && language !== 'py') expect(out + err).toMatch(SEEN[heading] ?? /./)
    })
  }

  it('every recipe that runs is also looked at', () => {
    const silent = all.filter(
      (block) => block.language !== 'py' && !block.output && !SEEN[block.heading] && !isSilent(block),
    )
    expect(silent.map(({ page, heading }) => `${page}: ${heading}`)).toEqual([])
  })

  it('the n8n node sends a call that the service takes', async () => {
    const node = JSON.parse(here(blocks.find(({ heading }) => heading === 'n8n')?.text ?? '')).nodes[0].parameters
    const headers = Object.fromEntries(
      node.headerParameters.parameters.map(({ name, value }: { name: string; value: string }) => [name, value]),
    )
    const answer = await fetch(node.url, {
      method: node.method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: node.jsonBody,
    })
    expect(answer.status).toBe(200)
  })
})
