// CPU of a crawl by two processes on PostgreSQL: both services and the server, beside the same crawl by one process on SQLite.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { startPostgres } from '../../../scripts/postgres.mjs'
import { costOf, sleep } from '../../process.mjs'
import { newDatabase, startOrb, startWeb, sums } from './jobs-context.mjs'

/** A server as it is installed: commits reach the disk. */
const DURABLE = {
  ...{ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' },
  ...{ shared_buffers: '128MB', max_wal_size: '1GB' },
}
/** Compiling the hot paths belongs to the start of a service. */
const WARM_UP_PAGES = 500

export async function postgresCost({ pages }) {
  const postgres = await startPostgres({ say: () => {}, settings: DURABLE })
  if (!postgres) return []
  try {
    const databaseUrl = await newDatabase(postgres.url)
    const server = await serverPid(databaseUrl)
    const [services, database] = await crawlCost(pages, { ORB_DATABASE_URL: databaseUrl }, 2, server)
    const [alone] = await crawlCost(pages, {}, 1)
    const total = services + database
    return [
      {
        what: `crawl of ${pages} pages by two processes on PostgreSQL: CPU of services and database`,
        bar: '≤ 0.012 s a page',
        measured: `${total.toFixed(1)} s (${services.toFixed(1)} and ${database.toFixed(1)}; SQLite, one process ${alone.toFixed(1)})`,
        ok: total <= 0.012 * pages,
      },
    ]
  } finally {
    await postgres.stop()
  }
}

/** CPU seconds of the services and of the server. */
async function crawlCost(pages, env, processes, server) {
  const web = await startWeb(pages)
  const services = []
  try {
    for (let at = 0; at < processes; at += 1) services.push(await startOrb({ ports: [web.port], env }))
    for (const [at, service] of services.entries()) await warm(service, web, at * WARM_UP_PAGES)
    const spent = () => [
      services.reduce((sum, { pid }) => sum + costOf(pid).cpu, 0),
      server === undefined ? 0 : costOf(server).cpu,
    ]
    const before = spent()
    const body = { url: `${web.url}/`, limit: pages + 10, scrapeOptions: { formats: ['markdown'], maxAge: 0 } }
    const { id } = await services[0].call('POST', '/v2/crawl', body)
    while ((await sums(services[0], id)).status === 'scraping') await sleep(500)
    return spent().map((seconds, at) => seconds - before[at])
  } finally {
    for (const service of services) await service.stop()
    web.stop()
  }
}

async function warm(service, web, from) {
  let page = from
  const client = async () => {
    while (page < from + WARM_UP_PAGES) {
      page += 1
      await service.call('POST', '/v2/scrape', { url: `${web.url}/static/${page}`, formats: ['markdown'], maxAge: 0 })
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

/** The server's first process: the parent of the one that answers. */
async function serverPid(connectionString) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const stat = readFileSync(`/proc/${rows[0].pid}/stat`, 'utf8')
  await client.end()
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}
