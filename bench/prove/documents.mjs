// The figures of the documents part: quality on the bench, speed and memory on long files, OCR on a scan of our own.
// `PROVE_ROWS=quality,ocr` measures only those groups.
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/setup.mjs'
import { LETTER_LINES, letter, manyPages } from '../../test/documents/pdfs.mjs'
import { costOf, sleep } from '../process.mjs'
import { KEY, startOrb } from './rows/jobs-context.mjs'
import { readPrinted } from './rows/printed-pdfs.mjs'
import { scanOf } from './rows/scans.mjs'

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const dist = (path) => import(pathToFileURL(join(root, 'dist', path)).href)

export async function prove() {
  const { openDocumentProcessPool } = await dist('scrape/workshop/document-process-pool.js')
  const script = new URL('scrape/workshop/document-child.js', pathToFileURL(join(root, 'dist/')))
  const children = openDocumentProcessPool({ script, most: 1, memoryMb: 1500 })
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  const pdf = { mode: 'auto', maxPages: 10_000, pageMarkers: false, pages: false, blocks: true }
  const read = (bytes, name) =>
    children.digest(
      {
        bytes,
        contentType: undefined,
        url: `https://e.com/${name}`,
        choices,
        needs: ['markdown'],
        reads: [],
        name,
        options: { image: true, pdf },
      },
      120_000,
      new AbortController().signal,
    )
  const wanted = process.env.PROVE_ROWS?.split(',')
  const rows = []
  const group = async (name, measure) => {
    if (!wanted || wanted.includes(name)) rows.push(...(await measure(read)))
  }
  try {
    await group('quality', quality)
    await group('printed', printed)
    await group('speed', speed)
    await group('thousand', thousand)
    await group('ocr', async () => [await ocr(read)])
    await group('long', longFile)
    return { title: 'Documents', rows }
  } finally {
    await children.close()
  }
}

/** Nothing where the shared sets are not. */
async function quality(read) {
  const bench = join(root, '../shared/bench/index.mjs')
  if (!existsSync(bench)) return []
  const { loadSet, scoreSet } = await import(pathToFileURL(bench).href)
  const score = async (set) => {
    const pages = loadSet(set, {})
    const out = {}
    for (const page of pages) out[page.id] = textOf((await read(page.read(), page.id)).materials)
    return scoreSet(set, pages, out).total
  }
  const { word, shingle } = await score('pdfmd')
  const { checks } = await score('pdf')
  const [tables] = checks.byType.table
  return [
    row('PDF compared with reviewed markdown: word F1', '≥ 0.963', word.f1.toFixed(4), word.f1 >= 0.963),
    row('PDF compared with reviewed markdown: shingle F1', '≥ 0.88', shingle.f1.toFixed(4), shingle.f1 >= 0.88),
    row('PDF checks passed', '≥ 43 of 47', `${checks.passed} of ${checks.total}`, checks.passed >= 43),
    row('PDF checks passed: tables', '≥ 4 of 7', `${tables} of 7`, tables >= 4),
  ]
}

/** Torn tables, running heads and right-to-left pages that the browser printed. */
async function printed(read) {
  const { findChromium } = await dist('fetch/chrome/find-chromium.js')
  const { path, env } = await findChromium({
    given: process.env.ORB_CHROMIUM,
    cacheDirs: [join(tmpdir(), 'orb-chromium')],
  })
  const results = await readPrinted({ executablePath: path, env: { ...process.env, ...env } }, async (bytes, name) =>
    textOf((await read(bytes, `${name}.pdf`)).materials),
  )
  const wrong = results.filter((one) => one.wrong !== '').map((one) => `${one.name}: ${one.wrong}`)
  const right = results.length - wrong.length
  const measured = [`${right} of ${results.length}`, ...wrong].join('; ')
  return [
    row('printed PDFs with split tables, running heads or right-to-left text', '≥ 28 of 30', measured, right >= 28),
  ]
}

/** A thousand pages cost a page what a hundred do; and the child that reads them stays small. */
async function thousand(read) {
  const [short, long] = [await manyPages(250), await manyPages(1000)]
  const msAPage = async (bytes, pages) => {
    const before = costOf(process.pid).cpu
    await read(bytes, 'long.pdf')
    return ((costOf(process.pid).cpu - before) * 1000) / pages
  }
  const few = await msAPage(short, 250)
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, (costOf(process.pid).rss - process.memoryUsage.rss()) / 1e6)
  }, 50)
  const many = await msAPage(long, 1000)
  clearInterval(watch)
  return [
    row('1,000-page PDF: CPU ms per page', '≤ 25', many.toFixed(1), many <= 25),
    row(
      '1,000-page PDF: CPU per page compared with a 250-page PDF',
      '≤ 1.3 ×',
      `${(many / few).toFixed(2)} ×`,
      many <= few * 1.3,
    ),
    row('1,000-page PDF: peak memory of the child process', '< 500 MB', `${most.toFixed(0)} MB`, most < 500),
  ]
}

/** In a warm child, as a busy service has one. */
async function speed(read) {
  const bytes = await manyPages(100)
  await read(bytes, 'warm.pdf')
  const before = costOf(process.pid).cpu
  await read(bytes, 'long.pdf')
  const ms = ((costOf(process.pid).cpu - before) * 1000) / 100
  return [row('100-page PDF with text: CPU ms per page', '≤ 25', ms.toFixed(1), ms <= 25)]
}

async function ocr(read) {
  const { materials } = await read(await scanOf(await letter()), 'scan.pdf')
  const wanted = LETTER_LINES.join(' ')
  const accuracy = 1 - distance(textOf(materials).replace(/\s+/g, ' '), wanted) / wanted.length
  return row('OCR of a clean 150 dpi scan: character accuracy', '≥ 0.97', accuracy.toFixed(4), accuracy >= 0.97)
}

/** Edits between two texts, a row at a time. */
function distance(a, b) {
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(last[j] + 1, next[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    last = next
  }
  return last[b.length]
}

/** 300 pages through the API, while somebody asks for health. */
async function longFile() {
  const { url, pid, stop } = await startOrb({ ports: [] })
  try {
    // The first answers of a fresh process are about starting, not about documents.
    for (let count = 0; count < 50; count++) await (await fetch(`${url}/health`)).text()
    const form = new FormData()
    form.append('file', new Blob([await manyPages(300)]), 'long.pdf')
    let isDone = false
    const parsed = fetch(`${url}/v2/parse`, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body: form })
      .then((answer) => answer.json())
      .finally(() => {
        isDone = true
      })
    const waits = []
    let most = 0
    while (!isDone) {
      const started = performance.now()
      await (await fetch(`${url}/health`)).text()
      waits.push(performance.now() - started)
      most = Math.max(most, costOf(pid).rss / 1e6)
      await sleep(5)
    }
    const { numPages } = (await parsed).data.metadata
    const p99 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
    return [
      row('300-page PDF: pages read', '300', String(numPages), numPages === 300),
      row(
        '300-page PDF: peak memory of the service and its child process',
        '< 500 MB',
        `${most.toFixed(0)} MB`,
        most < 500,
      ),
      row('300-page PDF: p99 of /health during the read', '< 50 ms', `${p99.toFixed(1)} ms`, p99 < 50),
    ]
  } finally {
    await stop()
  }
}

/** Materials cross processes as JSON bytes. */
const textOf = ({ markdown }) => JSON.parse(Buffer.from(markdown).toString())
