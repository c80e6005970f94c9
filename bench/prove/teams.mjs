// The figures of teams: ten thousand requests from fifty clients over five keys with different rules.
import { costOf, sleep } from '../process.mjs'
import { runLoad, startLoadSite } from '../teams-load.mjs'
import { KEY, startOrb } from './rows/jobs-context.mjs'

const REQUESTS = 10_000
const CLIENTS = 50
const MB = 1024 * 1024

export async function prove() {
  const site = await startLoadSite()
  const env = { ORB_ALLOW_PRIVATE_FOR: 'everyone', ORB_CONCURRENCY: '16', ORB_LOG_LEVEL: 'warn' }
  const { url, pid, stop } = await startOrb({ ports: [site.port], env })
  const options = { url, adminKey: KEY, site, clients: CLIENTS }
  try {
    // Once to warm up: threads, caches and the heap reach their size.
    await runLoad({ ...options, requests: REQUESTS / 5, credits: 100 })
    const sizes = []
    const before = costOf(pid)
    const { seconds, statuses, wrong, mostAtOnce } = await runLoad({
      ...options,
      requests: REQUESTS,
      credits: REQUESTS / 10,
      onTick: () => sizes.push(costOf(pid).rss),
    })
    const cpu = costOf(pid).cpu - before.cpu
    await sleep(2000)
    const [early, late] = [median(sizes.slice(10, 40)), median(sizes.slice(-30))]
    const shown = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
    for (const sentence of wrong.slice(0, 20)) console.log(`  ${sentence}`)
    const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
    return {
      title: 'Teams',
      rows: [
        row(
          `${REQUESTS} requests, ${CLIENTS} clients, 5 keys: duration`,
          '≤ 60 s',
          `${seconds.toFixed(1)} s`,
          seconds <= 60,
        ),
        row('these requests: responses by status', '–', shown.join(', '), true),
        row(
          'these requests: wrong balances, and limits exceeded by more than one',
          '0',
          String(wrong.length),
          wrong.length === 0,
        ),
        row('most pages at once of a team with five slots', '≤ 6', String(mostAtOnce), mostAtOnce <= 6),
        row('these requests: CPU seconds per request', '–', (cpu / REQUESTS).toFixed(5), true),
        row(
          'these requests: memory in the last third compared with the first',
          '≤ 1.15 ×',
          `${(late / early).toFixed(2)} × (${(late / MB).toFixed(0)} MB)`,
          late / early <= 1.15,
        ),
      ],
    }
  } finally {
    await stop()
    await site.close()
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
