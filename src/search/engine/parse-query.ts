// Parses a query. Operators: "…", -x, site:, intitle:, inurl:, filetype:, related:, imagesize:, larger:; anything else
// is a word.
import { valueOr } from '../../base/attempt.ts'
import { ASCII_TEXT, eachWord, foldText, isScriptWithoutSpaces, removeAccents } from './tokenize-text.ts'

export interface ParsedQuery {
  /** Ranking words as typed, including those of phrases. */
  words: string[]
  phrases: string[]
  without: string[]
  sites: SiteOperator[]
  withoutSites: SiteOperator[]
  inTitle: string[]
  notInTitle: string[]
  inUrl: string[]
  notInUrl: string[]
  types: string[]
  withoutTypes: string[]
  related: string | undefined
  imageSize: { width: number; height: number; atLeast: boolean } | undefined
  /** The query without operators, for providers that do not support them. */
  plain: string
}

interface SiteOperator {
  host: string
  /** `/docs`; empty: the whole site. */
  path: string
}

const TOKEN = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|“([^”]*)”?|([^\s"“”]+))/giu
const OPERATORS = new Set(['site', 'intitle', 'inurl', 'filetype', 'ext', 'related', 'imagesize', 'larger'])
const MAX_TOKENS = 200

export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = {
    words: [],
    phrases: [],
    without: [],
    sites: [],
    withoutSites: [],
    inTitle: [],
    notInTitle: [],
    inUrl: [],
    notInUrl: [],
    types: [],
    withoutTypes: [],
    related: undefined,
    imageSize: undefined,
    plain: '',
  }
  const plain: string[] = []
  let count = 0
  for (const [whole, minus = '', name = '', quoted, curly, bare = ''] of text.matchAll(TOKEN)) {
    if (++count > MAX_TOKENS) break
    const value = quoted ?? curly ?? bare
    const operator = name.toLowerCase()
    const isPhrase = quoted !== undefined || curly !== undefined
    if (OPERATORS.has(operator) && value !== '') {
      operate(query, operator, value, minus === '-')
    } else if (OPERATORS.has(operator)) {
    } else if (name !== '' && !isPhrase) {
      addWord(query, plain, minus, whole.slice(minus.length))
    } else if (isPhrase) {
      if (minus) add(query.without, value)
      else if (normaliseForPhrases(value) !== '') {
        add(query.phrases, value)
        addWords(query, value)
        plain.push(`"${value.trim()}"`)
      }
    } else addWord(query, plain, minus, bare)
  }
  query.plain = plain.join(' ')
  return query
}

function operate(query: ParsedQuery, operator: string, value: string, isMinus: boolean): void {
  switch (operator) {
    case 'site': {
      const place = parseSiteOperator(value)
      if (place) (isMinus ? query.withoutSites : query.sites).push(place)
      break
    }
    case 'intitle':
      add(isMinus ? query.notInTitle : query.inTitle, value)
      if (!isMinus) addWords(query, value)
      break
    case 'inurl':
      add(isMinus ? query.notInUrl : query.inUrl, value)
      break
    case 'filetype':
    case 'ext':
      add(isMinus ? query.withoutTypes : query.types, value.toLowerCase().replace(/^\./, ''))
      break
    case 'related':
      if (!isMinus) query.related = value
      break
    default:
      query.imageSize = sizeOf(value, operator === 'larger')
  }
}

function sizeOf(value: string, atLeast: boolean): ParsedQuery['imageSize'] {
  const [, width, height] = /^(\d{1,6})[x×*](\d{1,6})$/i.exec(value) ?? []
  return width && height ? { width: Number(width), height: Number(height), atLeast } : undefined
}

export function parseSiteOperator(value: string): SiteOperator | undefined {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?(?:\*\.)?([^/?#\s]+)(\/[^?#\s]*)?/i.exec(value.trim()) ?? []
  if (host === '') return undefined
  return {
    host: host
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/\.$/, ''),
    path: path === '/' ? '' : path,
  }
}

function addWord(query: ParsedQuery, plain: string[], minus: string, word: string): void {
  const bare = word.replace(/^[()|]+|[()|]+$/g, '')
  // Ignore an operator without a value.
  if (OPERATORS.has(bare.slice(0, -1).toLowerCase()) && bare.endsWith(':')) return
  if (bare === '' || (!minus && (bare === 'OR' || bare === 'AND'))) return
  if (minus) {
    if (normaliseForPhrases(bare) !== '') add(query.without, bare)
    return
  }
  addWords(query, bare)
  plain.push(bare)
}

const addWords = (query: ParsedQuery, text: string): void => eachWord(text, (word) => query.words.push(word))
const add = (list: string[], value: string): void => void (normaliseForPhrases(value) !== '' && list.push(value.trim()))

/** Normal form for phrase comparison: folded words separated by one space. */
export function normaliseForPhrases(text: string): string {
  const low = foldText(text).replace(/['’](?=s\b)/g, '')
  if (ASCII_TEXT.test(low)) return low.replace(/[^a-zA-Z0-9]+/g, ' ').trim()
  return removeAccents(low.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim())
}

/** Matches whole words only, except in scripts without spaces. */
function hasPhrase(text: string, phrase: string): boolean {
  const wanted = normaliseForPhrases(phrase)
  if (wanted === '') return true
  if (isScriptWithoutSpaces(wanted)) return text.replaceAll(' ', '').includes(wanted.replaceAll(' ', ''))
  return ` ${text} `.includes(` ${wanted} `)
}

interface SearchText {
  url: string
  title: string
  text: string
}

export const needsPageText = ({
  phrases,
  without,
  inTitle,
  notInTitle,
  inUrl,
  notInUrl,
  sites,
  withoutSites,
}: ParsedQuery) =>
  [phrases, without, inTitle, notInTitle, inUrl, notInUrl].some((list) => list.length > 0) ||
  [...sites, ...withoutSites].some(({ path }) => path !== '')

export function matchesQueryOperators(query: ParsedQuery, { url, title, text }: SearchText): boolean {
  const { phrases, without, inTitle, notInTitle, inUrl, notInUrl, sites, withoutSites } = query
  const address = decodeUrl(url)
  if (!inUrl.every((part) => address.includes(part.toLowerCase()))) return false
  if (notInUrl.some((part) => address.includes(part.toLowerCase()))) return false
  if (sites.length > 0 && !sites.some((place) => matchesSiteOperator(url, place))) return false
  if (withoutSites.some((place) => matchesSiteOperator(url, place))) return false
  const head = normaliseForPhrases(title)
  if (!inTitle.every((part) => hasPhrase(head, part))) return false
  if (notInTitle.some((part) => hasPhrase(head, part))) return false
  if (phrases.length === 0 && without.length === 0) return true
  const body = normaliseForPhrases(text)
  const has = (phrase: string) => hasPhrase(head, phrase) || hasPhrase(body, phrase)
  return phrases.every(has) && !without.some(has)
}

export function matchesSiteOperator(url: string, { host, path }: SiteOperator): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, host: withPort, pathname } = new URL(url)
  const isHost = [hostname, withPort].some((name) => name === host || name.endsWith(`.${host}`))
  if (!isHost) return false
  return path === '' || pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

const decodeUrl = (url: string): string => valueOr(url.toLowerCase(), () => decodeURI(url).toLowerCase())
