// Operators, one by one and in 200 generated mixtures, against a plain reading of what each of them means.
import { describe, expect, it } from 'vitest'
import { parseDateFilter, parseStatedDate } from './date-filter.ts'
import { matchesQueryOperators, normaliseForPhrases, parseQuery } from './parse-query.ts'

describe('a query', () => {
  it('is words unless something says otherwise', () => {
    expect(parseQuery('cheap Flights (to) Rome OR Naples').words).toEqual(['cheap', 'flights', 'to', 'rome', 'naples'])
    expect(parseQuery('C++ 3:30 http://x.org/a').plain).toBe('C++ 3:30 http://x.org/a')
    expect(parseQuery('site: intitle:').words).toEqual([])
  })

  it('has operators', () => {
    const query = parseQuery(
      '"exact words" -not -"not these" site:www.Example.com/docs -site:b.org intitle:"two words" -intitle:x inurl:api -inurl:old filetype:.PDF -ext:doc related:c.net larger:800x600 rest',
    )
    expect(query).toMatchObject({
      phrases: ['exact words'],
      without: ['not', 'not these'],
      sites: [{ host: 'example.com', path: '/docs' }],
      withoutSites: [{ host: 'b.org', path: '' }],
      inTitle: ['two words'],
      notInTitle: ['x'],
      inUrl: ['api'],
      notInUrl: ['old'],
      types: ['pdf'],
      withoutTypes: ['doc'],
      related: 'c.net',
      imageSize: { width: 800, height: 600, atLeast: true },
      plain: '"exact words" rest',
    })
  })

  it('survives what is not closed, not words, or endless', () => {
    expect(parseQuery('"open').phrases).toEqual(['open'])
    expect(parseQuery('"" - -- -"" "!!"').phrases).toEqual([])
    expect(parseQuery('a '.repeat(5000)).words.length).toBeLessThanOrEqual(200)
  })
})

const WORDS = ['red', 'green', 'blue', 'fox', 'dog', 'naïve', 'über', 'run', 'runs', 'running']
const HOSTS = ['a.com', 'www.a.com', 'docs.a.com', 'b.org', 'shop.b.org', 'nota.com']

function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

describe('200 generated mixtures of operators', () => {
  const roll = dice(2026)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)]!
  const some = (many: number): string => Array.from({ length: many }, () => pick(WORDS)).join(' ')
  const pages = Array.from({ length: 60 }, (_, n) => ({
    url: `https://${pick(HOSTS)}/${pick(['docs', 'blog', 'docs/api', 'documents'])}/${pick(WORDS)}-${n}`,
    title: some(3),
    text: `${some(6)}. ${some(6)}, ${some(4)}!`,
  }))
  /** A page's words, folded by hand. */
  const FOLDED: Record<string, string> = { naïve: 'naive', über: 'uber' }
  const list = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter(Boolean)
      .map((word) => FOLDED[word] ?? word)
  const has = (text: string, phrase: string) => {
    const [words, wanted] = [list(text), list(phrase)]
    return words.some((_, at) => wanted.every((word, n) => words[at + n] === word))
  }
  const onHost = (url: string, host: string) => {
    const own = new URL(url).hostname.replace(/^www\./, '')
    return own === host || own.endsWith(`.${host}`)
  }
  type Check = (page: (typeof pages)[number]) => boolean
  const makers: (() => [string, Check])[] = [
    () => {
      const phrase = some(2)
      return [`"${phrase}"`, (page) => has(page.title, phrase) || has(page.text, phrase)]
    },
    () => {
      const word = pick(WORDS)
      return [`-${word}`, (page) => !has(page.title, word) && !has(page.text, word)]
    },
    () => {
      const host = pick(['a.com', 'b.org', 'docs.a.com'])
      return [`-site:${host}`, (page) => !onHost(page.url, host)]
    },
    () => {
      const word = pick(WORDS)
      return [`intitle:${word}`, (page) => has(page.title, word)]
    },
    () => {
      const word = pick(WORDS)
      return [`-intitle:${word}`, (page) => !has(page.title, word)]
    },
    () => {
      const part = pick(['docs', 'blog', 'api', 'red', 'a.com'])
      return [`inurl:${part}`, (page) => page.url.includes(part)]
    },
    () => {
      const part = pick(['docs', 'blog', 'fox'])
      return [`-inurl:${part}`, (page) => !page.url.includes(part)]
    },
    () => {
      const host = pick(['a.com', 'b.org'])
      const path = pick(['docs', 'blog'])
      return [
        `site:${host}/${path}`,
        (page) => onHost(page.url, host) && new URL(page.url).pathname.startsWith(`/${path}/`),
      ]
    },
  ]
  const cases = Array.from({ length: 200 }, () => {
    const chosen = Array.from({ length: 1 + Math.floor(roll() * 3) }, () => pick(makers)())
    // Two sites are alternatives; one of them is enough here.
    const sites = chosen.filter(([text]) => text.startsWith('site:'))
    return chosen.filter((one) => sites.length < 2 || !sites.slice(1).includes(one))
  })
  it.each(cases.map((parts) => [parts.map(([text]) => text).join(' '), parts] as const))('%s', (text, parts) => {
    const query = parseQuery(text)
    const right = pages.filter((page) => parts.every(([, check]) => check(page)))
    expect(pages.filter((page) => matchesQueryOperators(query, page))).toEqual(right)
  })
})

describe('phrases', () => {
  const page = (text: string) => ({ url: 'https://a.com/', title: '', text })
  it.each([
    ['"new york"', 'The New York Times', true],
    ['"new york"', 'A newer Yorkshire', false],
    ['"don’t panic"', "DON'T PANIC!", true],
    ['"東京 タワー"', '昨日東京タワーへ行った', true],
    ['"cafe noir"', 'un café noir', true],
    ['-cafe', 'un café noir', false],
    ['"state-of-the-art"', 'a state of the art machine', true],
  ])('%s in %s', (query, text, right) => {
    expect(matchesQueryOperators(parseQuery(query), page(text))).toBe(right)
  })
  it('are compared folded', () => expect(normaliseForPhrases('The Dog’s  ÉCLAIR – 2nd!')).toBe('the dogs eclair 2nd'))
})

describe('time', () => {
  const now = Date.UTC(2026, 10, 16, 12)
  const DAY = 86_400_000
  it.each([
    [undefined, { newestFirst: false }],
    ['qdr:h', { newestFirst: false, from: now - 3_600_000 }],
    ['qdr:d', { newestFirst: false, from: now - DAY }],
    ['qdr:w', { newestFirst: false, from: now - 7 * DAY }],
    ['qdr:m', { newestFirst: false, from: now - 30 * DAY }],
    ['qdr:y', { newestFirst: false, from: now - 365 * DAY }],
    ['qdr:h6,sbd:1', { newestFirst: true, from: now - 6 * 3_600_000 }],
    ['sbd:1', { newestFirst: true }],
    [
      'cdr:1,cd_min:1/2/2024,cd_max:01/03/2024',
      { newestFirst: false, from: Date.UTC(2024, 0, 2), until: Date.UTC(2024, 0, 4) - 1 },
    ],
    ['cdr:1,cd_min:12/31/2024', { newestFirst: false, from: Date.UTC(2024, 11, 31) }],
    ['qdr:x', undefined],
    ['cdr:1,cd_min:13/01/2024', undefined],
    ['cdr:1,cd_min:02/30/2024', undefined],
    ['tomorrow', undefined],
  ])('%s', (tbs, when) => {
    expect(parseDateFilter(tbs, now)).toEqual(when)
  })

  it('of a page is what it says, if that can be', () => {
    expect(parseStatedDate('2026-10-01T10:00:00Z', now)).toBe(Date.UTC(2026, 9, 1, 10))
    expect(parseStatedDate('Tue, 13 Oct 2026 10:00:00 GMT', now)).toBe(Date.UTC(2026, 9, 13, 10))
    for (const wrong of ['soon', '2199-01-01', '', 7, undefined, null])
      expect(parseStatedDate(wrong, now)).toBeUndefined()
  })
})
