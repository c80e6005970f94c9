// Flows with parameters, recorded from code in a session, give the same result by HTTP, MCP, command line, the action of a
// scrape and a monitor.
import { createServer } from 'node:http'
import { KEY, listening, orb, startOrb, until } from './jobs-context.mjs'

const PLACES = ['Aarhus', 'Bremen', 'Cork', 'Delft', 'Evora', 'Faro']
const LABELS = ['Town', 'Harbour', 'Station', 'District', 'Village', 'Island']
const KINDS = ['Ferry', 'Train', 'Coach', 'Tram', 'Plane']

/** One of thirty forms, by its number: other labels, fields and order. */
const formOf = (n) => ({
  label: LABELS[n % LABELS.length],
  kinds: KINDS.slice(0, 2 + (n % 4)),
  hasBox: n % 2 === 0,
  isReversed: n % 3 === 0,
})

/** Others than those that were recorded. */
const valuesOf = (n) => ({ place: PLACES[(n + 1) % PLACES.length], kind: formOf(n).kinds[1] })

let count = 7

const saidOf = (n, { place, kind }) => `${formOf(n).label} ${place} by ${kind}: ${count} left`

const AT_ONCE = 3

async function eachOf(list, work) {
  for (let at = 0; at < list.length; at += AT_ONCE) await Promise.all(list.slice(at, at + AT_ONCE).map(work))
}

async function startForms() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x')
    if (pathname === '/count') return response.end(String(count))
    const n = Number(/^\/form\/(\d+)$/.exec(pathname)?.[1] ?? -1)
    if (n < 0) return response.writeHead(404).end()
    const { label, kinds, hasBox, isReversed } = formOf(n)
    const fields = [
      `<p><label>${label} <input id="place"></label></p>`,
      `<p><label>Travel by <select id="kind"><option>Any</option>${kinds.map((one) => `<option>${one}</option>`).join('')}</select></label></p>`,
      hasBox ? '<p><label><input type="checkbox" id="box"> Direct only</label></p>' : '',
    ]
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Search ${n}</title><main><h1>Search ${n}</h1><form id="f">
      ${(isReversed ? fields.reverse() : fields).join('')}<button>Search</button></form><p id="said">Nothing yet.</p></main>
      <script>f.onsubmit = async (event) => { event.preventDefault(); const left = await (await fetch('/count')).text()
        said.textContent = '${label} ' + place.value + ' by ' + kind.value + ': ' + left + ' left' }</script>`)
  })
  return listening(server)
}

/** `turn` of `turns` takes its share of the flows. */
export async function waysRows(flows, turn, turns) {
  const site = await startForms()
  const service = await startOrb({ ports: [site.port], env: { ORB_LOG_LEVEL: 'warn' } })
  const numbers = Array.from({ length: flows }, (_, n) => n).filter((n) => n % turns === turn - 1)
  const same = { HTTP: 0, MCP: 0, 'command line': 0, scrape: 0, monitor: 0 }
  const note = (way, n, is, found) => {
    if (is) same[way] += 1
    else console.log(`  wrong by ${way}, flow ${n}: ${JSON.stringify(found)?.slice(0, 200)}`)
  }
  try {
    await eachOf(numbers, async (n) => {
      const lap = stopwatch()
      await record(service, site, n)
      console.log(`  flow ${n}: ${lap('recorded')}`)
    })
    const targets = numbers.map((n) => ({ type: 'flow', name: `ways-${n}`, with: valuesOf(n) }))
    await eachOf(numbers, async (n) => {
      const lap = stopwatch()
      const values = valuesOf(n)
      const [name, url, said] = [`ways-${n}`, `${site.url}/form/${n}`, saidOf(n, values)]
      const ran = await service.call('POST', `/v2/flow/${name}/run`, { with: values })
      lap('HTTP')
      note('HTTP', n, ran.data?.said === said, ran)
      const tool = await mcp(service, `flow_ways_${n}`, values)
      lap('MCP')
      note('MCP', n, JSON.stringify(tool).includes(said), tool)
      const printed = await orb(['flow', 'run', name, '--with', JSON.stringify(values), '--json'], {
        ORB_URL: service.url,
        ORB_API_KEY: KEY,
      })
      lap('command line')
      note('command line', n, dataOf(printed)?.said === said, printed)
      const actions = [{ type: 'flow', name, with: values }]
      const scraped = await service.call('POST', '/v2/scrape', { url, actions, maxAge: 0 })
      note('scrape', n, scraped.data?.actions?.flows?.[0]?.data?.said === said, scraped)
      console.log(`  flow ${n}: ${lap('scrape')}`)
    })
    await watch(service, targets, numbers, note)
  } finally {
    await service.stop()
    site.stop()
  }
  return Object.entries(same).map(([way, right]) => ({
    what: `${numbers.length} recorded flows with parameters: correct by ${way}`,
    bar: 'all',
    measured: `${right} of ${numbers.length}`,
    ok: right === numbers.length,
  }))
}

/** Adds the seconds since the last lap, and returns all of them. */
function stopwatch() {
  const laps = []
  let last = performance.now()
  return (what) => {
    const now = performance.now()
    laps.push(`${what} ${((now - last) / 1000).toFixed(1)} s`)
    last = now
    return laps.join(', ')
  }
}

const dataOf = (printed) => {
  try {
    return JSON.parse(printed).data
  } catch {
    return undefined
  }
}

/** Done once by code with one set of values, which become the parameters. */
async function record(service, site, n) {
  const { label, kinds, hasBox } = formOf(n)
  const place = PLACES[n % PLACES.length]
  const { id } = await service.call('POST', '/v2/interact', {})
  const code = `await page.goto('${site.url}/form/${n}')
    await page.getByLabel('${label}', { exact: true }).fill('${place}')
    await page.getByLabel('Travel by').selectOption('${kinds[0]}')
    ${hasBox ? `await page.getByLabel('Direct only').check()` : ''}
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText(' left').waitFor()`
  await service.call('POST', `/v2/interact/${id}/execute`, { code, language: 'node', timeout: 60 })
  const parameters = { place, kind: kinds[0] }
  const kept = await service.call('POST', `/v2/interact/${id}/flow`, { name: `ways-${n}`, parameters })
  await service.call('DELETE', `/v2/interact/${id}`)
  if (!kept.steps) throw new Error(`flow ${n} was not recorded: ${kept.error}`)
  const read = [
    { type: 'waitFor', text: ' left' },
    { type: 'extract', as: 'said', target: { selector: '#said' } },
  ]
  await service.call('PUT', `/v2/flow/ways-${n}`, { parameters: kept.parameters, steps: [...kept.steps, ...read] })
}

async function mcp(service, name, args) {
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  return answer.json()
}

const TARGETS = 10

/** The second check, after the count has changed, shows the new sentence of each flow. */
async function watch(service, targets, numbers, note) {
  const monitors = []
  const check = async (id) => {
    const lap = stopwatch()
    const run = await service.call('POST', `/v2/monitor/${id}/run`)
    if (!run.data) throw new Error(run.error)
    const read = async () => (await service.call('GET', `/v2/monitor/${id}/checks/${run.data.id}?limit=100`)).data
    const done = await until(async () => {
      const now = await read()
      return /completed|partial|failed/.test(now.status) && now
    }, 240_000)
    console.log(`  ${lap(`check of ${done.pages.length} flows`)}`)
    return done
  }
  for (let at = 0; at < targets.length; at += TARGETS) {
    const body = { name: `Ways ${at}`, schedule: { text: 'daily' }, watch: { confirm: false } }
    const made = await service.call('POST', '/v2/monitor', { ...body, targets: targets.slice(at, at + TARGETS) })
    if (!made.data) throw new Error(made.error)
    monitors.push(made.data.id)
  }
  await eachOf(monitors, check)
  count -= 1
  const pages = []
  await eachOf(monitors, async (id) => pages.push(...(await check(id)).pages))
  for (const n of numbers) {
    const page = pages.find(({ url }) => url.endsWith(`/form/${n}`))
    const is = page?.status === 'changed' && JSON.stringify(page).includes(saidOf(n, valuesOf(n)))
    note('monitor', n, is, page)
  }
}
