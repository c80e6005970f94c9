// How long a large page holds up the service's event loop: scraped through the API, the loop watched from inside.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { root } from '../../../scripts/setup.mjs'
import { largePage } from '../../large-page.mjs'
import { sleep } from '../../process.mjs'
import { startOrb } from './jobs-context.mjs'

const PROBE = join(root, 'bench/prove/rows/loop-probe.mjs')
const BOUNDS_MS = new Map([
  [5, 50],
  [20, 200],
])
const TRIES = 5

export async function loopRows() {
  const web = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pages.get(Number(request.url?.split('/')[1])))
  })
  const pages = new Map([...BOUNDS_MS.keys()].map((mb) => [mb, largePage(mb)]))
  await once(web.listen(0, '127.0.0.1'), 'listening')
  const { port } = web.address()
  const service = await startOrb({ flags: ['--import', PROBE], ports: [port] })
  const scrape = async (mb, at) => {
    const { success, error } = await service.call('POST', '/v2/scrape', {
      url: `http://127.0.0.1:${port}/${mb}/${at}`,
      formats: ['markdown', 'html', 'rawHtml', 'links'],
      timeout: 120_000,
    })
    if (!success) throw new Error(`scrape failed: ${error}`)
  }
  const longest = async () => {
    const said = service.output().length
    service.signal('SIGUSR2')
    for (;;) {
      const found = /longest wait ([\d.]+) ms/.exec(service.output().slice(said))
      if (found) return Number(found[1])
      await sleep(20)
    }
  }
  try {
    const rows = []
    for (const [mb, bound] of BOUNDS_MS) {
      await scrape(mb, 'first')
      await longest()
      const waits = []
      for (let at = 0; at < TRIES; at += 1) {
        await scrape(mb, at)
        waits.push(await longest())
      }
      // The middle one: on a shared machine any wait may be somebody else's work.
      const usual = waits.sort((a, b) => a - b)[Math.floor(TRIES / 2)]
      rows.push({
        what: `a page of ${mb} MB in four formats: longest block of the event loop`,
        bar: `≤ ${bound} ms`,
        measured: `${usual.toFixed(0)} ms (${TRIES} pages: ${waits.map((wait) => wait.toFixed(0)).join(', ')})`,
        ok: usual <= bound,
      })
    }
    return rows
  } finally {
    await service.stop()
    web.close()
  }
}
