// How fast a crawl is, through the API, with site and client on the same machine; what a status costs; what more worker
// processes bring where the cores are not the limit.
import { warmUp } from '../../load.mjs'
import { costOf, sleep } from '../../process.mjs'
import { finished, newDatabase, newFolder, startOrb, startWeb, sums } from './jobs-context.mjs'

/** A warm service: what counts is not the compiler's work. */
async function warm(service, web) {
  let page = 0
  const scrapeOne = () => {
    page += 1
    const url = `${web.url}/static/${page}`
    return service.call('POST', '/v2/scrape', { url, formats: ['markdown'], maxAge: 0 })
  }
  await warmUp(scrapeOne)
}

async function crawlOnce(pages, env = {}) {
  const web = await startWeb(pages)
  const service = await startOrb({ ports: [web.port], env })
  try {
    await warm(service, web)
    const before = costOf(service.pid).cpu
    const began = performance.now()
    const body = { url: `${web.url}/`, limit: pages + 10, scrapeOptions: { formats: ['markdown'], maxAge: 0 } }
    const { id } = await service.call('POST', '/v2/crawl', body)
    let peak = 0
    let half = 0
    for (;;) {
      await sleep(500)
      const { rss } = costOf(service.pid)
      const status = await sums(service, id)
      peak = Math.max(peak, rss)
      if (status.completed < pages / 2) half = Math.max(half, rss)
      if (status.status !== 'scraping') {
        const seconds = (performance.now() - began) / 1000
        const cpu = costOf(service.pid).cpu - before
        return {
          completed: status.completed,
          rate: status.completed / seconds,
          cpu: cpu / status.completed,
          peak,
          half,
        }
      }
    }
  } finally {
    await service.stop()
    web.stop()
  }
}

export async function crawlSpeed({ pages, many }) {
  const one = await crawlOnce(pages)
  const rows = [
    {
      what: `crawl of ${pages} pages: CPU seconds per page`,
      bar: '≤ 0.014',
      measured: one.cpu.toFixed(4),
      ok: one.cpu <= 0.014,
    },
    {
      what: `crawl of ${pages} pages: pages per second`,
      bar: '≥ 70',
      measured: one.rate.toFixed(1),
      ok: one.rate >= 70,
    },
  ]
  const long = await crawlOnce(many)
  const kept = long.rate / one.rate
  const mb = (bytes) => Math.round(bytes / 1e6)
  rows.push(
    {
      what: `crawl of ${many} pages: rate compared with a crawl of ${pages} pages`,
      bar: '≥ 0.9',
      measured: `${kept.toFixed(2)} (${long.rate.toFixed(1)} per second)`,
      ok: kept >= 0.9,
    },
    {
      what: `crawl of ${many} pages: peak memory in its first half, and in total`,
      bar: 'flat (≤ 1.25)',
      measured: `${mb(long.half)} MB, ${mb(long.peak)} MB`,
      ok: long.peak <= long.half * 1.25,
    },
  )
  return rows
}

/** Twice on each in turn, so that a slow stretch of the machine meets both. */
export async function postgresRow({ pages, postgres, least }) {
  const { rate: before } = await crawlOnce(pages)
  const onPostgres = async () => {
    const { rate } = await crawlOnce(pages, { ORB_DATABASE_URL: await newDatabase(postgres.url) })
    return rate
  }
  const rates = [await onPostgres(), await onPostgres()]
  const { rate: rateAfter } = await crawlOnce(pages)
  const ratio = (rates[0] + rates[1]) / (before + rateAfter)
  return {
    what: `crawl of ${pages} pages on PostgreSQL: rate compared with SQLite`,
    bar: `≥ ${least}`,
    measured: `${ratio.toFixed(2)} (${rates.map((rate) => rate.toFixed(1)).join(' and ')} per second)`,
    ok: ratio >= least,
  }
}

/** The status of a large crawl, with its first page of a hundred documents, as clients poll it. */
export async function statusCost({ pages }) {
  const web = await startWeb(pages, 1)
  const service = await startOrb({ ports: [web.port] })
  try {
    const { id } = await service.call('POST', '/v2/crawl', {
      url: `${web.url}/site/0`,
      limit: pages,
      crawlEntireDomain: true,
    })
    await finished(service, id)
    for (let warm = 0; warm < 20; warm += 1) await service.call('GET', `/v2/crawl/${id}`)
    const before = costOf(service.pid).cpu
    const polls = 100
    for (let poll = 0; poll < polls; poll += 1) await service.call('GET', `/v2/crawl/${id}`)
    const ms = ((costOf(service.pid).cpu - before) / polls) * 1000
    return {
      what: `status request for a crawl of ${pages} pages: CPU`,
      bar: '< 20 ms',
      measured: `${ms.toFixed(1)} ms`,
      ok: ms < 20,
    }
  } finally {
    await service.stop()
    web.stop()
  }
}

/** Pages that take two seconds each: what counts is how many are waited for at once. */
export async function workers({ pages, postgres }) {
  const rates = []
  for (const count of [1, 2, 4]) {
    const web = await startWeb(pages, 2_000)
    const env = { ORB_DATABASE_URL: await newDatabase(postgres.url), ORB_CONCURRENCY: '8' }
    const api = await startOrb({ command: 'serve', ports: [web.port], env })
    const workers = []
    for (let at = 0; at < count; at += 1)
      workers.push(await startOrb({ command: 'work', ports: [web.port], env, dataDir: newFolder() }))
    try {
      await sleep(2_500)
      const began = performance.now()
      // A batch, since a crawl would begin with one page and grow.
      const urls = Array.from({ length: pages }, (_, at) => `${web.url}/site/${at}`)
      const { id } = await api.call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
      const { completed } = await finished(api, id, 600_000, '/v2/batch/scrape')
      rates.push(completed / ((performance.now() - began) / 1000))
    } finally {
      for (const worker of workers) await worker.stop()
      await api.stop()
      web.stop()
    }
  }
  const [one, two, four] = rates
  return [
    {
      what: 'pages that take two seconds, 8 at once per worker: pages per second with 1, 2 and 4 workers',
      bar: 'two ≥ 1.7 ×, four ≥ 3 ×',
      measured: `${rates.map((rate) => rate.toFixed(1)).join(', ')} (× ${(two / one).toFixed(2)}, × ${(four / one).toFixed(2)})`,
      ok: two >= 1.7 * one && four >= 3 * one,
    },
  ]
}
