// Several processes on one PostgreSQL: how hard they knock at one host, page ends a second, whether a long crawl stays flat, and
// the plans of the statements that a page costs. `PROVE_ROWS` chooses (polite, ends, long); `PROVE_SMALL=1` is a tenth of the size.
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { setUp } from '../../scripts/setup.mjs'
import { costOf, sleep } from '../process.mjs'
import { finished, newDatabase, startOrb, startWeb, sums } from './rows/jobs-ground.mjs'

/** One process that answers, and so many that work, each with a folder of its own. */
async function startAll(count, web, postgres, env = {}) {
  const url = await newDatabase(postgres.url)
  const settings = { ORB_DATABASE_URL: url, ...env }
  const api = await startOrb({ command: 'serve', ports: [web.port], env: settings })
  const pool = await Promise.all(
    Array.from({ length: count }, () => startOrb({ command: 'work', ports: [web.port], env: settings })),
  )
  // A process that serves learns of the workers every two seconds.
  await sleep(2_500)
  const stop = async () => {
    for (const each of [...pool, api]) await each.stop()
  }
  return { api, pool, url, stop }
}

async function polite({ seconds, postgres }) {
  const web = await startWeb(100_000, 1)
  const { api, stop } = await startAll(8, web, postgres, { ORB_CONCURRENCY: '4' })
  try {
    const crawl = (at) =>
      api.call('POST', '/v2/crawl', {
        url: `${web.url}/site/${at}`,
        crawlEntireDomain: true,
        sitemap: 'skip',
        delay: 1,
        scrapeOptions: { maxAge: 0 },
      })
    const began = Date.now()
    await Promise.all([crawl(1), crawl(50_000), crawl(90_000)])
    await sleep(seconds * 1000)
    const visits = web.visited.filter(({ at }) => at - began <= seconds * 1000).length
    const rate = visits / seconds
    return {
      what: `requests a second that one host sees from 8 workers and 3 crawls with \`delay\` 1 s, in ${seconds} s`,
      bar: '≤ 1.05, ≥ 0.8',
      measured: rate.toFixed(2),
      ok: rate <= 1.05 && rate >= 0.8,
    }
  } finally {
    await stop()
    web.stop()
  }
}

async function pageEnds({ pages, postgres }) {
  const rows = []
  for (const count of [1, 8]) {
    const web = await startWeb(pages, 1)
    const { api, stop } = await startAll(count, web, postgres, { ORB_CONCURRENCY: '8' })
    try {
      const began = performance.now()
      const urls = Array.from({ length: pages }, (_, at) => `${web.url}/site/${at}`)
      const { id } = await api.call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
      const { completed } = await finished(api, id, 600_000, '/v2/batch/scrape')
      const rate = completed / ((performance.now() - began) / 1000)
      const what = `page ends a second with ${count} worker${count > 1 ? 's' : ''}, ${pages} pages, all on one machine`
      rows.push({ what, bar: 'published', measured: rate.toFixed(1), ok: completed === pages })
    } finally {
      await stop()
      web.stop()
    }
  }
  return rows
}

/** A crawl in tenths: the rate of the last beside that of the first, memory, and what a status costs throughout. */
async function longCrawl({ pages, postgres }) {
  const web = await startWeb(pages, 1)
  const { api, pool, url, stop } = await startAll(2, web, postgres)
  try {
    const { id } = await api.call('POST', '/v2/crawl', {
      url: `${web.url}/site/0`,
      crawlEntireDomain: true,
      sitemap: 'skip',
      limit: pages,
      scrapeOptions: { maxAge: 0 },
    })
    const marks = []
    let statusMs = 0
    for (let status = { status: 'scraping' }; status.status === 'scraping'; ) {
      await sleep(500)
      const before = costOf(api.pid).cpu
      for (let poll = 0; poll < 5; poll += 1) status = await sums(api, id)
      statusMs = Math.max(statusMs, ((costOf(api.pid).cpu - before) / 5) * 1000)
      const rss = pool.reduce((sum, { pid }) => sum + costOf(pid).rss, 0)
      marks.push({ at: performance.now(), completed: status.completed, rss })
    }
    const rateOf = (from, to) => {
      const within = marks.filter(({ completed }) => completed >= pages * from && completed <= pages * to)
      const [first, last] = [within[0], within.at(-1)]
      return (last.completed - first.completed) / ((last.at - first.at) / 1000)
    }
    const [first, last] = [rateOf(0.1, 0.2), rateOf(0.9, 1)]
    const peak = (from, to) =>
      Math.max(...marks.filter(({ completed: n }) => n >= pages * from && n <= pages * to).map(({ rss }) => rss))
    const [early, late] = [peak(0.1, 0.5), peak(0.5, 1)]
    const { completed } = marks.at(-1)
    const once = new Set(web.visited.map(({ url: path }) => path)).size === web.visited.length
    const mb = (bytes) => Math.round(bytes / 1e6)
    const rows = [
      {
        what: `crawl of ${pages} pages, 2 workers on PostgreSQL: each page once`,
        bar: 'all, once',
        measured: `${completed} pages, ${web.visited.length} visits`,
        ok: completed === pages && once,
      },
      {
        what: 'pages a second in its last tenth, of those in its second',
        bar: '≥ 0.95',
        measured: `${(last / first).toFixed(2)} (${first.toFixed(1)} and ${last.toFixed(1)})`,
        ok: last >= 0.95 * first,
      },
      {
        what: 'memory of its workers: most until half, and after',
        bar: 'flat (≤ 1.25)',
        measured: `${mb(early)} MB, ${mb(late)} MB`,
        ok: late <= early * 1.25,
      },
      {
        what: 'CPU of its status throughout, at most',
        bar: '≤ 20 ms',
        measured: `${statusMs.toFixed(1)} ms`,
        ok: statusMs <= 20,
      },
    ]
    await printPlans(url, id)
    return rows
  } finally {
    await stop()
    web.stop()
  }
}

/** Plans of what is asked of a large job again and again; docs/scaling.md shows them. */
async function printPlans(url, id) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze frontier')
  const statements = {
    'status (sums)': 'select total, completed, failed, queued, active from jobs where id = $1',
    'results of a page':
      'select seq, scrape_id from frontier where job_id = $1 and seq > 5000 and seq <= 5100 order by seq',
    errors: "select id, url from frontier where job_id = $1 and state in ('failed', 'dropped') order by n limit 100",
    'next pages':
      "select id from frontier where job_id = $1 and state = 'queued' and run_at <= 1 order by run_at, n limit 8",
    'known keys': "select url_key from frontier where job_id = $1 and url_key = any(array['a', 'b', 'c'])",
    'all pages, by key':
      "select url_key, url from frontier where job_id = $1 and url_key > 'h' order by url_key limit 100",
    'lapsed leases': "select id from frontier where state = 'active' and lease_until <= 1 and job_id <> $1 limit 200",
  }
  for (const [name, text] of Object.entries(statements)) {
    const { rows } = await client.query(`explain (analyze, costs off, summary off) ${text.replaceAll('$1', `'${id}'`)}`)
    console.log(`-- ${name}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
  }
  await client.end()
}

export async function prove() {
  setUp()
  const small = process.env.PROVE_SMALL === '1'
  const size = (full) => (small ? Math.max(1, Math.round(full / 10)) : full)
  const chosen = (process.env.PROVE_ROWS ?? 'polite,ends,long').split(',')
  const postgres = await startPostgres({ say: () => {} })
  const rows = []
  try {
    if (postgres && chosen.includes('polite')) rows.push(await polite({ seconds: 60, postgres }))
    if (postgres && chosen.includes('ends')) rows.push(...(await pageEnds({ pages: size(2_000), postgres })))
    if (postgres && chosen.includes('long')) {
      const pages = Number(process.env.PROVE_PAGES ?? size(200_000))
      rows.push(...(await longCrawl({ pages, postgres })))
    }
  } finally {
    await postgres?.stop()
  }
  return { title: 'Scale: several machines as one', rows }
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
