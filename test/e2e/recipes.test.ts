// The docs, pasted: every block of shell and JavaScript in every document is run as it stands against a real service. Only
// the address, the key and the port of the zoo are put in, as a reader's own machine would have them; example.com, which
// needs a network, is the zoo. Blocks of data are parsed. What is shown and not meant to be pasted is `text`.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'

const root = join(import.meta.dirname, '../..')
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'docs/internals'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]
const RUN = new Set(['sh', 'js'])
/** What is looked at otherwise: `py` needs packages of Python that are not ours, `text` is there to be read. */
const NOT_RUN = new Set(['py', 'json', 'yaml', 'text'])

interface Block {
  page: string
  heading: string
  language: string
  text: string
}

function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  for (const found of readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$|^```(\w*)\n([\s\S]*?)^```$/gm)) {
    if (found[1] !== undefined) heading = found[1]
    else blocks.push({ page, heading, language: found[2] ?? '', text: found[3] ?? '' })
  }
  return blocks
}

const blocks = PAGES.flatMap(blocksOf)
let service: Service
let zoo = ''
const folder = mkdtempSync(join(tmpdir(), 'orb-recipes-'))
beforeAll(async () => {
  service = await startService()
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

const here = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:3003', zoo)
    .replaceAll('http://localhost:3002', service.url)
    .replaceAll(/(?<![\w/])localhost:3002/g, service.url)
    .replaceAll(/https:\/\/example\.com(?![\w.-])/g, `${zoo}/zoo/article`)
    .replaceAll('fc-…', service.key)

function run(program: string, args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    ORB_URL: service.url,
    ORB_API_KEY: service.key,
  }
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env, timeout: 150_000, maxBuffer: 20_000_000 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
}

const SHELL = `set -euo pipefail\nnpx() { shift; "${process.execPath}" "${join(root, 'dist/main.js')}" "$@"; }\n`

/** What a reader should see at the end. */
const SEEN: Readonly<Record<string, RegExp>> = {
  'Markdown for a RAG store': /Why orb weavers take their webs down/,
  'Keep a RAG index true with one cron line': /[1-9]\d* new, 0 changed[\s\S]*\n0 new, 0 changed, 0 removed, [1-9]/,
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
  'Does it keep its promises?': /15 of 15 hold/,
  'Run it': /Why orb weavers/,
  'Keep your client, change one line': /Why orb weavers/,
  '2. Get a page': /Why orb weavers/,
  '3. Get a site': /article/,
  'Mapping a site': /handbook/,
  Documents: /Annual report of the web works/,
  Search: /refunds/i,
  Agent: /"success":true/,
  Monitors: /"success":true/,
  'Interact: live browser sessions': /Copper kettle[\s\S]*Copper kettle/,
  'Playwright and Puppeteer': /Why orb weavers/,
  'Audio and video': /\/v2\/media\//,
  'Threat protection': /"blocked":/,
  'Flows: record once, run again without a model': /"title":"Why orb weavers/,
  Vault: /"success":true/,
  'Crawl a site': /handbook\/refunds/,
  'Tracking changes': /changeStatus/,
  'Products, menus and brands': /Copper kettle/,
  'Polling and `next`': /completed 5 documents/,
  'Verify a signature': /right secret: true wrong secret: false/,
}

describe('recipes', () => {
  const runnable = blocks.filter(({ language }) => RUN.has(language))

  it('every block says what it is', () => {
    const strange = blocks.filter(({ language }) => !RUN.has(language) && !NOT_RUN.has(language))
    expect(strange.map(({ page, heading, language }) => `${page}: ${heading}: \`${language}\``)).toEqual([])
  })

  it('every block of JSON is JSON', () => {
    for (const { page, heading, text } of blocks.filter(({ language }) => language === 'json'))
      expect(() => JSON.parse(text), `${page}: ${heading}`).not.toThrow()
  })

  it.each(runnable.map((block, at) => [`${block.page} ${block.heading} (${at})`, block] as const))(
    '%s',
    async (_name, { heading, language, text }) => {
      if (language === 'sh') {
        const { code, out, err } = await run('bash', ['-c', SHELL + here(text)])
        expect(code, `${out}\n${err}`).toBe(0)
        if (SEEN[heading] && !text.startsWith('export')) expect(out + err).toMatch(SEEN[heading])
        return
      }
      expect(language).toBe('js')
      const file = join(folder, `${heading.replaceAll(/\W+/g, '-')}.mjs`)
      writeFileSync(file, here(text))
      const { code, out, err } = await run(process.execPath, [file])
      expect(code, err).toBe(0)
      expect(out).toMatch(SEEN[heading] ?? /./)
    },
  )

  it('every recipe that runs is also looked at', () => {
    const silent = runnable.filter(({ heading, text }) => !SEEN[heading] && !text.startsWith('export'))
    expect(silent.map(({ heading }) => heading)).toEqual([])
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
