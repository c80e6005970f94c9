// kill -9 at the worst moments: of the service, of one of three workers, of PostgreSQL itself. Every page must be there
// once, the limit exact, the credits right, and every webhook delivered at least once under one id.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { sleep } from '../../process.mjs'
import {
  finished,
  newDatabase,
  newFolder,
  orb,
  sourcesOf,
  startOrb,
  startReceiver,
  startWeb,
  until,
} from './jobs-context.mjs'

export const crawlOf = (web, receiver, pages) => ({
  url: `${web.url}/site/0`,
  crawlEntireDomain: true,
  limit: pages,
  scrapeOptions: { maxAge: 0 },
  webhook: receiver.url,
})

/** What is wrong with a finished crawl; nothing, one hopes. */
export async function faultsOf(service, id, pages, receiver, env) {
  const status = await finished(service, id)
  const wrong = []
  const sources = await sourcesOf(service, id)
  if (status.status !== 'completed') wrong.push(`it is ${status.status}`)
  if (sources.length !== pages || status.total !== pages) wrong.push(`${sources.length} of ${pages} pages`)
  if (new Set(sources).size !== sources.length) wrong.push(`${sources.length - new Set(sources).size} pages twice`)
  const mine = (type) => [...receiver.letters.values()].filter((letter) => letter.job === id && letter.type === type)
  await until(() => mine('crawl.page').length >= pages && mine('crawl.completed').length > 0, 60_000).catch(
    () => undefined,
  )
  const told = mine('crawl.page')
  if (told.length !== pages) wrong.push(`${told.length} webhooks for ${pages} pages`)
  if (mine('crawl.completed').length !== 1) wrong.push(`${mine('crawl.completed').length} ends told`)
  if (receiver.faults() > 0) wrong.push(`${receiver.faults()} webhooks changed under one id`)
  const credits = /default .* (\d+) credits used/.exec(await orb(['teams'], env))?.[1]
  if (Number(credits) !== pages || status.creditsUsed !== pages) wrong.push(`${credits} credits for ${pages} pages`)
  return wrong
}

export async function killService({ kills, pages }) {
  const web = await startWeb(pages * 2, 40)
  const receiver = await startReceiver()
  const dataDir = newFolder()
  const start = () => startOrb({ ports: [web.port, receiver.port], dataDir, env: { ORB_CONCURRENCY: '4' } })
  let service = await start()
  let done = 0
  try {
    const { id } = await service.call('POST', '/v2/crawl', crawlOf(web, receiver, pages))
    for (; done < kills; done += 1) {
      await sleep(20 + Math.random() * 400)
      await service.end('SIGKILL')
      service = await start()
    }
    const wrong = await faultsOf(service, id, pages, receiver, { ORB_DATA_DIR: dataDir })
    return {
      what: `kill -9 of the service at ${kills} random moments during a crawl of ${pages} pages`,
      bar: 'every page once, limit exact, webhooks and credits right',
      measured: wrong.length === 0 ? 'all of it' : wrong.join('; '),
      ok: wrong.length === 0,
    }
  } finally {
    await service.stop()
    web.stop()
    receiver.stop()
  }
}

export async function killWorkerAndPostgres({ pages, postgres }) {
  const rows = []
  for (const victim of ['one of three workers', 'PostgreSQL']) {
    const web = await startWeb(pages * 2, 40)
    const receiver = await startReceiver()
    const ports = [web.port, receiver.port]
    const env = { ORB_DATABASE_URL: await newDatabase(postgres.url), ORB_CONCURRENCY: '4' }
    const api = await startOrb({ command: 'serve', ports, env })
    const workers = []
    for (let at = 0; at < 3; at += 1)
      workers.push(await startOrb({ command: 'work', ports, env, dataDir: newFolder() }))
    let revived
    try {
      const { id } = await api.call('POST', '/v2/crawl', crawlOf(web, receiver, pages))
      await until(() => web.visits() > pages / 4)
      if (victim === 'PostgreSQL') revived = await killPostgres(env.ORB_DATABASE_URL)
      else await workers[0].end('SIGKILL')
      const wrong = await faultsOf(api, id, pages, receiver, { ...env, ORB_DATA_DIR: api.dataDir })
      rows.push({
        what: `kill -9 of ${victim} during a crawl of ${pages} pages`,
        bar: 'every page once, limit exact, webhooks and credits right',
        measured: wrong.length === 0 ? 'all of it' : wrong.join('; '),
        ok: wrong.length === 0,
      })
    } finally {
      for (const worker of workers) await worker.stop()
      await api.stop()
      web.stop()
      receiver.stop()
      revived?.kill('SIGINT')
    }
  }
  return rows
}

/** Kills the server as the kernel would, waits a moment, and starts it again with the very same command. */
export async function killPostgres(url) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const data = (await client.query('show data_directory')).rows[0].data_directory
  const pid = Number(readFileSync(`${data}/postmaster.pid`, 'utf8').split('\n')[0])
  const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  const [uid, gid] = ['Uid', 'Gid'].map((name) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]),
  )
  process.kill(pid, 'SIGKILL')
  await client.end().catch(() => undefined)
  await sleep(3_000)
  // Its parent has not buried it yet, so these locks seem to be held.
  for (const lock of [`${data}/postmaster.pid`, ...socketLocks(args)]) await rm(lock, { force: true })
  return spawn(program, args, { uid, gid, stdio: 'ignore', cwd: data })
}

function socketLocks(args) {
  const value = (name) => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1)
  return [`${value('unix_socket_directories')}/.s.PGSQL.${value('port')}.lock`]
}
