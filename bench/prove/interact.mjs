// The figures of live sessions on the built service: how fast they open and run code, how soon a click is seen, what twenty
// viewers cost, whether two hundred sessions leave anything behind, and twenty sessions whose browsers are killed at random.
// The kit of widget tasks is measured here through the API, as a caller meets it. `PROVE_SMALL=1` runs everything smaller;
// `PROVE_ROWS=speeds,soak` only those groups.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { root, setUp } from '../../scripts/setup.mjs'
import { costOf, sleep } from '../process.mjs'
import { KEY, listening, startOrb } from './rows/jobs-context.mjs'

const KIT_PORT = 8471
const kit = join(root, '../shared/interact/run.mjs')
const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const at = (list, part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))]
const ms = (value) => `${Math.round(value)} ms`

/** A smaller run says so in its rows. */
const small = process.env.PROVE_SMALL === '1'
const SOAK_MINUTES = small ? 3 : 10
const SESSIONS = small ? 40 : 200

export async function prove() {
  setUp()
  const site = await startSite()
  const env = { ORB_LOG_LEVEL: 'warn', ORB_MAX_SESSIONS: '24' }
  const service = await startOrb({ ports: [site.port, KIT_PORT], env })
  const wanted = process.env.PROVE_ROWS?.split(',')
  const rows = []
  try {
    for (const [name, measure] of Object.entries({ speeds, liveView, many, soak, kit: kitRows })) {
      if (wanted && !wanted.includes(name)) continue
      const more = await measure(service, site)
      for (const { what, measured, ok } of more) console.log(`  ${ok ? 'ok  ' : 'MISS'} ${what}: ${measured}`)
      rows.push(...more)
    }
    return { title: 'Live sessions', rows }
  } finally {
    await service.stop()
    site.stop()
  }
}

async function startSite() {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const name = new URL(request.url, 'http://x').searchParams.get('name') ?? 'page'
    response.end(
      `<!doctype html><title>${name}</title><body style="margin:0"><div id="box" style="width:100vw;height:100vh;background:#fff"></div><script>let n=0;onmousedown=()=>{box.style.background=['#024','#420','#042'][n++%3]}</script>`,
    )
  })
  return listening(server)
}

async function call({ url }, method, path, body) {
  const started = performance.now()
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const json = await answer.json()
  return { status: answer.status, json, ms: performance.now() - started }
}

const open = (service, body = {}) => call(service, 'POST', '/v2/interact', body)
const run = (service, id, code, language = 'node') =>
  call(service, 'POST', `/v2/interact/${id}/execute`, { code, language, timeout: 60 })
const drop = (service, id) => call(service, 'DELETE', `/v2/interact/${id}`)

async function speeds(service) {
  const rounds = 20
  const opened = []
  const first = []
  const later = []
  const keeps = (await open(service)).json
  await sleep(4000)
  for (let n = 0; n < rounds; n++) {
    const made = await open(service)
    opened.push(made.ms)
    first.push((await run(service, made.json.id, 'await page.title()')).ms)
    for (let again = 0; again < 5; again++) later.push((await run(service, made.json.id, 'await page.title()')).ms)
    await drop(service, made.json.id)
    await sleep(2500)
  }
  const others = {}
  for (const language of ['python', 'bash']) {
    const code = language === 'bash' ? 'agent-browser get title' : 'page.title()'
    await run(service, keeps.id, code, language)
    const times = []
    for (let n = 0; n < 10; n++) times.push((await run(service, keeps.id, code, language)).ms)
    others[language] = at(times, 0.5)
  }
  await drop(service, keeps.id)
  return [
    row(
      'opening a session with a warm browser: p50',
      '≤ 350 ms',
      `${ms(at(opened, 0.5))}, p95 ${ms(at(opened, 0.95))}`,
      at(opened, 0.5) <= 350,
    ),
    row(
      '`await page.title()` after the first call: p50',
      '≤ 60 ms',
      `${ms(at(later, 0.5))}, p95 ${ms(at(later, 0.95))}`,
      at(later, 0.5) <= 60,
    ),
    row(
      'first call of a session, including sandbox and connection: p50',
      'published',
      `${ms(at(first, 0.5))}, p95 ${ms(at(first, 0.95))}`,
      true,
    ),
    row(
      'later calls of a session with Python and `agent-browser`: p50',
      'published',
      `${ms(others.python)}, ${ms(others.bash)}`,
      true,
    ),
    sandboxStart(),
  ]
}

/** The walls and the runtime alone, without what is loaded into it. */
function sandboxStart() {
  const times = []
  for (let n = 0; n < 10; n++) {
    const started = performance.now()
    try {
      execFileSync('bwrap', [
        '--unshare-all',
        '--ro-bind',
        '/usr',
        '/usr',
        '--symlink',
        'usr/lib',
        '/lib',
        '--symlink',
        'usr/lib64',
        '/lib64',
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--',
        '/usr/bin/node',
        '-e',
        '0',
      ])
      times.push(performance.now() - started)
    } catch {
      return row('sandbox start', '≤ 200 ms', 'bubblewrap or /usr/bin/node is not here', true)
    }
  }
  return row('start of a sandbox (one is kept ready)', '≤ 200 ms', ms(at(times, 0.5)), at(times, 0.5) <= 200)
}

async function sit({ url }, link, id) {
  const { ticket } = await (await fetch(`${link}?ticket=1`)).json()
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live/${id}/socket/${ticket}`)
  const seat = { socket, frames: 0, bytes: 0, onFrame: undefined }
  socket.on('message', (data, isBinary) => {
    seat.bytes += data.length
    if (!isBinary) return
    seat.frames += 1
    socket.send('{"shown":1}')
    seat.onFrame?.()
  })
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  return seat
}

async function liveView(service, site) {
  const made = (await open(service)).json
  await run(service, made.id, `await page.goto('${site.url}/')`)
  const seat = await sit(service, made.interactiveLiveViewUrl, made.id)
  await sleep(1500)
  const still = seat.bytes
  await sleep(3000)
  const idle = seat.bytes - still
  const times = []
  for (let n = 0; n < 60; n++) {
    const seen = new Promise((resolve) => {
      seat.onFrame = resolve
    })
    const started = performance.now()
    for (const type of ['mousePressed', 'mouseReleased'])
      seat.socket.send(JSON.stringify({ type, x: 0.5, y: 0.5, button: 'left', buttons: 1, clicks: 1 }))
    await Promise.race([seen, sleep(2000)])
    times.push(performance.now() - started)
    seat.onFrame = undefined
    await sleep(120)
  }
  // The same page moving for ten seconds, before one viewer and before twenty.
  const moving = async () => {
    const before = costOf(service.pid).cpu
    const until = performance.now() + 10_000
    while (performance.now() < until) {
      seat.socket.send(JSON.stringify({ type: 'mousePressed', x: 0.5, y: 0.5, button: 'left', buttons: 1, clicks: 1 }))
      await sleep(100)
    }
    return costOf(service.pid).cpu - before
  }
  const one = await moving()
  const crowd = []
  for (let n = 0; n < 19; n++) crowd.push(await sit(service, made.liveViewUrl, made.id))
  await sleep(1000)
  const twenty = await moving()
  for (const { socket } of [seat, ...crowd]) socket.close()
  await drop(service, made.id)
  return [
    row(
      'live view: time from click to changed frame, p50 and p95',
      '≤ 80 ms, ≤ 150 ms',
      `${ms(at(times, 0.5))}, ${ms(at(times, 0.95))}`,
      at(times, 0.5) <= 80 && at(times, 0.95) <= 150,
    ),
    row('live view of a page without changes: bytes sent in 3 s', '0', String(idle), idle === 0),
    row(
      'live view with 20 viewers: CPU of service and browser',
      '≤ 1.3 × of one viewer',
      `${(twenty / one).toFixed(2)} × (${one.toFixed(2)} s, ${twenty.toFixed(2)} s)`,
      twenty <= 1.3 * one,
    ),
  ]
}

/** Connections that we ourselves keep open to the service. */
function ownConnections(port) {
  const lines = readFileSync('/proc/self/net/tcp', 'utf8').split('\n').slice(1)
  const ESTABLISHED = '01'
  return lines.filter((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/)
    return state === ESTABLISHED && Number.parseInt(local.split(':')[1] ?? '', 16) === port
  }).length
}

/** What belongs to the service on this machine: processes below it, folders of sessions, files and ports it has open. */
function belongings({ pid, url }) {
  const parents = new Map()
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
      if (state !== 'Z') parents.set(Number(name), Number(parent))
    } catch {}
  }
  const below = (one) => {
    for (let up = one, n = 0; up > 1 && n < 50; n++, up = parents.get(up)) if (up === pid) return true
    return false
  }
  const own = readdirSync(tmpdir()).find((name) => /^orb-[0-9a-f]{8}-/.test(name) && name.endsWith(`-${pid}`))
  const folders = own ? readdirSync(join(tmpdir(), own)).filter((name) => name.startsWith('orb-session-')) : []
  const descriptors = readdirSync(`/proc/${pid}/fd`).length - ownConnections(Number(new URL(url).port))
  return { processes: [...parents.keys()].filter(below).length, folders: folders.length, descriptors }
}

async function many(service, site) {
  // What the first session opens for all that follow, such as the ports of the proxy, is no orphan.
  await drop(service, (await open(service)).json.id)
  await sleep(35_000)
  const before = belongings(service)
  let failed = 0
  for (let n = 0; n < SESSIONS; ) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(8, SESSIONS - n) }, async (_, at) => {
        const { json } = await open(service)
        if (!json.id) return false
        const code =
          at % 4 === 0 ? `await page.goto('${site.url}/?name=n${n}'); await page.title()` : 'await page.title()'
        const ran = await run(service, json.id, code)
        await drop(service, json.id)
        return ran.json.exitCode === 0
      }),
    )
    failed += batch.filter((ok) => !ok).length
    n += batch.length
  }
  // Browsers and spare sandboxes that nobody asks for are gone after half a minute.
  await sleep(40_000)
  const after = belongings(service)
  const left = {
    processes: after.processes - before.processes,
    folders: after.folders - before.folders,
    descriptors: after.descriptors - before.descriptors,
  }
  const none = left.processes <= 0 && left.folders <= 0 && left.descriptors <= 5
  return [
    row(
      `${SESSIONS} sessions: processes, folders and file descriptors left`,
      '0',
      `${left.processes}, ${left.folders}, ${left.descriptors}; ${failed} failed`,
      none && failed === 0,
    ),
  ]
}

const browsersOf = (pid) =>
  execFileSync('ps', ['-eo', 'pid,ppid,args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => parent === String(pid) && args.some((arg) => arg.startsWith('--orb-mark')))
    .map(([own]) => Number(own))

async function soak(service, site) {
  const rss = () => costOf(service.pid).rss
  await sleep(5000)
  const before = rss()
  const until = performance.now() + SOAK_MINUTES * 60_000
  let calls = 0
  let foreign = 0
  let kills = 0
  let ends = 0
  const bills = []
  const worker = async (n) => {
    while (performance.now() < until) {
      const begun = Date.now()
      const { json } = await open(service)
      if (!json.id) {
        await sleep(500)
        continue
      }
      const name = `session-${n}-${begun}`
      await run(service, json.id, `await page.goto('${site.url}/?name=${name}')`)
      for (let step = 0; step < 30 && performance.now() < until; step++) {
        const { status, json: told } = await run(service, json.id, 'await page.title()')
        calls += 1
        if (status === 410) break
        if (told.result && told.result !== name) foreign += 1
        await sleep(1500 + Math.random() * 1500)
      }
      await drop(service, json.id).catch(() => {})
      const { json: row } = await call(service, 'GET', `/v2/interact/${json.id}`)
      if (row.status === 'error') ends += 1
      bills.push({ billed: row.creditsBilled, due: Math.max(2, Math.ceil((row.sessionDurationMs / 60_000) * 2)) })
    }
  }
  const killer = async () => {
    while (performance.now() < until - 15_000) {
      await sleep(20_000 + Math.random() * 20_000)
      const [victim] = browsersOf(service.pid).sort(() => Math.random() - 0.5)
      if (victim) {
        process.kill(victim, 'SIGKILL')
        kills += 1
      }
    }
  }
  await Promise.all([...Array.from({ length: 20 }, (_, n) => worker(n)), killer()])
  await sleep(45_000)
  const grown = (rss() - before) / 1e6
  const wrong = bills.filter(({ billed, due }) => billed !== due).length
  return [
    row(
      `20 sessions, ${SOAK_MINUTES} minutes, browsers killed at random: pages of other sessions seen`,
      '0',
      `${foreign} of ${calls} calls; ${kills} kills, ${ends} sessions ended as error`,
      foreign === 0,
    ),
    row('20 sessions: growth of memory of service and browsers', '≤ 100 MB', `${Math.round(grown)} MB`, grown <= 100),
    row('20 sessions: minutes charged correctly', 'all', `${bills.length - wrong} of ${bills.length}`, wrong === 0),
  ]
}

async function kitRows(service) {
  if (!existsSync(kit)) return []
  const out = join(mkdtempSync(join(tmpdir(), 'orb-kit-run-')), 'result.json')
  const args = [
    kit,
    '--base',
    service.url,
    '--key',
    KEY,
    '--seeds',
    small ? '3' : '10',
    '--json',
    out,
    '--port',
    String(KIT_PORT),
  ]
  await new Promise((resolve) => spawn(process.execPath, args, { stdio: 'ignore' }).once('exit', resolve))
  const { tasksGood, tasks, wrongClaimed, claimed, episodes } = JSON.parse(readFileSync(out, 'utf8'))
  const count = typeof tasks === 'number' ? tasks : tasks.length
  const wrong = typeof wrongClaimed === 'number' ? wrongClaimed : wrongClaimed.length
  return [
    row(
      `set of ${count} browser tasks through the API, ${small ? 3 : 10} seeds`,
      '≥ 20 tasks at ≥ 0.9',
      `${tasksGood} of ${count}`,
      tasksGood >= 20,
    ),
    row(
      'browser tasks wrongly reported as done',
      '≤ 1 %',
      `${wrong} of ${claimed ?? episodes}`,
      wrong <= 0.01 * (claimed ?? episodes),
    ),
  ]
}
