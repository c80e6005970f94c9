// An ordinary tenant beside a hostile one. Each has a team of its own and the same plan. PROVE_HOSTILE names some of the
// hostile one's ways, to see what each of them does.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sleep } from '../../process.mjs'
import { openContext, percentile, root, row } from './trust-context.mjs'

const VISITS = 200
const WAYS = ['selectors', 'json', 'huge', 'storm', 'drip']

export async function neighbours({ scale }) {
  const visits = Math.max(20, Math.round(VISITS * scale))
  const words = 'The lock keeper writes down every boat that passes. '
  const pages = {
    '/plain/*': ({ response, url }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Plain</title><h1>${url.pathname}</h1>${`<p>${words.repeat(8)}</p>`.repeat(30)}`)
    },
  }
  const hostile = fork(join(root, 'bench/prove/rows/trust-hostile.mjs'), { stdio: 'inherit' })
  const [{ port }] = await once(hostile, 'message')
  const { web, url, call, pid, close } = await openContext({ pages, allowed: [port] })
  try {
    const team = async (name) => (await call('POST', '/v2/admin/teams', { name, plan: 'scale' })).json.key
    const key = await team('ordinary')
    const times = async (name) => {
      const took = []
      for (let at = 0; at < visits; at++) {
        const started = performance.now()
        const { status } = await call(
          'POST',
          '/v2/scrape',
          { url: `${web.url}/plain/${name}-${at}`, maxAge: 0 },
          { key },
        )
        took.push(status === 200 ? performance.now() - started : Number.POSITIVE_INFINITY)
        await sleep(20)
      }
      return took
    }
    await times('warm')
    const quiet = percentile(await times('quiet'), 0.95)
    const ways = process.env.PROVE_HOSTILE?.split(',') ?? WAYS
    hostile.send({ url, key: await team('hostile'), ways })
    await sleep(3000)
    const health = watchHealth(call)
    const before = heldUp(pid)
    const loud = percentile(await times('loud'), 0.95)
    const { p99, worst } = health.stop()
    const after = heldUp(pid)
    const stopped = once(hostile, 'message')
    hostile.send('stop')
    const [{ done }] = await stopped
    const seconds = (name) => ((after[name] - before[name]) / 1e9).toFixed(1)
    return [
      row(
        `a hostile team (${done} requests): p95 of another team compared with no load`,
        '≤ 3 ×',
        `${(loud / quiet).toFixed(1)} × (${quiet.toFixed(0)} ms → ${loud.toFixed(0)} ms)`,
        loud / quiet <= 3,
      ),
      row(
        'a hostile team: p99 of /health meanwhile',
        '≤ 200 ms',
        `${p99.toFixed(0)} ms (worst ${worst.toFixed(0)})`,
        p99 <= 200,
      ),
      row(
        'a hostile team: time the event loop worked, and waited for a core',
        '–',
        `${seconds('worked')} s, ${seconds('stood')} s`,
        true,
      ),
    ]
  } finally {
    hostile.kill()
    await close()
  }
}

/** Nanoseconds that the service's first thread has worked, and has stood ready without a core. */
function heldUp(pid) {
  const [worked, stood] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number)
  return { worked, stood }
}

function watchHealth(call) {
  const took = []
  let over = false
  void (async () => {
    while (!over) {
      const started = performance.now()
      await call('GET', '/health').catch(() => undefined)
      took.push(performance.now() - started)
      await sleep(50)
    }
  })()
  return {
    stop() {
      over = true
      return { p99: percentile(took, 0.99), worst: Math.max(...took) }
    },
  }
}
