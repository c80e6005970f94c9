// Tens of thousands of requests over all routes, each a good one that was spoilt: the shapes come from openapi.json, so that
// they get past the door and into the rooms. No internal error, no hang, no growth, and nothing without a key.
import { readFileSync } from 'node:fs'
import { sleep } from '../../process.mjs'
import { KEY, openContext, percentile, row } from './trust-context.mjs'

const REQUESTS = 50_000
const AT_ONCE = 24
const HANG_MS = 60_000
const MB = 1024 * 1024
/** What an answer of 500 may be: the words of the error table for sites that fail. */
const OF_SITES = /^(?:SCRAPE_|MAP_FAILED|SEARCH_)/
const OPEN =
  /^\/(?:health|metrics|docs|openapi|llms|\.well-known|assets|auth\.md|agent\/auth|agent-onboarding\/|api\/|live\/|media\/|files\/|v2\/monitor\/(?:feeds|email)|$)/

export async function mutations({ scale }) {
  const requests = Math.round(REQUESTS * scale)
  const { web, url, call, pid, logged, close } = await openContext()
  const chance = dice(20261116)
  try {
    const { json: api } = await call('GET', '/openapi.json')
    const operations = operationsOf(api, web.url)
    const ids = await someIds(call, web.url)
    const tally = { wrong: new Map(), hangs: 0, open: new Map(), statuses: {} }
    const sizes = []
    let sent = 0
    const client = async () => {
      while (sent < requests) {
        sent += 1
        if (sent % 250 === 0) sizes.push(residentBytes(pid))
        await one(url, spoilt(operations[sent % operations.length], ids, chance), tally)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    await sleep(3000)
    const alive = (await call('GET', '/health')).status
    for (const [what, times] of [...tally.wrong, ...tally.open].slice(0, 20)) console.log(`  ${times} × ${what}`)
    const third = Math.floor(sizes.length / 3)
    const growth = percentile(sizes.slice(-third), 0.5) / percentile(sizes.slice(third, 2 * third), 0.5)
    const shown = Object.entries(tally.statuses).map(([status, count]) => `${count} × ${status}`)
    const internal = [...tally.wrong.values()].reduce((sum, times) => sum + times, 0)
    // What the service could not do, or does not offer, is in the log as well: only faults of our own count here.
    const faults = logged('request failed').filter((line) => line.includes('"problem":"internal"'))
    const failed = faults.length
    for (const line of faults.slice(0, 5)) console.log(`  ${line}`)
    return [
      row(
        `${requests} mutated requests to ${operations.length} routes: responses by status`,
        '–',
        shown.join(', '),
        true,
      ),
      row(
        'mutated requests: internal errors (500) in responses and in the log',
        '0',
        `${internal}, ${failed}`,
        internal + failed === 0,
      ),
      row(`mutated requests: without a response in ${HANG_MS / 1000} s`, '0', tally.hangs, tally.hangs === 0),
      row('mutated requests: protected routes that respond without a key', '0', tally.open.size, tally.open.size === 0),
      row(
        'mutated requests: memory in the last third compared with the second',
        '≤ 1.25 ×',
        `${growth.toFixed(2)} × (${(sizes.at(-1) / MB).toFixed(0)} MB)`,
        growth <= 1.25,
      ),
      row('mutated requests: status of /health afterwards', '200', alive, alive === 200),
    ]
  } finally {
    await close()
  }
}

/** Of the service alone: browsers come and go. */
const residentBytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** The same throws at every run, so that what was found once can be found again. */
function dice(seed) {
  let state = seed
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
  return { next, of: (list) => list[Math.floor(next() * list.length)], may: (share) => next() < share }
}

function operationsOf(api, site) {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, parameters = [] }]) => {
      const content = requestBody?.content ?? {}
      const json = content['application/json']
      const query = parameters.filter((one) => one.in === 'query').map((one) => one.name)
      const sample = json ? local(json.example ?? sampleOf(json.schema, api, 0), site) : undefined
      return { method: method.toUpperCase(), path, query, sample, multipart: 'multipart/form-data' in content }
    }),
  )
}

/** A value that a schema would take, as far as a quick look tells. */
function sampleOf(schema, api, depth) {
  if (!schema || depth > 4) return 'x'
  if (schema.$ref)
    return sampleOf(
      schema.$ref
        .split('/')
        .slice(1)
        .reduce((at, key) => at?.[key], api),
      api,
      depth + 1,
    )
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0]
  if (choice) return sampleOf(choice, api, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, sampleOf(inner, api, depth + 1)]),
    )
  if (schema.type === 'array') return [sampleOf(schema.items, api, depth + 1)]
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  return schema.format === 'uuid' ? '0191b8a4-0000-7000-8000-000000000000' : 'x'
}

/** Addresses of the example lead to the site of the tests: nothing leaves the machine. */
const local = (value, site) =>
  JSON.parse(
    JSON.stringify(value ?? {}).replace(/https?:\/\/(?:www\.)?example\.(?:com|org|net)[^"\\]*/g, `${site}/article`),
  )

async function someIds(call, site) {
  const scrape = await call('POST', '/v2/scrape', { url: `${site}/article` })
  const crawl = await call('POST', '/v2/crawl', { url: `${site}/article`, limit: 1 })
  const batch = await call('POST', '/v2/batch/scrape', { urls: [`${site}/article`] })
  const agent = await call('POST', '/v2/agent', { prompt: 'the title', urls: [`${site}/article`] })
  return [scrape.json?.data?.metadata?.scrapeId, crawl.json?.id, batch.json?.id, agent.json?.id].filter(Boolean)
}

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '💥'.repeat(50),
  'x'.repeat(70_000),
  '../../etc/passwd',
  "' or 1=1 --",
  '%00',
  '<script>',
  '\r\nX: y',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '1e999',
  '-1',
]
const VALUES = [null, true, false, 0, -1, 1e308, -1e308, 2 ** 53, 0.1, [], {}, [[]], [null], { a: { b: {} } }, ...TEXTS]
const ADDRESSES = [
  'http://',
  'http://[',
  'http://a:99999/',
  'file:///etc/passwd',
  'http://127.0.0.2/',
  'HTTP://EXAMPLE.COM',
  `http://${'a'.repeat(300)}.com/`,
  'http://ex ample/',
  'javascript:1',
  '//x',
  'http://1/%zz',
]

function spoilt(operation, ids, chance) {
  const { method, path, query, sample, multipart } = operation
  const id = () =>
    chance.may(0.5) && ids.length > 0
      ? chance.of(ids)
      : chance.of([...TEXTS.slice(0, 12), '0191b8a4-0000-7000-8000-000000000000', 'x'])
  const filled = path.replace(/\{[^}]+\}/g, () => encodeURIComponent(wellFormed(id())).slice(0, 3000) || 'x')
  const asked = chance.may(0.5)
    ? query.map((name) => `${name}=${encodeURIComponent(wellFormed(String(chance.of(VALUES)))).slice(0, 3000)}`)
    : []
  const target = asked.length > 0 ? `${filled}?${asked.join('&')}` : filled
  const key = chance.may(0.9) ? KEY : chance.of(['', 'fc-00000000000000000000000000000000', 'x'])
  const headers = { ...(key ? { authorization: `Bearer ${key}` } : {}) }
  if (method === 'GET' || method === 'HEAD') return { method, path, target, headers, key }
  if (multipart && chance.may(0.7)) {
    const type = chance.of([
      'multipart/form-data',
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary=""',
    ])
    return {
      method,
      path,
      target,
      key,
      headers: { ...headers, 'content-type': type },
      body: chance.of([
        '',
        '--b\r\n',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4 broken\r\n--b--\r\n',
      ]),
    }
  }
  const type = chance.may(0.95)
    ? 'application/json'
    : chance.of(['text/plain', 'application/xml', 'multipart/form-data', ''])
  let body = JSON.stringify(mutated(structuredClone(sample ?? {}), chance))
  if (chance.may(0.05))
    body = chance.of([
      body.slice(0, -1),
      `${body},`,
      '[['.repeat(5000),
      '{"a":'.repeat(3000),
      '',
      'null',
      `{"__proto__":${body}}`,
      body.replace('{', '{"url":1,'),
    ])
  return { method, path, target, key, headers: { ...headers, ...(type ? { 'content-type': type } : {}) }, body }
}

const wellFormed = (text) => text.replace(/[\ud800-\udfff]/g, '?')

/** One to three things changed, anywhere in it. */
function mutated(value, chance) {
  let whole = value
  for (let times = 1 + Math.floor(chance.next() * 3); times > 0; times--) whole = changed(whole, chance)
  return whole
}

function changed(value, chance) {
  if (value === null || typeof value !== 'object' || chance.may(0.1)) return other(value, chance)
  const keys = Object.keys(value)
  if (chance.may(0.15))
    return Array.isArray(value)
      ? [...value, chance.of(VALUES)]
      : { ...value, [chance.of(['x', 'formats', 'url', 'limit', 'scrapeOptions', '$ref'])]: chance.of(VALUES) }
  if (keys.length === 0) return other(value, chance)
  const key = chance.of(keys)
  if (chance.may(0.15)) return Array.isArray(value) ? value.filter((_, at) => String(at) !== key) : without(value, key)
  if (Array.isArray(value) && chance.may(0.1)) return Array.from({ length: 2000 }, () => value[0])
  const copy = Array.isArray(value) ? [...value] : { ...value }
  copy[key] = changed(value[key], chance)
  return copy
}

const without = (object, key) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

function other(value, chance) {
  if (typeof value === 'string' && /^https?:/.test(value)) return chance.may(0.5) ? chance.of(ADDRESSES) : value
  if (typeof value === 'number') return chance.of([0, -1, 1, 1.5, 1e9, 1e308, 2 ** 31, '1', null])
  return chance.of(VALUES)
}

async function one(base, { method, path, target, headers, key, body }, tally) {
  try {
    const signal = AbortSignal.timeout(HANG_MS)
    const response = await fetch(base + target, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const isStream = /event-stream|octet/.test(response.headers.get('content-type') ?? '')
    const text = isStream ? '' : await response.text()
    if (isStream) await response.body?.cancel()
    const { status } = response
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
    const note = (map, what) => map.set(what, (map.get(what) ?? 0) + 1)
    if (status >= 500 && status !== 501 && status !== 503 && !OF_SITES.test(codeIn(text)))
      note(tally.wrong, `${status} ${method} ${path}: ${text.slice(0, 120)} for ${String(body).slice(0, 200)}`)
    if (key !== KEY && status < 300 && !OPEN.test(path)) note(tally.open, `${method} ${path} without a key: ${status}`)
  } catch (error) {
    if (error.name === 'TimeoutError') tally.hangs += 1
    else tally.statuses.refused = (tally.statuses.refused ?? 0) + 1
  }
}

function codeIn(text) {
  try {
    return String(JSON.parse(text).code ?? '')
  } catch {
    return ''
  }
}
