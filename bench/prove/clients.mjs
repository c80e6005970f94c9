// LangChain's loader as its users install it, beside a running service: the release from the registry that fits its client, into an empty
// folder, unmodified. A part of `npm run prove` and not of the suite, for what it brings along is larger than the service.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runnerImport } from 'vite'
import { startUntil } from '../process.mjs'

const root = join(import.meta.dirname, '../..')
const KEY = 'fc-0123456789abcdef0123456789abcdef'
// The loader calls the client's methods of 1.x and reads their answers; its newest release asks for 4.x, whose methods of the
// same names answer otherwise, so that pair fails against any server.
const PACKAGES = ['@langchain/community@0.3.59', '@langchain/core@0.3', '@mendable/firecrawl-js@1.29.3']

const PROGRAM = `
import { FireCrawlLoader } from "@langchain/community/document_loaders/web/firecrawl"
const [url, apiUrl, apiKey] = process.argv.slice(2)
const load = (mode, path, params) => new FireCrawlLoader({ url: url + path, apiUrl, apiKey, mode, params }).load()
const scraped = await load('scrape', '/about')
const crawled = await load('crawl', '/docs/', { limit: 2 })
const mapped = await load('map', '/')
console.log(JSON.stringify({
  scrape: scraped.length === 1 && /Two people and a boat/.test(scraped[0].pageContent) && Boolean(scraped[0].metadata.title),
  crawl: crawled.length === 2 && crawled.every(({ pageContent }) => pageContent.length > 0),
  map: mapped.some(({ pageContent }) => pageContent.includes('/docs/')),
}))
`

export async function prove() {
  const { module: web } = await runnerImport(join(root, 'test/site/site.ts'))
  const { module: works } = await runnerImport(join(root, 'test/site/gauge-works.ts'))
  const site = await web.startSite(works.gaugeWorks())
  const folder = mkdtempSync(join(tmpdir(), 'orb-clients-'))
  const { child, found } = await startUntil([join(root, 'dist/main.js'), 'start'], /ready\s+http:\/\/localhost:(\d+)/, {
    ORB_PORT: '0',
    ORB_DATA_DIR: join(folder, 'data'),
    ORB_API_KEY: KEY,
    ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
    ORB_LOG_LEVEL: 'warn',
  })
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    writeFileSync(join(folder, 'load.mjs'), PROGRAM)
    // Its peers name every store and model there is; a user installs the two it needs.
    await run(
      'npm',
      ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES],
      folder,
    )
    const said = await run(process.execPath, ['load.mjs', site.url, `http://127.0.0.1:${found[1]}`, KEY], folder)
    const held = JSON.parse(said.trim().split('\n').at(-1))
    const right = Object.values(held).filter(Boolean).length
    return {
      title: 'Clients',
      rows: [
        {
          what: "LangChain's FireCrawlLoader, unmodified: scrape, crawl, map",
          bar: '3 of 3',
          measured: `${right} of 3`,
          ok: right === 3,
        },
      ],
    }
  } finally {
    child.kill('SIGKILL')
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Not the form that blocks: this process serves the site. */
async function run(command, args, cwd) {
  const { stdout } = await promisify(execFile)(command, args, { cwd, timeout: 300_000 })
  return stdout
}
