// A load of many clients over five keys with different rules, and the check that every rule was kept: balances to the
// credit, no limit exceeded by more than one. The proof runs it at full size, a test at a small one.
import { Agent, createServer, request as httpRequest } from 'node:http'

/** Pages that are scraped again and again; all but those of the slow key come from the cache after a while. */
const PAGES = 40
const SLOW_MS = 40
const RATED_PLAN = { plan: 'standard', scrapesAMinute: 500 }
const NARROW_PLAN = { plan: 'hobby', concurrency: 5, scrapesAMinute: 100 }

/** A site that knows how many visits to the narrow team's pages were under way at once. */
export async function startLoadSite() {
  const crowd = { now: 0, most: 0 }
  const text = 'Somebody was here before us and left the lamp on. '.repeat(40)
  const server = createServer((request, response) => {
    const isNarrow = request.url?.startsWith('/narrow') ?? false
    const send = () => {
      if (isNarrow) crowd.now -= 1
      response.setHeader('content-type', 'text/html')
      response.end(`<title>${request.url}</title><main><h1>A page</h1><p>${text}</p></main>`)
    }
    if (!isNarrow) return send()
    crowd.now += 1
    crowd.most = Math.max(crowd.most, crowd.now)
    setTimeout(send, SLOW_MS)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, port, crowd, close }
}

/**
 * Sends `requests` from `clients` at once and returns what came of it. `wrong` lists every rule that was broken; `onTick`
 * is called a hundred times on the way.
 */
export async function runLoad({ url, adminKey, site, requests, clients, credits, onTick = () => {} }) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const call = (key, method, path, body) => send(agent, url + path, method, key, body)
  const keys = await makeKeys((...args) => call(adminKey, ...args), credits)
  const began = performance.now()
  const firstMinute = Math.floor(Date.now() / 60_000)
  let next = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < requests) {
        const at = next++
        const key = keys[at % keys.length]
        const target = key.rule === 'narrow' ? `/narrow/${at}` : `/page/${at % PAGES}`
        key.answers.push(await call(key.key, 'POST', '/v2/scrape', { url: site.url + target }))
        if (at % Math.ceil(requests / 100) === 0) onTick(at)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const minutes = Math.floor(Date.now() / 60_000) - firstMinute + 1
  const wrong = []
  for (const key of keys) wrong.push(...brokenBy(key, { minutes, credits, crowd: site.crowd }))
  for (const team of new Set(keys.map(({ team }) => team))) wrong.push(...(await wrongBooks(call, keys, team)))
  agent.destroy()
  const statuses = {}
  for (const { answers } of keys) for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  return { seconds, statuses, wrong, mostAtOnce: site.crowd.most }
}

/** Two keys of one team without limits, one with credits, one with a rate, one with few slots. */
async function makeKeys(call, credits) {
  const stamp = Date.now().toString(36)
  const team = async (rule, options) => {
    const { json } = await call('POST', '/v2/admin/teams', { name: `${rule} ${stamp}`, ...options })
    return { rule, team: json.data.id, key: json.key, answers: [] }
  }
  const free = await team('free', {})
  const { json } = await call('POST', '/v2/admin/keys', { name: 'second', team: free.team })
  return [
    free,
    { rule: 'free', team: free.team, key: json.key, answers: [] },
    await team('credits', { credits }),
    await team('rate', { plan: RATED_PLAN.plan }),
    await team('narrow', { plan: NARROW_PLAN.plan }),
  ]
}

/** The rules that one key's answers break, as sentences. */
function brokenBy({ rule, answers }, { minutes, credits, crowd }) {
  const count = (status) => answers.filter((answer) => answer.status === status).length
  const wrong = []
  const expected = { free: [200], credits: [200, 402], rate: [200, 429], narrow: [200, 429] }[rule]
  for (const { status, json } of answers)
    if (!expected.includes(status)) wrong.push(`${rule}: ${status} ${JSON.stringify(json).slice(0, 200)}`)
  if (rule === 'credits') {
    const paid = Math.min(credits, answers.length)
    if (count(200) !== paid) wrong.push(`credits: ${count(200)} were let through instead of ${paid}`)
  }
  const limit = { rate: RATED_PLAN.scrapesAMinute, narrow: NARROW_PLAN.scrapesAMinute }[rule]
  if (limit !== undefined) {
    // Every request that is let in gets a number of its own in its minute: a number given out more often than there
    // were minutes is a request too many.
    const given = new Map()
    // A refusal says that nothing is left, as the last that was let in does.
    for (const { status, remaining } of answers)
      if (remaining !== undefined && status !== 429) given.set(remaining, (given.get(remaining) ?? 0) + 1)
    const most = Math.max(0, ...given.values())
    if (most > minutes)
      wrong.push(`${rule}: the same place in a minute was given out ${most} times in ${minutes} minutes`)
    if (count(200) > limit * minutes + 1) wrong.push(`${rule}: ${count(200)} in ${minutes} minutes`)
    for (const { status, retryAfter } of answers)
      if (status === 429 && !(retryAfter >= 1 && retryAfter <= 60)) wrong.push(`${rule}: Retry-After is ${retryAfter}`)
  }
  if (rule === 'narrow' && crowd.most > NARROW_PLAN.concurrency + 1) wrong.push(`narrow: ${crowd.most} pages at once`)
  return wrong
}

/** What a team's balance and sums say against what its keys were answered. */
async function wrongBooks(call, keys, team) {
  const mine = keys.filter((key) => key.team === team)
  const spentBy = ({ answers }) =>
    answers.reduce((sum, { status, json }) => sum + (status === 200 ? json.data.metadata.creditsUsed : 0), 0)
  const spent = mine.reduce((sum, key) => sum + spentBy(key), 0)
  const asked = mine.reduce((sum, { answers }) => sum + answers.length, 0)
  // What is under way when the last answer leaves is settled before it; counts are written twice a second, and later on a
  // busy machine.
  let usage
  for (let looks = 0; looks < 40 && usage?.total.requests !== asked; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, 600))
    usage = (await call(mine[0].key, 'GET', '/v2/admin/usage?by=key')).json
  }
  const { json: teams } = await call(mine[0].key, 'GET', '/v2/admin/teams')
  const { credits } = teams.data[0]
  const wrong = []
  if (credits.spent !== spent) wrong.push(`balance: ${credits.spent} spent, ${spent} answered`)
  if (credits.reserved !== 0) wrong.push(`balance: ${credits.reserved} still reserved`)
  if (usage.total.credits !== spent) wrong.push(`sums: ${usage.total.credits} credits, ${spent} answered`)
  if (usage.total.requests !== asked) wrong.push(`sums: ${usage.total.requests} requests, ${asked} sent`)
  const bySum = usage.data.map((row) => row.credits).sort((a, b) => a - b)
  const byKey = mine.map(spentBy).sort((a, b) => a - b)
  if (JSON.stringify(bySum) !== JSON.stringify(byKey)) wrong.push(`sums by key: ${bySum}, answered ${byKey}`)
  return wrong.map((text) => `${mine[0].rule}: ${text}`)
}

function send(agent, url, method, key, body) {
  const data = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${key}`,
    ...(data ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) } : {}),
  }
  return new Promise((resolve, reject) => {
    const call = httpRequest(url, { method, agent, headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString())))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(data)
  })
}

/** Only what the checks need: ten thousand whole answers would be the client's memory, not the service's. */
function answerOf({ statusCode, headers }, text) {
  const json = JSON.parse(text)
  const { metadata } = json.data ?? {}
  const left = headers['x-ratelimit-remaining']
  return {
    status: statusCode,
    json: metadata ? { data: { metadata: { creditsUsed: metadata.creditsUsed } } } : json,
    remaining: left === undefined ? undefined : Number(left),
    retryAfter: Number(headers['retry-after']),
  }
}
