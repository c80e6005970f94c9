// The figures of flows: requests are done once by a prompt on our own pages and kept as flows, then run again on ten
// versions of each page with other ids, classes, order, labels and a dialog in the way; and what a run costs beside the
// prompt; and thirty recorded flows with parameters, run in every way that there is. `PROVE_SMALL=1` takes every third
// request, three versions and six flows; `PROVE_ROWS=versions,ways` only those groups; `PROVE_TURN=1/8` an eighth of the
// requests and of the flows; `PROVE_FIRST_VERSION=21` other versions than the first.
import { createServer } from 'node:http'
import { setUp } from '../../scripts/setup.mjs'
import { openModules } from '../../scripts/typescript-modules.mjs'
import { costOf } from '../process.mjs'
import { waysRows } from './rows/flow-ways.mjs'
import { listening, startOrb } from './rows/jobs-context.mjs'

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })
const small = process.env.PROVE_SMALL === '1'
const VERSIONS = small ? 3 : 10
/** Versions that were looked at are used up. */
const FIRST_VERSION = Number(process.env.PROVE_FIRST_VERSION ?? 1)
const AT_ONCE = 3
const [turn, turns] = (process.env.PROVE_TURN ?? '1/1').split('/').map(Number)

export async function prove() {
  setUp()
  const modules = await openModules()
  const { everydayPages } = await modules.load('test/prompting/everyday-pages.ts')
  const { everydayRequests } = await modules.load('test/prompting/everyday-requests.ts')
  await modules.close()
  const site = await startSite(everydayPages)
  const service = await startOrb({ ports: [site.port], env: { ORB_LOG_LEVEL: 'warn' } })
  const groups = (process.env.PROVE_ROWS ?? 'versions,ways').split(',')
  try {
    const rows = []
    if (groups.includes('versions')) rows.push(...(await versionsRows(service, site, everydayRequests)))
    if (groups.includes('ways')) rows.push(...(await waysRows(small ? 6 : 30, turn, turns)))
    return { title: 'Flows', rows }
  } finally {
    await service.stop()
    site.stop()
  }
}

async function versionsRows({ call, pid }, site, everydayRequests) {
  // Only what the page's state shows can be judged after a run.
  const doable = everydayRequests.filter(
    ({ wanted, refusedFor, says }) => !refusedFor && !says && !/\bq\(|location|state\.open/.test(wanted),
  )
  const chosen = doable.filter((_, at) => at % turns === turn - 1 && (!small || at % 3 === 0))
  const flows = []
  for (const request of chosen) {
    const flow = await recorded(call, site, request, pid)
    if (flow) flows.push(flow)
  }
  const runs = []
  for (const flow of flows) {
    // The first is alone on the machine, for its cost.
    const own = [await replayed(call, flow, FIRST_VERSION, pid)]
    for (let count = 1; count < VERSIONS; count += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, VERSIONS - count) }, (_, at) => FIRST_VERSION + count + at)
      own.push(...(await Promise.all(some.map((one) => replayed(call, flow, one)))))
    }
    for (const { outcome, version, because } of own)
      if (outcome !== 'right')
        console.log(`  ${outcome}: ${flow.request.page} v${version} “${flow.request.prompt}”: ${because}`)
    const right = own.filter(({ outcome }) => outcome === 'right').length
    console.log(`  ${flow.request.page} “${flow.request.prompt.slice(0, 40)}”: ${right} of ${own.length}`)
    runs.push(...own)
  }
  return rowsOf(chosen.length, flows, runs)
}

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

function rowsOf(asked, flows, runs) {
  const right = runs.filter(({ outcome }) => outcome === 'right').length
  const wrong = runs.filter(({ outcome }) => outcome === 'wrong')
  const stopped = runs.filter(({ outcome }) => outcome === 'stopped')
  const pictured = stopped.filter(({ hasPicture }) => hasPicture).length
  const cost = (all) => {
    const list = all.filter(({ cpu }) => cpu !== undefined)
    return `${middle(list.map(({ cpu }) => cpu)).toFixed(2)} s of CPU, ${Math.round(middle(list.map(({ ms }) => ms)))} ms`
  }
  return [
    row(
      `${flows.length} of ${asked} recorded prompts, run on ${VERSIONS} versions of their pages: correct runs`,
      '≥ 0.95',
      `${right} of ${runs.length}`,
      right >= 0.95 * runs.length,
    ),
    row('runs that press a wrong element', '0', String(wrong.length), wrong.length === 0),
    row('stopped runs with a screenshot', 'all', `${pictured} of ${stopped.length}`, pictured === stopped.length),
    row('run of a flow: median', 'published', cost(runs), true),
    row('same task by a prompt in a new session: median', 'published', cost(flows), true),
  ]
}

/** Without a process, what it costs is not measured. */
async function measured(pid, work) {
  if (pid === undefined) return { result: await work() }
  const [before, began] = [costOf(pid).cpu, performance.now()]
  const result = await work()
  return { result, cpu: costOf(pid).cpu - before, ms: performance.now() - began }
}

const isReached = (wanted, state) => {
  try {
    return Boolean(new Function('state', `return (${wanted})`)(state))
  } catch {
    return false
  }
}

/** Undefined when the prompt did not do it: the figure is about flows. */
async function recorded(call, site, request, pid) {
  const address = `http://127.0.0.1:${site.port}/${request.page}`
  const run = async () => {
    const { id } = await call('POST', '/v2/interact', {})
    const execute = (code) => call('POST', `/v2/interact/${id}/execute`, { code, language: 'node' })
    await execute(`await page.goto('${address}')`)
    const said = await call('POST', `/v2/interact/${id}/prompt`, { prompt: request.prompt, timeout: 60 })
    const { result } = await execute('JSON.stringify(await page.evaluate(() => window.state))')
    const name = `flow-${site.count++}`
    const kept = await call('POST', `/v2/interact/${id}/flow`, { name })
    await call('DELETE', `/v2/interact/${id}`)
    const done = isReached(request.wanted, JSON.parse(result || 'null') ?? {})
    if (done && kept.steps) return { name, steps: kept.steps, parameters: kept.parameters }
    console.log(`  not recorded: “${request.prompt}”: ${kept.error ?? said.output ?? said.error} ${result}`)
    return undefined
  }
  const { result, cpu, ms } = await measured(pid, run)
  return result && { ...result, request, cpu, ms }
}

function withVersion(address, version) {
  const url = new URL(address)
  url.searchParams.set('version', version)
  return url.href
}

async function replayed(call, { name: recording, steps, parameters, request }, version, pid) {
  const name = `${recording}-${version}`
  const password = /password "?([\w-]+)/.exec(request.prompt)?.[1]
  const secrets = Object.entries(parameters).flatMap(([one, { secret }]) => (secret ? [[one, password]] : []))
  const varied = steps.map((step) => (step.type === 'open' ? { ...step, url: withVersion(step.url, version) } : step))
  await call('PUT', `/v2/flow/${name}`, { parameters, steps: varied })
  const { result, cpu, ms } = await measured(pid, () =>
    call('POST', `/v2/flow/${name}/run`, {
      with: Object.fromEntries(secrets),
      formats: ['rawHtml'],
      timeout: 60_000,
    }),
  )
  const facts = { request, version, cpu, ms }
  if (!result.success)
    return { ...facts, outcome: 'stopped', because: result.error, hasPicture: Boolean(result.details?.picture) }
  const shown = /data-state="([^"]*)"/.exec(result.document.rawHtml)?.[1] ?? '{}'
  const state = JSON.parse(shown.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  const isRight = isReached(request.wanted, state)
  return { ...facts, outcome: isRight ? 'right' : 'wrong', because: JSON.stringify(state).slice(0, 200) }
}

/** Other words for labels, as a redesign brings them; each version takes half of them. */
const SYNONYMS = Object.entries({
  Search: 'Find',
  Reserve: 'Reserve now',
  Location: 'Place',
  Apply: 'Apply now',
  'Sign in': 'Log in',
  'Customer number': 'Your customer number',
  From: 'From station',
  To: 'To station',
  'Show trains': 'Find trains',
  Select: 'Choose',
  Next: 'Next page',
  'First name': 'Given name',
  'Last name': 'Family name',
  Topic: 'Subject',
  'Send message': 'Send',
  'Save changes': 'Save',
  'Display name': 'Shown name',
  Language: 'Language of the pages',
  'Check availability': 'See availability',
  Arrival: 'Arrival date',
  Departure: 'Departure date',
  Add: 'Add item',
  'New item': 'Item',
})

/** Runs in the page before its own script: `q` and `all` go on finding what they look for by the old ids. */
const variation = (version) => `
const chance = (() => { let seed = ${version} * 7919; return () => (seed = (seed * 16807) % 2147483647) / 2147483647 })()
const renamed = (root) => { for (const one of root.querySelectorAll('[id]:not([data-o])')) {
  const id = one.id; one.dataset.o = id; one.id = 'x' + Math.floor(chance() * 1e9).toString(36)
  for (const [name, attribute] of [['for', 'for'], ['aria-labelledby', 'aria-labelledby'], ['aria-controls', 'aria-controls'], ['list', 'list']])
    for (const user of document.querySelectorAll('[' + name + '="' + id + '"]')) user.setAttribute(attribute, one.id) } }
const words = ${JSON.stringify(SYNONYMS)}.filter(() => chance() < 0.5)
const reworded = () => { const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) { const node = walk.currentNode
    if (!node.parentElement?.closest('label, button, legend') || node.parentElement.closest('[data-said]')) continue
    for (const [old, word] of words) if (node.data.trim().replace(/ \\*$/, '') === old) { node.data = node.data.replace(old, word); node.parentElement.dataset.said = '1' } } }
const dress = () => { for (const one of document.querySelectorAll('[class]:not([data-c])')) { one.dataset.c = one.className; one.className += ' k' + Math.floor(chance() * 1e6) } }
const all3 = () => { renamed(document); reworded(); dress() }
for (const form of document.querySelectorAll('form')) { const rows = [...form.children].filter((one) => one.matches('p, div')); if (rows.length > 2 && chance() < 0.7) rows.slice(0, -1).reverse().forEach((one) => form.insertBefore(one, rows.at(-1))) }
all3()
new MutationObserver(all3).observe(document.body, { childList: true, subtree: true })
if (chance() < 0.5) { const over = document.createElement('div'); over.className = 'veil'
  over.innerHTML = '<div role="dialog" aria-label="News"><p>We have a new app!</p><button aria-label="Close">×</button></div>'
  over.querySelector('button').onclick = () => over.remove(); document.body.append(over) }`

const MIRROR = `setInterval(() => { document.documentElement.dataset.state = JSON.stringify(window.state) }, 30)`

async function startSite(pages) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://x')
    const html = pages[pathname.slice(1)]
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    if (!html) return response.end()
    const version = Number(searchParams.get('version') ?? 0)
    const helpers = `const byOldId=s=>s.replace(/#([\\w-]+)/g,':is([data-o="$1"],#$1)'),q=(s,r=document)=>r.querySelector(byOldId(s)),all=(s,r=document)=>[...r.querySelectorAll(byOldId(s))];`
    const own = html.replace(/const q=.*?\)\];/, () => helpers)
    const varied = own.replace('<script>', () => `<script>{${variation(version)}}</script><script>`)
    response.end((version ? varied : html).replace('</body>', () => `<script>${MIRROR}</script></body>`))
  })
  return { ...(await listening(server)), count: 1 }
}
