// Ten thousand monitors on one machine with SQLite: all due within minutes, twice; what they cost while nothing is due, what
// an unchanged page costs, and whether memory stays.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { sleep } from '../../process.mjs'
import { listening, startOrb, until } from './jobs-context.mjs'

const AT_ONCE = 16
/** Making one takes less than this. */
const MAKE_MS = 24
const IDLE_MS = 20_000
const TICKS_A_SECOND = 100

const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}
const megabytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** `round`: minutes over which the ticks of a round are spread, and minutes from its last tick to the next round. */
export async function dueRows(monitors, round) {
  const site = await startSame()
  const orb = await startOrb({ ports: [site.port], env: { ORB_MONITOR_MIN_MINUTES: '1' } })
  try {
    // All of them are there by then, and have been idle for a while.
    const first = Math.ceil((Date.now() + monitors * MAKE_MS + IDLE_MS + 10_000) / 60_000)
    let next = 0
    const maker = async () => {
      for (let n = next++; n < monitors; n = next++) {
        const minute = first + (n % round)
        const minutes = [minute % 60, (minute + 2 * round) % 60].sort((a, b) => a - b).join(',')
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
    if (Date.now() + IDLE_MS > first * 60_000) throw new Error('the monitors were due before all were made')
    const before = megabytes(orb.pid)
    const idleAt = cpuSeconds(orb.pid)
    await sleep(IDLE_MS)
    const idle = (cpuSeconds(orb.pid) - idleAt) / (IDLE_MS / 1000)
    await until(() => site.seen.size >= monitors, (2 * round + 10) * 60_000, 1000)
    await sleep(5000)
    const [looks, afterFirst, cpu] = [site.visits(), megabytes(orb.pid), cpuSeconds(orb.pid)]
    const rest = Date.now()
    await until(() => site.unchanged() >= monitors, (2 * round + 10) * 60_000, 1000)
    await sleep(2000)
    // While nothing was due the service cost what it costs idle.
    const spent = cpuSeconds(orb.pid) - cpu - (idle * (Date.now() - rest)) / 1000
    const afterSecond = megabytes(orb.pid)
    const each = (spent * 1000) / monitors
    const twice = [...site.seen.values()].filter((count) => count !== 2).length
    return [
      {
        what: `${monitors} monitors due within ${round} minutes, SQLite, two rounds: checks of the first round; pages not checked exactly once in each round`,
        bar: `${monitors}; 0`,
        measured: `${looks}; ${twice}`,
        ok: looks === monitors && twice === 0,
      },
      {
        what: `${monitors} monitors: CPU of the service with no check due, share of one core`,
        bar: '< 2 %',
        measured: `${(idle * 100).toFixed(2)} %`,
        ok: idle < 0.02,
      },
      {
        what: `${monitors} monitors: CPU of a check of an unchanged page`,
        bar: '≤ 3 ms',
        measured: `${each.toFixed(2)} ms`,
        ok: each <= 3,
      },
      {
        what: `${monitors} monitors: memory before, after the first and after the second round`,
        bar: 'second ≤ 15 % more than first',
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
  return { ...(await listening(server)), seen, visits: () => visits, unchanged: () => unchanged }
}
