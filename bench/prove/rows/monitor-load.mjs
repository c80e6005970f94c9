// Ten thousand monitors on one machine with SQLite: all due within minutes, twice; what they cost while nothing is due, what
// an unchanged page costs, and whether memory stays.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { sleep } from '../../process.mjs'
import { startOrb, until } from './jobs-ground.mjs'

const AT_ONCE = 16
/** Minutes over which the ticks of a round are spread, and between the rounds. */
const ROUND = 4
const BETWEEN = 6
const IDLE_MS = 20_000
const TICKS_A_SECOND = 100

const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}
const megabytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

export async function dueRows(monitors) {
  const site = await startSame()
  const orb = await startOrb({ ports: [site.port], env: { ORB_MONITOR_CONFIRM_MS: '10' } })
  try {
    const made = Math.ceil(monitors / 200) * 1000
    // Far enough off that all of them are there by then.
    const first = Math.floor((Date.now() + made) / 60_000) + 3
    let next = 0
    const maker = async () => {
      for (let n = next++; n < monitors; n = next++) {
        const minute = first + (n % ROUND)
        const minutes = [minute % 60, (minute + ROUND + BETWEEN) % 60].sort((a, b) => a - b).join(',')
        const body = {
          name: `Page ${n}`,
          schedule: { cron: `${minutes} * * * *` },
          targets: [{ type: 'scrape', urls: [`${site.url}/same/${n}`] }],
        }
        const { success, error } = await orb.call('POST', '/v2/monitor', body)
        if (!success) throw new Error(error)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, maker))
    const before = megabytes(orb.pid)
    const idleAt = cpuSeconds(orb.pid)
    await sleep(IDLE_MS)
    const idle = (cpuSeconds(orb.pid) - idleAt) / (IDLE_MS / 1000)
    await until(() => site.seen.size >= monitors, (ROUND + 15) * 60_000, 1000)
    await sleep(5000)
    const [looks, afterFirst, cpu] = [site.visits(), megabytes(orb.pid), cpuSeconds(orb.pid)]
    const rest = Date.now()
    await until(() => site.unchanged() >= monitors, (ROUND + BETWEEN + 15) * 60_000, 1000)
    await sleep(2000)
    // While nothing was due the service cost what it costs idle.
    const spent = cpuSeconds(orb.pid) - cpu - (idle * (Date.now() - rest)) / 1000
    const afterSecond = megabytes(orb.pid)
    const each = (spent * 1000) / monitors
    const twice = [...site.seen.values()].filter((count) => count !== 2).length
    return [
      {
        what: `${monitors} monitors due within ${ROUND} minutes, SQLite, twice: looks of the first round; pages not looked at exactly once in each round`,
        bar: `${monitors}; 0`,
        measured: `${looks}; ${twice}`,
        ok: looks === monitors && twice === 0,
      },
      {
        what: 'The same: the service with nothing due, of a core',
        bar: '< 2 %',
        measured: `${(idle * 100).toFixed(2)} %`,
        ok: idle < 0.02,
      },
      {
        what: 'The same: CPU of a look at a page that has not changed (a conditional request, its check, its bill)',
        bar: '≤ 3 ms',
        measured: `${each.toFixed(2)} ms`,
        ok: each <= 3,
      },
      {
        what: 'The same: memory before, after the first and after the second round',
        bar: 'flat: ≤ 15 % more after the second than after the first',
        measured: `${before.toFixed(0)}, ${afterFirst.toFixed(0)} and ${afterSecond.toFixed(0)} MB`,
        ok: afterSecond <= afterFirst * 1.15,
      },
    ]
  } finally {
    await orb.stop()
    site.stop()
  }
}

/** Pages that never change and know their ETag. */
async function startSame() {
  const seen = new Map()
  let [visits, unchanged] = [0, 0]
  const filler = 'This page tells at some length about things that stay as they are. '.repeat(8)
  const server = createServer((request, response) => {
    const n = /^\/same\/(\d+)/.exec(request.url ?? '')?.[1]
    if (n === undefined) return response.writeHead(404).end()
    visits++
    seen.set(n, (seen.get(n) ?? 0) + 1)
    const etag = `"same-${n}"`
    if (request.headers['if-none-match'] === etag) {
      unchanged++
      return response.writeHead(304, { etag }).end()
    }
    response.writeHead(200, { 'content-type': 'text/html', etag })
    response.end(`<title>Page ${n}</title><main><h1>Page ${n}</h1><p>${filler}</p></main>`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, port, seen, visits: () => visits, unchanged: () => unchanged, stop }
}
