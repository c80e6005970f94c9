// Two hundred searches with operators and dates, made by a counter, against pages whose words are known: every answer must
// be exactly the pages that the operators allow, no more and no less. The oracle knows words, hosts and days, not our index.
import { beforeAll, expect, it } from 'vitest'
import { counter, MADE_HOSTS, MADE_WORDS, type MadePage, madeHtml, madePages } from '../site/made-pages.ts'
import type { Scene } from '../site/site.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const PAGES = madePages(90, 7)
const DAY = 86_400_000
const byHost = new Map(PAGES.map((page) => [`${page.host}${page.path}`, page]))
const serve = ({ request, response }: Scene) => {
  const page = byHost.get(`${request.headers.host?.split(':')[0]}${request.url}`)
  if (!page) return void response.writeHead(404).end()
  const type = page.type === 'txt' ? 'text/plain' : 'text/html'
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` })
  response.end(page.type === 'txt' ? page.body.join(' ') : madeHtml(page))
}
const { site, service } = shared(Object.fromEntries(PAGES.map(({ path }) => [path, serve])), {
  names: Object.fromEntries(MADE_HOSTS.map((host) => [host, { a: ['127.0.0.1'] }])),
})

beforeAll(async () => {
  const urls = PAGES.map(urlOf)
  const { data } = await service.sdk.batchScrape(urls, {
    options: { formats: ['markdown'] },
    pollInterval: 1,
    timeout: 240,
  })
  expect(data).toHaveLength(PAGES.length)
  // A search of an empty index with nobody else to ask is a failure.
  const countOn = async (host: string): Promise<number> =>
    (await service.call('POST', '/v2/search', { query: `site:${host}`, limit: 100 })).json.data?.web.length ?? 0
  await until(async () => (await countOn('made.test')) + (await countOn('other.test')) === PAGES.length, 60_000)
})

const urlOf = ({ host, path }: MadePage): string => `http://${host}:${site.port}${path}`

async function ask(query: string, more: object): Promise<string[]> {
  const { status, json } = await service.call('POST', '/v2/search', { query, limit: 100, ...more })
  expect(status, JSON.stringify(json)).toBe(200)
  return json.data.web.map(({ url }: Json) => url)
}

interface Case {
  query: string
  more: Record<string, unknown>
  allows(page: MadePage): boolean
}

/** One condition with what it means, said twice: as an operator, and as a question to the page. */
type Part = { text: string; more?: Record<string, unknown>; allows(page: MadePage): boolean }

const has = (words: readonly string[], phrase: readonly string[]): boolean =>
  words.some((_, at) => phrase.every((word, n) => words[at + n] === word))
const titleOf = ({ title, type, path }: MadePage): readonly string[] => (type === 'txt' ? wordsIn(path) : title)
const wordsIn = (text: string): string[] => text.split(/[^a-z0-9]+/).filter(Boolean)
const anywhere = (page: MadePage, phrase: readonly string[]): boolean =>
  has(page.title, phrase) || has(page.body, phrase)
const onHost = ({ host }: MadePage, wanted: string): boolean => host === wanted || host.endsWith(`.${wanted}`)
const slashed = (at: number): string => {
  const date = new Date(at)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

function parts(next: (below: number) => number): Part[] {
  const page = PAGES[next(PAGES.length)]!
  const word = MADE_WORDS[next(12)]!
  const at = next(page.body.length - 2)
  const phrase = page.body.slice(at, at + 2 + next(2))
  const titled = PAGES.filter(({ type }) => type === 'html')[next(60)]!
  const host = ['made.test', ...MADE_HOSTS][next(4)]!
  const folder = ['guides', 'parts', 'notes'][next(3)]!
  const minus = next(2) === 1
  const not = (part: Part): Part => ({ text: `-${part.text}`, allows: (one) => !part.allows(one) })
  const maybeNot = (part: Part): Part => (minus ? not(part) : part)
  const from = Date.UTC(2019, next(60), 1 + next(28))
  const until = from + (30 + next(700)) * DAY
  return [
    maybeNot({ text: `"${phrase.join(' ')}"`, allows: (one) => anywhere(one, phrase) }),
    not({ text: word, allows: (one) => anywhere(one, [word]) }),
    maybeNot({ text: `site:${host}`, allows: (one) => onHost(one, host) }),
    maybeNot({
      text: `site:${host}/${folder}`,
      allows: (one) => onHost(one, host) && one.path.startsWith(`/${folder}/`),
    }),
    maybeNot({
      text: `intitle:${titled.title[0]}`,
      allows: (one) => has(titleOf(one), [titled.title[0]!]) && one.type === 'html',
    }),
    maybeNot({ text: `inurl:${folder}`, allows: (one) => one.path.includes(folder) }),
    maybeNot({ text: `filetype:${minus ? 'html' : 'txt'}`, allows: ({ type }) => type === (minus ? 'html' : 'txt') }),
    { text: '', more: { includeDomains: [host] }, allows: (one) => onHost(one, host) },
    { text: '', more: { excludeDomains: [host] }, allows: (one) => !onHost(one, host) },
    {
      text: '',
      more: { tbs: `cdr:1,cd_min:${slashed(from)},cd_max:${slashed(until)}` },
      allows: ({ date }) => date !== undefined && date >= from && date < until + DAY,
    },
    // What states no date was seen today.
    { text: '', more: { tbs: 'qdr:d' }, allows: ({ date }) => date === undefined },
    {
      text: '',
      more: { tbs: `cdr:1,cd_max:${slashed(until)}` },
      allows: ({ date }) => date !== undefined && date < until + DAY,
    },
  ]
}

function makeCase(at: number): Case {
  const next = counter(1000 + at)
  next(2)
  const chosen: Part[] = []
  for (let n = 1 + next(3); n > 0; n--) {
    const part = parts(next)[(at + n * 5) % 12]!
    const clashes = chosen.some(({ more = {} }) =>
      Object.keys(part.more ?? {}).some((key) => key in more || /Domains/.test(key)),
    )
    if (!clashes) chosen.push(part)
  }
  const isTwice = chosen.filter(({ more = {} }) => Object.keys(more).some((key) => /Domains/.test(key))).length > 1
  const kept = isTwice ? chosen.slice(0, 1) : chosen
  // Several sites in one query are alternatives; one alone keeps the oracle plain.
  const single = kept.filter(
    (part, n) => !/^site:/.test(part.text) || kept.findIndex(({ text }) => /^site:/.test(text)) === n,
  )
  const word = next(2) === 0 ? MADE_WORDS[next(10)]! : undefined
  const phrases = single.some(({ text }) => /^"|^intitle/.test(text))
  return {
    query: [word ?? '', ...single.map(({ text }) => text)].filter(Boolean).join(' ') || MADE_WORDS[0]!,
    more: Object.assign({}, ...single.map(({ more }) => more)),
    allows(page) {
      if (!single.every((part) => part.allows(page))) return false
      const typed = word ?? (single.every(({ text }) => text === '') ? MADE_WORDS[0]! : undefined)
      // A word that is typed must be there unless a phrase or a title already says what is wanted.
      return typed === undefined || phrases || anywhere(page, [typed]) || wordsIn(page.path).includes(typed)
    },
  }
}

it('answers two hundred made cases exactly', async () => {
  const wrong: string[] = []
  let hits = 0
  for (let at = 0; at < 200; at++) {
    const { query, more, allows } = makeCase(at)
    const found = (await ask(query, more)).sort()
    const wanted = PAGES.filter(allows).map(urlOf).sort()
    hits += wanted.length
    const missing = wanted.filter((url) => !found.includes(url))
    const extra = found.filter((url) => !wanted.includes(url))
    if (missing.length + extra.length > 0)
      wrong.push(`${at} ${query} ${JSON.stringify(more)}: missing ${missing.join(' ')}, not allowed ${extra.join(' ')}`)
  }
  expect(wrong).toEqual([])
  // The cases ask something: most have answers, and none is answered by everything.
  expect(hits).toBeGreaterThan(1500)
})

it('finds pages like those of a site, none of them on it', async () => {
  const found = await ask('related:docs.made.test', {})
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter((url) => new URL(url).hostname === 'docs.made.test')).toEqual([])
  expect(await ask('related:nobody.test', {})).toEqual([])
})
