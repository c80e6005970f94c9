// Several processes on one PostgreSQL: how hard they knock at one host, page ends a second, whether a long crawl stays flat, and
// the plans of the statements that a page costs. `PROVE_ROWS` chooses (polite, ends, long, kills); `PROVE_SMALL=1` is a tenth of the size.
import { createServer } from 'node:http'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { setUp } from '../../scripts/setup.mjs'
import { costOf, sleep } from '../process.mjs'
import {
  finished,
  KEY,
  listening,
  newDatabase,
  startOrb,
  startReceiver,
  startWeb,
  sums,
  until,
} from './rows/jobs-context.mjs'
import { crawlOf, faultsOf, killPostgres } from './rows/jobs-kills.mjs'

/** The time of a process counts in steps of 10 ms. */
const STATUS_POLLS = 10
/** As an installation would have it; those of the tests trade safety and upkeep for speed. */
const POSTGRES = {
  autovacuum: 'on',
  autovacuum_naptime: '10s',
  shared_buffers: '256MB',
  max_wal_size: '1GB',
  shared_preload_libraries: 'pg_stat_statements',
}

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
      what: `requests per second to one host from 8 workers and 3 crawls with \`delay\` 1 s, in ${seconds} s`,
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

/** Pages of a size that is small, with latency; some break off once, some are not there. */
async function startFaultyWeb(pages) {
  const visits = new Map()
  const server = createServer((request, response) => {
    const n = /^\/site\/(\d+)$/.exec(request.url ?? '')?.[1]
    if (n === undefined) return response.writeHead(404).end()
    const visit = (visits.get(n) ?? 0) + 1
    visits.set(n, visit)
    if (n % 50 === 7 && visit === 1) return request.socket.destroy()
    const status = n % 100 === 13 ? 404 : 200
    const list = Array.from({ length: 12 }, (_, at) => (n * 3 + at + 1) % pages)
      .map((to) => `<li><a href="/site/${to}">Page ${to}</a></li>`)
      .join('')
    setTimeout(
      () => {
        response.writeHead(status, { 'content-type': 'text/html' })
        response.end(
          `<title>Page ${n}</title><main><h1>Page ${n}</h1><p>Some words of page ${n}.</p><ul>${list}</ul></main>`,
        )
      },
      2 + ((n * 7919) % 40),
    )
  })
  const broken = () => [...visits.keys()].filter((n) => n % 50 === 7).length
  return { ...(await listening(server)), visits, broken }
}

/** A crawl in tenths: rate and CPU of the last beside the second, memory, and what a status costs throughout. */
async function longCrawl({ pages, workers, postgres }) {
  const web = await startFaultyWeb(pages)
  const { api, pool, url, stop } = await startAll(workers, web, postgres, { ORB_CONCURRENCY: '8' })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create extension if not exists pg_stat_statements')
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
      await sleep(1_000)
      const before = costOf(api.pid).cpu
      for (let poll = 0; poll < STATUS_POLLS; poll += 1) status = await sums(api, id)
      // The first seconds compile the route.
      if (marks.length > 5) statusMs = Math.max(statusMs, ((costOf(api.pid).cpu - before) / STATUS_POLLS) * 1000)
      const costs = pool.map(({ pid }) => costOf(pid))
      const [rss, cpu] = ['rss', 'cpu'].map((what) => costs.reduce((sum, cost) => sum + cost[what], 0))
      const { rows } = await client.query('select sum(total_exec_time) as ms from pg_stat_statements')
      marks.push({ at: performance.now(), completed: status.completed, rss, cpu, sql: Number(rows[0].ms) })
      if (marks.length % 60 === 0) console.error(`${status.completed} of ${pages}, ${Math.round(rss / 1e6)} MB`)
    }
    const tenth = (from) => {
      const within = marks.filter(({ completed: n }) => n >= pages * from && n <= pages * (from + 0.1))
      const [first, last] = [within[0], within.at(-1)]
      const count = last.completed - first.completed
      const each = (what) => ((last[what] - first[what]) / count) * 1000
      return { rate: count / ((last.at - first.at) / 1000), cpu: each('cpu'), sql: each('sql') / 1000 }
    }
    const [second, last] = [tenth(0.1), tenth(0.9)]
    const peak = (from, to) =>
      Math.max(...marks.filter(({ completed: n }) => n >= pages * from && n <= pages * to).map(({ rss }) => rss))
    const [early, late] = [peak(0.1, 0.5), peak(0.5, 1)]
    const kept = await client.query(
      "select count(*)::int as rows, count(distinct url)::int as urls from frontier where job_id = $1 and state = 'done'",
      [id],
    )
    const { rows: done, urls } = kept.rows[0]
    const visits = [...web.visits.values()].reduce((sum, count) => sum + count, 0)
    const mb = (bytes) => Math.round(bytes / 1e6)
    const called = `crawl of ${pages} pages, ${workers} worker${workers > 1 ? 's' : ''} on PostgreSQL`
    const beside = (what, digits) => `${last[what].toFixed(digits)} beside ${second[what].toFixed(digits)}`
    const rows = [
      {
        what: `${called}: each page once`,
        bar: 'all, once',
        measured: `${done} pages, ${urls} addresses, ${visits - web.broken()} visits that were answered`,
        ok: done === pages && urls === pages && visits - web.broken() === pages,
      },
      {
        what: `${called}: pages a second in its last tenth, of those in its second`,
        bar: '≥ 0.95',
        measured: `${(last.rate / second.rate).toFixed(2)} (${beside('rate', 1)})`,
        ok: last.rate >= 0.95 * second.rate,
      },
      {
        what: `${called}: CPU of the workers for a page, last tenth beside second`,
        bar: '≤ 1.05',
        measured: `${(last.cpu / second.cpu).toFixed(2)} (${beside('cpu', 1)} ms)`,
        ok: last.cpu <= 1.05 * second.cpu,
      },
      {
        what: `${called}: time of PostgreSQL's statements for a page, last tenth beside second`,
        bar: 'published',
        measured: `${beside('sql', 2)} ms`,
        ok: true,
      },
      {
        what: `${called}: memory of the workers, most until half and after`,
        bar: 'flat (≤ 1.25)',
        measured: `${mb(early)} MB, ${mb(late)} MB`,
        ok: late <= early * 1.25,
      },
      {
        what: `${called}: CPU of a status throughout, at most`,
        bar: '≤ 20 ms',
        measured: `${statusMs.toFixed(1)} ms`,
        ok: statusMs <= 20,
      },
    ]
    for (const format of ['jsonl', 'markdown', 'warc']) rows.push(await downloadRow(api, id, format, called))
    await printCostliest(client)
    await printPlans(client, id)
    return rows
  } finally {
    await client.end()
    await stop()
    web.stop()
  }
}

/** What a download of the whole job adds to the memory of the process that answers. */
async function downloadRow(api, id, format, called) {
  const before = costOf(api.pid).rss
  const response = await fetch(`${api.url}/v2/jobs/${id}/download?format=${format}`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  let [bytes, peak, marked] = [0, before, 0]
  for await (const piece of response.body) {
    bytes += piece.byteLength
    if (bytes - marked < 1e6) continue
    marked = bytes
    peak = Math.max(peak, costOf(api.pid).rss)
  }
  const [grown, size] = [(peak - before) / 1e6, bytes / 1e6]
  return {
    what: `${called}: memory that its download as ${format} adds`,
    bar: '≤ 100 MB',
    measured: `${Math.round(grown)} MB for ${Math.round(size)} MB`,
    ok: response.status === 200 && bytes > 0 && grown <= 100,
  }
}

/** Kills a worker, the process that answers and PostgreSQL in turn while one crawl goes on. */
async function killsRow({ kills, pages, postgres }) {
  const web = await startWeb(pages * 2, 400)
  const receiver = await startReceiver()
  const ports = [web.port, receiver.port]
  const url = await newDatabase(postgres.url)
  const env = { ORB_DATABASE_URL: url, ORB_CONCURRENCY: '4' }
  const start = (command, dataDir) => startOrb({ command, ports, env, ...(dataDir ? { dataDir } : {}) })
  let api = await start('serve')
  const pool = [await start('work'), await start('work')]
  const revived = []
  try {
    const { id } = await api.call('POST', '/v2/crawl', crawlOf(web, receiver, pages))
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(300 + Math.random() * 2_000)
      if (kill % 3 === 0) {
        const [victim] = pool.splice(0, 1)
        await victim.end('SIGKILL')
        pool.push(await start('work', victim.dataDir))
      } else if (kill % 3 === 1) {
        await api.end('SIGKILL')
        api = await start('serve', api.dataDir)
      } else {
        revived.push(await killPostgres(url))
        await until(async () => {
          const client = new pg.Client({ connectionString: url })
          await client.connect()
          await client.end()
          return true
        })
      }
      const { completed, status } = await until(() => sums(api, id))
      console.error(`kill ${kill + 1}: ${completed} of ${pages}, ${status}`)
    }
    const wrong = await faultsOf(api, id, pages, receiver, { ...env, ORB_DATA_DIR: api.dataDir })
    return {
      what: `kill -9 of a worker, a serve and PostgreSQL, ${kills} times in all, in a crawl of ${pages} pages`,
      bar: 'every page once, credits and webhooks exact',
      measured: wrong.length === 0 ? 'all of it' : wrong.join('; '),
      ok: wrong.length === 0,
    }
  } finally {
    for (const each of [...pool, api]) await each.stop()
    web.stop()
    receiver.stop()
    for (const server of revived) server.kill('SIGINT')
  }
}

/** The statements that took the most time of the database. */
async function printCostliest(client) {
  const { rows } = await client.query(`
    select calls, round(total_exec_time) as ms, round(mean_exec_time::numeric, 3) as mean, round(max_exec_time) as longest,
      regexp_replace(query, '\\s+', ' ', 'g') as text
    from pg_stat_statements order by total_exec_time desc limit 16`)
  for (const { calls, ms, mean, longest, text } of rows)
    console.error(`${ms} ms in ${calls} calls, ${mean} ms each, ${longest} ms at most: ${text.slice(0, 300)}`)
}

/** Plans of what is asked of a large job again and again; docs/scaling.md shows them. */
async function printPlans(client, id) {
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
    console.error(`-- ${name}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
  }
}

export async function prove() {
  setUp()
  const small = process.env.PROVE_SMALL === '1'
  const size = (full) => (small ? Math.max(1, Math.round(full / 10)) : full)
  const chosen = (process.env.PROVE_ROWS ?? 'polite,ends,long,kills').split(',')
  const postgres = await startPostgres({ say: () => {}, settings: POSTGRES })
  const rows = []
  try {
    if (postgres && chosen.includes('polite')) rows.push(await polite({ seconds: 60, postgres }))
    if (postgres && chosen.includes('ends')) rows.push(...(await pageEnds({ pages: size(2_000), postgres })))
    if (postgres && chosen.includes('long')) {
      const pages = Number(process.env.PROVE_PAGES ?? size(200_000))
      const counts = (process.env.PROVE_WORKERS ?? '1,2').split(',').map(Number)
      for (const workers of counts) rows.push(...(await longCrawl({ pages, workers, postgres })))
    }
    // Last, since the database it kills may not come back.
    if (postgres && chosen.includes('kills')) rows.push(await killsRow({ kills: 20, pages: size(2_000), postgres }))
  } finally {
    await postgres?.stop()
  }
  return { title: 'Scale: several machines as one', rows }
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
