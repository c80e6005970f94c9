// The figures of the surface: what the dashboard costs a browser until it can be used, from an empty cache. Times are those of
// the page's main thread on the processor, not of the clock: what others do on the machine does not count.
import { gzipSync } from 'node:zlib'
import { signIn, withDashboard } from '../dashboard.mjs'

const LOOKS = 5
const MAIN_THREAD_MS = 300
const FIRST_LOAD_BYTES = 100_000

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })

export async function prove() {
  return withDashboard(async (browser, url) => {
    const looks = []
    for (let n = 0; n < LOOKS; n++) looks.push(await firstLoad(browser, url))
    const middle = (of) => looks.map(of).sort((a, b) => a - b)[LOOKS >> 1]
    const home = middle(({ home }) => home)
    const long = middle(({ long }) => long)
    const bytes = Math.max(...looks.map(({ bytes }) => bytes))
    return {
      title: 'Surface',
      rows: [
        row(
          'dashboard, first load until Home accepts input: main thread, median of 5',
          `< ${MAIN_THREAD_MS} ms CPU`,
          `${Math.round(home)} ms`,
          home < MAIN_THREAD_MS,
        ),
        row('dashboard, first load: longest task', '–', `${Math.round(long)} ms`, true),
        row(
          'dashboard, first load: scripts, styles and page, gzipped',
          `< ${FIRST_LOAD_BYTES / 1000} kB`,
          `${(bytes / 1000).toFixed(1)} kB`,
          bytes < FIRST_LOAD_BYTES,
        ),
      ],
    }
  })
}

/** Signed in beforehand, in a window that has seen none of the page's files. */
async function firstLoad(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const signing = await context.newPage()
    await signIn(signing, url)
    await signing.close()
    const page = await context.newPage()
    await page.addInitScript(() => {
      globalThis.longTasks = []
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration)
      }).observe({ type: 'longtask', buffered: true })
    })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const sizes = []
    page.on('response', (response) => {
      if (/\/assets\/|\/$/.test(new URL(response.url()).pathname))
        sizes.push(response.body().then((body) => gzipSync(body).length))
    })
    await page.goto(url)
    await page.getByLabel('An address, several, or a question').waitFor()
    await page.waitForLoadState('networkidle')
    const { metrics } = await devtools.send('Performance.getMetrics')
    const home = metrics.find(({ name }) => name === 'TaskDuration').value * 1000
    const long = Math.max(0, ...(await page.evaluate('longTasks')))
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    return { home, long, bytes }
  } finally {
    await context.close()
  }
}
