// Chooses the capability that a typed request means: the form with the best matching phrase, then what fits the kind of
// request (an address, several, a question, words). Pure.
import { parse } from 'tldts'
import type { RequestForm, RequestKind, TypedRequest } from '../request-form.ts'

interface ReadRequest extends TypedRequest {
  kind: 'nothing' | 'address' | 'addresses' | 'words'
  /** The likeliest first; a phrase of the request asks for the first ones, the others fit its kind. */
  offers: readonly RequestForm[]
}

const MOST_OFFERS = 5
/** A word this long may have one typing mistake. */
const LONG_WORD = 6

/** Reserved for tests and private networks (RFC 2606, 6762, 9476): they are in no public list. */
const LOCAL_SUFFIXES = new Set(['test', 'example', 'local', 'internal', 'lan', 'home'])

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

export function readRequest(text: string, forms: readonly RequestForm[]): ReadRequest {
  const request = splitRequest(text)
  const { urls, words } = request
  const kind = urls.length > 1 ? 'addresses' : urls.length === 1 ? 'address' : words === '' ? 'nothing' : 'words'
  const typed = wordsOf(words)
  const usable = forms.filter(({ takes }) =>
    urls.length > 0 ? takes !== 'words' || urls.length === 1 : takes === 'words',
  )
  const scored = usable
    .map((form) => ({ form, score: Math.max(...form.phrases.map((phrase) => scorePhrase(phrase, typed))) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const byKind = kind === 'nothing' ? [] : formsFor(detailedKind(kind, words, forms), forms)
  const offers = [...new Set([...scored.map(({ form }) => form), ...byKind])]
  return { ...request, kind, offers: offers.slice(0, MOST_OFFERS) }
}

function detailedKind(
  kind: Exclude<ReadRequest['kind'], 'nothing'>,
  words: string,
  forms: readonly RequestForm[],
): RequestKind {
  const asks = isQuestion(words, forms)
  if (kind === 'address' && words !== '') return asks ? 'addressWithQuestion' : 'addressWithWords'
  return kind === 'words' && asks ? 'question' : kind
}

const formsFor = (kind: RequestKind, forms: readonly RequestForm[]): RequestForm[] =>
  forms.filter(({ places }) => places[kind] !== undefined).sort((a, b) => (a.places[kind] ?? 0) - (b.places[kind] ?? 0))

function isQuestion(words: string, forms: readonly RequestForm[]): boolean {
  const typed = wordsOf(words)
  const first = typed[0] ?? ''
  const opening = forms.flatMap(({ answersQuestions, phrases }) => (answersQuestions ? phrases : []))
  return typed.length > 2 && (/\?\s*$/.test(words) || opening.some((phrase) => fits(phrase, first)))
}

/** Addresses are taken out of the words; what is written in quotes or brackets counts without them. */
export function splitRequest(text: string): TypedRequest {
  const urls: string[] = []
  const words: string[] = []
  for (const part of text.split(/[\s,;]+/)) {
    const url = addressOf(part.replace(/^[<("'„“]+|[>)"'“”.!?:]+$/g, ''))
    if (url === undefined) words.push(part)
    else urls.push(url)
  }
  return { urls: [...new Set(urls)], words: words.join(' ').trim() }
}

function addressOf(part: string): string | undefined {
  if (/^https?:\/\/[^/]/i.test(part)) return part
  if (!/^[\p{L}\p{N}[][^@\s]*$/u.test(part)) return undefined
  const { isIcann, isIp, hostname, publicSuffix, domain } = parse(`http://${part}`)
  if (isIp || hostname === 'localhost') return `http://${part}`
  const isHost = isIcann || LOCAL_SUFFIXES.has(publicSuffix ?? '')
  return isHost && domain ? `https://${part}` : undefined
}

/** How well a phrase fits: its matched words, with a little more for those that come early in the request. */
function scorePhrase(phrase: string, typed: readonly string[]): number {
  const wanted = phrase.split(' ')
  for (let start = 0; start < typed.length; start += 1) {
    if (matchesFrom(wanted, typed, start)) {
      const count = wanted.filter((word) => word !== '…').length
      return count + 1 / (1 + start)
    }
  }
  return 0
}

function matchesFrom(wanted: readonly string[], typed: readonly string[], start: number): boolean {
  let at = start
  for (const [index, word] of wanted.entries()) {
    if (word === '…') {
      const next = wanted[index + 1] ?? ''
      const found = typed.findIndex((one, position) => position >= at && fits(next, one))
      if (found === -1) return false
      at = found
    } else {
      if (!fits(word, typed[at] ?? '')) return false
      at += 1
    }
  }
  return true
}

function fits(wanted: string, typed: string): boolean {
  if (wanted.endsWith('*')) {
    const stem = wanted.slice(0, -1)
    return typed.startsWith(stem) || [-1, 0, 1].some((more) => isNearly(stem, typed.slice(0, stem.length + more)))
  }
  return typed === wanted || isNearly(wanted, typed)
}

/** One letter more, less, other, or two letters exchanged, in words that are long enough for it to mean nothing else. */
function isNearly(wanted: string, typed: string): boolean {
  if (wanted.length < LONG_WORD || Math.abs(wanted.length - typed.length) > 1) return false
  let start = 0
  while (start < wanted.length && wanted[start] === typed[start]) start += 1
  const [one, other] = [wanted.slice(start), typed.slice(start)]
  const isExchanged = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2)
  return isExchanged || one.slice(1) === other.slice(1) || one.slice(1) === other || one === other.slice(1)
}
