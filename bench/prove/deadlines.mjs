// Every call ends in its time: a call whose page never answers or never ends, one whose rendering takes too long, and calls
// while another process holds SQLite's write lock. Each idle, and beside a load of 20 requests. `PROVE_ROWS=idle,load`.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { root, setUp } from '../../scripts/setup.mjs'
import { sleep } from '../process.mjs'
import { KEY, listening, startOrb } from './rows/jobs-context.mjs'

const LOAD = 20
const LOCK_MS = 10_000
const OVER_MS = 500
const HEALTH_MS = 200
/** To take up a run, plan it and write its end. */
const AGENT_MS = 1500

const ARTICLE = `<p>${'Words of an article that is read without a browser. '.repeat(40)}</p>`
const pages = {
  '/page': '<!doctype html><title>Page</title><button onclick="document.title = 1">Press</button>',
  '/links': '<!doctype html><title>Links</title><a href="/silent">Dead link</a>',
  '/spin': '<!doctype html><title>Spin</title><script>setTimeout(() => { for (;;); }, 300)</script>',
  '/slow-app': '<!doctype html><title>App</title><div id="root"></div><script src="/silent"></script>',
  '/article': `<!doctype html><title>Article</title>${ARTICLE}`,
}

export async function prove() {
  setUp()
  const site = await startSite()
  const service = await startOrb({ ports: [site.port], env: { ORB_LOG_LEVEL: 'error', ORB_MAX_SESSIONS: '24' } })
  const wanted = process.env.PROVE_ROWS?.split(',')
  try {
    const rows = []
    for (const [name, measure] of Object.entries({
      idle: () => all(service, site, 'idle'),
      load: () => loaded(service, site),
    }))
      if (!wanted || wanted.includes(name)) rows.push(...(await measure()))
    return { title: 'Deadlines', rows }
  } finally {
    await service.stop()
    site.stop()
  }
}

/** `/silent` accepts the request and never answers. */
async function startSite() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x')
    if (pathname.startsWith('/silent')) return
    const html = pages[pathname] ?? (pathname.startsWith('/load') ? `<title>${pathname}</title>${ARTICLE}` : undefined)
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html' })
    response.end(html)
  })
  return listening(server)
}

async function call({ url }, method, path, body) {
  const began = performance.now()
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const json = await answer.json().catch(() => ({}))
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), json, ms: performance.now() - began }
}

async function loaded(service, site) {
  let isOver = false
  let count = 0
  const one = async () => {
    while (!isOver) await call(service, 'POST', '/v2/scrape', { url: `${site.url}/load/${count++}`, maxAge: 0 })
  }
  const load = Array.from({ length: LOAD }, one)
  try {
    return await all(service, site, `load of ${LOAD}`)
  } finally {
    isOver = true
    await Promise.all(load)
  }
}

async function all(service, site, when) {
  const rows = []
  for (const measure of [sessions, scrapes, agents, lock])
    for (const row of await measure(service, site)) {
      console.log(`  ${row.ok ? 'ok  ' : 'MISS'} ${row.what}, ${when}: ${row.measured}`)
      rows.push({ ...row, what: `${row.what}, ${when}` })
    }
  return rows
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`
const timed = (what, timeoutMs, { ms, status }, ok = true, more = '') => ({
  what,
  bar: `≤ ${seconds(timeoutMs + OVER_MS)}`,
  measured: `${seconds(ms)} (${status}${more})`,
  ok: ok && ms <= timeoutMs + OVER_MS,
})

async function sessions(service, site) {
  const { id } = (await call(service, 'POST', '/v2/interact', {})).json
  const run = (code, timeout = 60) => call(service, 'POST', `/v2/interact/${id}/execute`, { code, timeout })
  const prompt = (words, timeout) => call(service, 'POST', `/v2/interact/${id}/prompt`, { prompt: words, timeout })
  const rows = []
  // The first call of each kind starts a program and loads the browser library.
  await run('1')
  await prompt('Scroll down', 60)
  for (const timeout of [1, 5]) {
    const answer = await run(`await page.goto('${site.url}/silent')`, timeout)
    rows.push(timed(`code that opens a page without a response, timeout ${timeout} s`, timeout * 1000, answer))
  }
  for (const timeout of [1, 5]) {
    await run(`await page.goto('${site.url}/links')`)
    rows.push(
      timed(
        `prompt that clicks a link without a response, timeout ${timeout} s`,
        timeout * 1000,
        await prompt('Click "Dead link"', timeout),
      ),
    )
  }
  await run(`await page.goto('${site.url}/spin')`)
  await sleep(500)
  const stuck = await prompt('Click "Press"', 8)
  const after = await run(
    `const open = context.pages().find((one) => !one.isClosed()); await open.goto('${site.url}/page'); await open.title()`,
  )
  const isAlive = after.json.result === 'Page'
  rows.push(
    timed(
      'prompt on a page with an endless script, timeout 8 s',
      8000,
      stuck,
      isAlive,
      isAlive ? ', session alive' : ', session lost',
    ),
  )
  await call(service, 'DELETE', `/v2/interact/${id}`)
  return rows
}

async function scrapes(service, site) {
  const rows = []
  for (const timeout of [1000, 5000])
    rows.push(
      timed(
        `scrape of a site that does not respond, timeout ${seconds(timeout)}`,
        timeout,
        await call(service, 'POST', '/v2/scrape', { url: `${site.url}/silent/${timeout}`, timeout, maxAge: 0 }),
      ),
    )
  const app = await call(service, 'POST', '/v2/scrape', { url: `${site.url}/slow-app`, timeout: 5000, maxAge: 0 })
  const isStatic = app.status === 200 && Boolean(app.json.data?.warning)
  rows.push(
    timed(
      'scrape of a page that cannot be rendered in time, timeout 5 s',
      5000,
      app,
      isStatic,
      isStatic ? ', original HTML with a warning' : '',
    ),
  )
  const map = await call(service, 'POST', '/v2/map', { url: `${site.url}/silent`, timeout: 5000 })
  rows.push(timed('map of a site that does not respond, timeout 5 s', 5000, map))
  return rows
}

/** The plan names the limit that the run then keeps. */
async function agents(service, site) {
  const body = { prompt: 'Find the phone number', urls: [`${site.url}/silent/agent`] }
  const { quote } = (await call(service, 'POST', '/v2/agent', { ...body, dryRun: true })).json
  const began = performance.now()
  const { id } = (await call(service, 'POST', '/v2/agent', body)).json
  let run = { status: 'processing' }
  while (run.status === 'processing') {
    await sleep(100)
    run = (await call(service, 'GET', `/v2/agent/${id}`)).json
  }
  const limitMs = quote.secondsPerPage * 1000
  const isNamed = run.error?.includes(`${quote.secondsPerPage} s`) ?? false
  const answer = { status: run.status, ms: performance.now() - began }
  return [
    timed(
      `agent on a site that does not respond, limit ${limitMs / 1000} s by its plan`,
      limitMs + AGENT_MS,
      answer,
      isNamed,
    ),
  ]
}

/** A second process holds the write lock while health is asked and pages are scraped. */
async function lock(service, site) {
  const holder = spawn(process.execPath, ['-e', HOLD, join(service.dataDir, 'orb.db'), String(LOCK_MS)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => holder.stdout.once('data', resolve))
  const ended = new Promise((resolve) => holder.once('exit', resolve))
  const ends = performance.now() + LOCK_MS
  const works = []
  const health = []
  for (let n = 0; performance.now() < ends; n++) {
    if (n % 5 === 0) works.push(call(service, 'POST', '/v2/scrape', { url: `${site.url}/load/lock-${n}`, maxAge: 0 }))
    health.push((await call(service, 'GET', '/health')).ms)
    await sleep(100)
  }
  await ended
  const answers = await Promise.all(works)
  const slowest = Math.max(...health)
  const done = answers.filter(({ status }) => status === 200).length
  const refused = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter).length
  return [
    {
      what: `slowest of ${health.length} responses of /health while the write lock of SQLite is held for ${LOCK_MS / 1000} s`,
      bar: `≤ ${HEALTH_MS} ms`,
      measured: `${Math.round(slowest)} ms`,
      ok: slowest <= HEALTH_MS,
    },
    {
      what: 'scrapes during that lock: completed, or refused with 503 and Retry-After',
      bar: 'all',
      measured: `${done} done, ${refused} refused of ${answers.length}`,
      ok: done + refused === answers.length,
    },
  ]
}

const HOLD = `
const Database = require('libsql')
const db = new Database(process.argv[1])
db.exec('pragma busy_timeout = 20000')
db.exec('begin immediate')
console.log('held')
setTimeout(() => { db.exec('rollback'); db.close() }, Number(process.argv[2]))
`
