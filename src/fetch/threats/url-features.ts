// Numeric features of a URL: length, shape, words. Pure; training and runtime share it.
import { parse } from 'tldts'
import { decodePercent } from '../../base/attempt.ts'
import {
  CHEAP_TLDS,
  COMMON_TLDS,
  FREE_HOSTS,
  IMITATED_BRAND_NAMES,
  TRICK_WORDS,
  WELL_KNOWN_DOMAINS,
} from './threat-words.ts'

export const URL_FEATURE_BUCKET_COUNT = 1 << 16

interface AddressFacts {
  dense: number[]
  ofHost: number[]
  ofPath: number[]
}

const BRAND_SET = new Set(IMITATED_BRAND_NAMES)

export function computeUrlFeatures(address: string): AddressFacts {
  const url = new URL(address)
  const host = url.hostname.toLowerCase().replace(/^www\./, '')
  const { domain, domainWithoutSuffix, publicSuffix, subdomain, isIp } = parse(host, { allowPrivateDomains: false })
  const name = domainWithoutSuffix ?? host
  const sub = (subdomain ?? '').replace(/^www\.?/, '')
  const path = decodePercent(url.pathname)
  const query = url.search
  const tail = path + query
  const words = wordsOf(tail)
  const hostWords = wordsOf(host.slice(0, host.length - (publicSuffix?.length ?? 0)))
  const file = path.split('/').at(-1) ?? ''
  const folders = path.split('/').filter(Boolean)
  const tld = publicSuffix?.split('.').at(-1) ?? ''
  const ownBrand = BRAND_SET.has(name)
  const facts: (number | boolean)[] = [
    log(address.length),
    log(host.length),
    log(name.length),
    log(path.length),
    log(query.length),
    folders.length,
    sub === '' ? 0 : sub.split('.').length,
    count(host, /-/g),
    count(host, /\d/g),
    share(name, /\d/g),
    share(tail, /\d/g),
    count(tail, /[-_]/g),
    count(tail, /%[0-9a-f]{2}/gi),
    count(tail, /=/g),
    count(tail, /&/g),
    count(tail, /\./g),
    count(address, /@/g),
    isIp === true,
    url.port !== '',
    url.protocol === 'https:',
    url.hostname.startsWith('www.'),
    CHEAP_TLDS.has(tld),
    COMMON_TLDS.has(tld),
    tld.length === 2,
    FREE_HOSTS.has(domain ?? ''),
    ownBrand,
    WELL_KNOWN_DOMAINS.has(domain ?? ''),
    !ownBrand && namesBrand(hostWords, host),
    !ownBrand && namesBrand(words, tail.toLowerCase()),
    trickWordsIn(hostWords),
    trickWordsIn(words),
    /\.php$/i.test(file),
    /\.html?$/i.test(file),
    /\.(?:exe|zip|apk|scr|js|jar|bin|sh|dll|msi|rar)$/i.test(file),
    /wp-(?:content|admin|includes)/.test(path),
    /\/(?:\.|~)/.test(path),
    /https?[:%]|www\.|\.com/i.test(tail),
    lengthOfLongest(words),
    log(longestRun(tail, /[0-9a-f]{8,}/gi)),
    entropy(name),
    entropy(tail),
    vowelShare(name),
    longestConsonants(name),
    path === '/' && query === '',
    file === '',
    tail.toLowerCase() === tail,
    /[A-Z][a-z]*[A-Z]/.test(path),
    host.startsWith('xn--') || host.includes('.xn--'),
    hostWords.length,
    words.length,
    /\/\//.test(path),
  ]
  return {
    dense: facts.map(Number),
    ...piecesOf({ sub, name, suffix: publicSuffix ?? '', path, query, words, hostWords }),
  }
}

const namesBrand = (words: readonly string[], text: string): boolean =>
  words.some((word) => BRAND_SET.has(word)) ||
  IMITATED_BRAND_NAMES.some((brand) => brand.length > 4 && text.includes(brand))

const trickWordsIn = (words: readonly string[]): number => words.filter((word) => TRICK_WORDS.has(word)).length

interface Zones {
  sub: string
  name: string
  suffix: string
  path: string
  query: string
  words: string[]
  hostWords: string[]
}

const MAX_ZONE = 300

function piecesOf({ sub, name, suffix, path, query, words, hostWords }: Zones) {
  const [ofHost, ofPath] = [new Set<number>(), new Set<number>()]
  const add = (found: Set<number>, text: string) => found.add(hashFeature(text) & (URL_FEATURE_BUCKET_COUNT - 1))
  add(ofHost, `t:${suffix}`)
  for (const word of words.slice(0, 60)) add(ofPath, `w:${word}`)
  for (const word of hostWords) add(ofHost, `h:${word}`)
  const grams = (found: Set<number>, zone: string, given: string, from: number, to: number) => {
    const text = `^${given.slice(0, MAX_ZONE).toLowerCase().replaceAll(/\d/g, '0')}$`
    for (let size = from; size <= to; size++)
      for (let at = 0; at + size <= text.length; at++) add(found, `${zone}${size}:${text.slice(at, at + size)}`)
  }
  grams(ofHost, 'n', name, 2, 5)
  grams(ofHost, 's', sub, 3, 4)
  grams(ofPath, 'p', path, 3, 5)
  grams(ofPath, 'q', query, 3, 3)
  return { ofHost: [...ofHost], ofPath: [...ofPath] }
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1 && word.length < 30)

const log = (n: number): number => Math.log2(1 + n)
const count = (text: string, what: RegExp): number => Math.min(20, text.match(what)?.length ?? 0)
const share = (text: string, what: RegExp): number => (text === '' ? 0 : (text.match(what)?.length ?? 0) / text.length)
const lengthOfLongest = (words: string[]): number => words.reduce((most, word) => Math.max(most, word.length), 0)
const longestRun = (text: string, what: RegExp): number =>
  (text.match(what) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
const vowelShare = (text: string): number => share(text, /[aeiouy]/g)
const longestConsonants = (text: string): number => longestRun(text, /[bcdfghjklmnpqrstvwxz]+/g)

function entropy(text: string): number {
  if (text === '') return 0
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let sum = 0
  for (const n of counts.values()) sum -= (n / text.length) * Math.log2(n / text.length)
  return sum
}

function hashFeature(text: string): number {
  let h = 0x811c9dc5
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193)
  h ^= h >>> 15
  return Math.imul(h, 0x2c1b3c6d) >>> 0
}
