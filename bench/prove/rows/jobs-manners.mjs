// Exactness and manners: the limit, the end of a cancelled crawl, and fair shares for teams.
import { sleep } from '../../process.mjs'
import { finished, KEY, orb, sourcesOf, startOrb, startWeb, sums, until } from './jobs-context.mjs'

export async function limitExact() {
  const web = await startWeb(500, 5)
  const service = await startOrb({ ports: [web.port], env: { ORB_CONCURRENCY: '50' } })
  try {
    const counts = []
    for (let run = 0; run < 10; run += 1) {
      const { id } = await service.call('POST', '/v2/crawl', {
        url: `${web.url}/site/0`,
        limit: 10,
        maxConcurrency: 50,
        crawlEntireDomain: true,
        scrapeOptions: { maxAge: 0 },
      })
      await finished(service, id)
      counts.push((await sourcesOf(service, id)).length)
    }
    const ok = counts.every((count) => count === 10)
    return {
      what: 'limit 10 with concurrency 50, ten crawls: pages',
      bar: 'exactly 10',
      measured: [...new Set(counts)].join(', '),
      ok,
    }
  } finally {
    await service.stop()
    web.stop()
  }
}

export async function cancelQuick() {
  const web = await startWeb(1000, 800)
  const service = await startOrb({ ports: [web.port], env: { ORB_CONCURRENCY: '32' } })
  try {
    const { id } = await service.call('POST', '/v2/crawl', { url: `${web.url}/site/0`, crawlEntireDomain: true })
    await until(async () => (await sums(service, id)).completed >= 20)
    await service.call('DELETE', `/v2/crawl/${id}`)
    const visits = web.visits()
    const began = performance.now()
    await until(
      async () => {
        const text = await (
          await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } })
        ).text()
        return /orb_pages_in_work 0\b/.test(text)
      },
      10_000,
      20,
    )
    const goneMs = performance.now() - began
    await sleep(2_000)
    const later = web.visits() - visits
    const kept = (await sourcesOf(service, id)).length
    const ok = later === 0 && goneMs <= 2_000 && kept >= 20
    return {
      what: 'cancelled crawl: visits after the response; time until running pages end; documents kept',
      bar: '0; ≤ 2 s; all',
      measured: `${later}; ${Math.round(goneMs)} ms; ${kept}`,
      ok,
    }
  } finally {
    await service.stop()
    web.stop()
  }
}

/** Thirty crawls of three teams, one of which starts most of them: every ten seconds each team gets its share. */
export async function fairness({ crawls }) {
  const web = await startWeb(5000, 50)
  const service = await startOrb({ ports: [web.port], env: { ORB_CONCURRENCY: '8' } })
  const env = { ORB_DATA_DIR: service.dataDir }
  try {
    const keys = [KEY]
    for (const name of ['second', 'third'])
      keys.push(/fc-[0-9a-f]{32}/.exec(await orb(['teams', 'create', name], env))[0])
    const shares = [0.6, 0.2, 0.2]
    const jobs = []
    for (const [team, key] of keys.entries())
      for (let at = 0; at < crawls * shares[team]; at += 1) {
        const body = {
          url: `${web.url}/site/${at}?team=${team}&crawl=${at}`,
          limit: 60,
          crawlEntireDomain: true,
          scrapeOptions: { maxAge: 0 },
        }
        jobs.push({ team, key, id: (await service.call('POST', '/v2/crawl', body, key)).id })
      }
    const began = Date.now()
    await until(
      async () => {
        const states = await Promise.all(jobs.map(({ id, key }) => sums(service, id, key)))
        return states.every(({ status }) => status === 'completed')
      },
      900_000,
      500,
    )
    const least = leastShare(web.visited, began)
    return {
      what: `${crawls} crawls of 3 teams at once: smallest share of a waiting team in any 10 s`,
      bar: 'all finish; ≥ half of a fair share',
      measured: `all finished; ${(least * 100).toFixed(0)} % of a fair share`,
      ok: least >= 0.5,
    }
  } finally {
    await service.stop()
    web.stop()
  }
}

/** In every window in which all teams still had work, the smallest part of a third that a team got. */
function leastShare(visited, began) {
  const team = (url) => Number(/team=(\d)/.exec(url)?.[1])
  const lastOf = [0, 1, 2].map((each) =>
    Math.max(...visited.filter(({ url }) => team(url) === each).map(({ at }) => at)),
  )
  const end = Math.min(...lastOf)
  let least = 1
  for (let from = began + 1_000; from + 10_000 <= end || from === began + 1_000; from += 5_000) {
    const until = Math.min(end, from + 10_000)
    const here = visited.filter(({ at }) => at >= from && at < until)
    const counts = [0, 1, 2].map((each) => here.filter(({ url }) => team(url) === each).length)
    least = Math.min(least, Math.min(...counts) / (here.length / 3))
    if (until === end) break
  }
  return least
}
