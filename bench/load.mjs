// What measurements of speed share: the site they read, and the warm-up before they count, both as the load client of
// perf/ has them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/setup.mjs'
import { startUntil } from './process.mjs'

export const RICH_SITE = join(root, '../shared/perf/site.mjs')
const WARM_UP_MS = 12_000

/** Articles of 60 kB under /static/N and, drawn by a script, under /js/N: the richer site where it is there. */
export async function startArticles() {
  const port = String(20_000 + Math.floor(Math.random() * 20_000))
  const { child, found } = existsSync(RICH_SITE)
    ? await startUntil([RICH_SITE, '--port', port, '--pages', '10'], /site on [^:]+:(\d+)/)
    : await startUntil([join(root, 'bench/site.mjs'), '0'], /site on [^:]+:(\d+)/)
  return { host: `127.0.0.1:${found[1]}`, url: `http://127.0.0.1:${found[1]}`, stop: () => child.kill('SIGKILL') }
}

/** Static pages, sixteen at once: compiling the hot paths belongs to the start of a service, not to a page. */
export async function warmUp(scrapeOne) {
  const until = performance.now() + WARM_UP_MS
  const client = async () => {
    while (performance.now() < until) await scrapeOne()
  }
  await Promise.all(Array.from({ length: 16 }, client))
}
