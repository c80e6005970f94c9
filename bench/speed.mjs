// Speed through the API, beside the loop a user would write instead, in one run: CPU seconds a page are what to trust on
// a busy machine; pages a second only as a ratio within the run.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../scripts/setup.mjs'
import { startArticles, warmUp } from './load.mjs'
import { costOf, mainThreadCpu, sleep, startUntil } from './process.mjs'

const KEY = 'fc-0123456789abcdef0123456789abcdef'
const CONCURRENCY = 16
const run = promisify(execFile)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function post(url, body) {
  const data = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${KEY}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(data),
  }
  return new Promise((resolve, reject) => {
    const call = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, json: JSON.parse(Buffer.concat(chunks).toString()) }),
      )
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(data)
  })
}

async function together(count, one) {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < count) await one(next++)
    }),
  )
  return (performance.now() - started) / 1000
}

async function measured(pid, count, one) {
  const before = costOf(pid)
  const mainBefore = mainThreadCpu(pid)
  const seconds = await together(count, one)
  return {
    cpuPerPage: (costOf(pid).cpu - before.cpu) / count,
    mainPerPage: (mainThreadCpu(pid) - mainBefore) / count,
    perSecond: count / seconds,
  }
}

/** Everything the issue asks for about speed, as numbers. */
export async function measureSpeed({ pages = 1500, cachedRequests = 4000, naivePages = 300 } = {}) {
  const site = await startArticles()
  const origin = site.url
  const dataDir = mkdtempSync(join(tmpdir(), 'orb-bench-'))
  const started = performance.now()
  const service = await startUntil([join(root, 'dist/main.js'), 'start'], /ready\s+http:\/\/localhost:(\d+)/, {
    ORB_PORT: '0',
    ORB_DATA_DIR: dataDir,
    ORB_API_KEY: KEY,
    ORB_ALLOW_PRIVATE: site.host,
    ORB_LOG_LEVEL: 'warn',
  })
  const readySeconds = (performance.now() - started) / 1000
  const base = `http://127.0.0.1:${service.found[1]}`
  const { pid } = service.child
  try {
    await sleep(10_000)
    const idle = costOf(pid)
    await sleep(20_000)
    const idleCpuShare = (costOf(pid).cpu - idle.cpu) / 20
    let page = 1000
    const scrape = async (url, maxAge) => {
      const { status, json } = await post(`${base}/v2/scrape`, { url, formats: ['markdown'], maxAge })
      if (status !== 200 || !json.data.markdown.includes('Section 0'))
        throw new Error(`scrape failed: ${JSON.stringify(json).slice(0, 300)}`)
    }
    await warmUp(() => scrape(`${origin}/static/${page++}`, 0))
    const uncached = await measured(pid, pages, () => scrape(`${origin}/static/${page++}`, 0))

    const kept = Array.from({ length: 50 }, () => `${origin}/static/${page++}`)
    for (const url of kept) await scrape(url, 3_600_000)
    const hits = async () => (await (await fetch(`${origin}/__stats`)).json()).byKind.static
    const hitsBefore = await hits()
    const cached = await measured(pid, cachedRequests, (at) => scrape(kept[at % kept.length], 3_600_000))
    const originHits = (await hits()) - hitsBefore

    const naive = (first, step, count) =>
      run(process.execPath, [join(root, 'bench/naive.mjs'), origin, '16', first, step, count].map(String)).then(
        ({ stdout }) => JSON.parse(stdout),
      )
    const both = await Promise.all([naive(1, 2, naivePages), naive(2, 2, naivePages)])
    const naivePerSecond = (2 * naivePages) / Math.max(...both.map(({ seconds }) => seconds))
    const naiveCpu = both.reduce((sum, { cpu }) => sum + cpu, 0) / (2 * naivePages)
    return {
      readySeconds,
      idleMb: idle.rss / 1e6,
      idleCpuShare,
      uncached,
      outsidePerPage: uncached.mainPerPage,
      cached,
      originHits,
      naive: { perSecond: naivePerSecond, cpuPerPage: naiveCpu },
      loadedMb: costOf(pid).rss / 1e6,
    }
  } finally {
    service.child.kill('SIGKILL')
    site.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export function speedTable(speed) {
  const f = (value, digits = 4) => value.toFixed(digits)
  return [
    '| What | Ours | Naive loop in two processes, same run | Bar |',
    '|---|---|---|---|',
    `| static page, uncached, 16 at once: CPU s a page | ${f(speed.uncached.cpuPerPage)} | ${f(speed.naive.cpuPerPage)} | ≤ 0.015 |`,
    `| of which outside content/ | ${f(speed.outsidePerPage)} | – | ≤ 0.004 |`,
    `| pages a second, as a ratio to the naive loop | ${f(speed.uncached.perSecond / speed.naive.perSecond, 2)} | 1 (${f(speed.naive.perSecond, 0)} a second) | ≥ 2 |`,
    `| cached: CPU s a request | ${f(speed.cached.cpuPerPage, 5)} | – | ≤ 0.0015 |`,
    `| cached: origin hits | ${speed.originHits} | – | 0 |`,
    `| idle: MB resident | ${f(speed.idleMb, 0)} | – | < 120 |`,
    `| idle: share of a core | ${f(speed.idleCpuShare * 100, 1)} % | – | < 1 % |`,
    `| ready after | ${f(speed.readySeconds, 2)} s | – | < 3 s |`,
    `| resident after the load | ${f(speed.loadedMb, 0)} MB | – | – |`,
  ].join('\n')
}
