// Sixteen small pages at once, again and again, with waits of different lengths: no browser may be lost, and nothing of our
// own may come back as a page. On every Chromium that this machine has; PROVE_CHROMIUMS names others, separated by commas.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { costOf } from '../../process.mjs'
import { openContext, root, row } from './trust-context.mjs'

const AT_ONCE = 16
const ROUNDS = 200
const MAX_WAIT_MS = 2000
const SYSTEM = ['/usr/lib/chromium/headless_shell', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

export async function browsersHold({ scale }) {
  const rows = []
  for (const path of await chromiums()) rows.push(...(await hold(path, Math.max(2, Math.round(ROUNDS * scale)))))
  return rows
}

async function chromiums() {
  const { module: binary } = await runnerImport(join(root, 'src/fetch/chrome/find-chromium.ts'))
  const cacheDirs = [join(homedir(), '.cache', 'orbweaver')]
  const pinned = await binary.findChromium({ given: undefined, cacheDirs }).catch(() => undefined)
  const given = (process.env.PROVE_CHROMIUMS ?? '').split(',').filter(Boolean)
  return [...new Set([pinned?.path, ...given, ...SYSTEM.filter((path) => existsSync(path))].filter(Boolean))]
}

async function hold(chromium, rounds) {
  const pages = {
    '/small/*': ({ response, url }) => {
      const name = url.pathname.split('/').at(-1)
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<!doctype html><title>Small</title><div id="root"></div><script>setTimeout(() => { root.innerHTML = '<h1>Page ${name}</h1><p>' + 'Drawn by its script. '.repeat(20) + '</p>' }, 30)</script>`,
      )
    },
  }
  const { web, call, logged, pid, close } = await openContext({ pages, env: { ORB_CHROMIUM: chromium } })
  let wrong = 0
  const said = new Map()
  try {
    const before = costOf(pid).cpu
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, at) => {
          const waitFor = 1 + Math.floor((MAX_WAIT_MS * ((round * 7 + at * 3) % AT_ONCE)) / AT_ONCE)
          const body = { url: `${web.url}/small/${round}-${at}`, maxAge: 0, waitFor, timeout: 60_000 }
          const { status, json } = await call('POST', '/v2/scrape', body).catch((error) => ({ status: String(error) }))
          if (status === 200 && json.data.markdown.includes(`Page ${round}-${at}`) && !json.data.warning) return
          wrong += 1
          const what = json?.error ?? json?.data?.warning ?? `status ${status}`
          said.set(what, (said.get(what) ?? 0) + 1)
        }),
      )
    }
    const cpu = costOf(pid).cpu - before
    const lost = logged('a browser ended by itself').length
    for (const [what, times] of said) console.log(`  ${times} × ${what}`)
    const name = chromium.split('/').slice(-2).join('/')
    const visits = rounds * AT_ONCE
    return [
      row(`${name}: ${AT_ONCE} small pages at once, ${rounds} times: browsers lost`, '0', lost, lost === 0),
      row(`${name}: wrong pages`, '0', `${wrong} of ${visits}`, wrong === 0),
      row(`${name}: CPU seconds per rendered page`, '–', (cpu / visits).toFixed(3), true),
    ]
  } finally {
    await close()
  }
}
