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
/** Phrases are looked for in so many words: a longer request says what it wants before. */
const MOST_WORDS = 300
/** A word this long may have one typing mistake. */
const LONG_WORD = 6
/** Of a word that only opens a question: less than any phrase that says what is wanted. */
const OPENING_SCORE = 0.5
const GENERAL_SCORE = 0.9
/** "Extract all links" wants links. */
const THING_BONUS = 0.5
/** Words of phrases that say nothing by themselves. */
const EMPTY_WORDS = new Set(['…', '#', 'a', 'all', 'as', 'from', 'in', 'me', 'of', 'on', 'the', 'to'])
const CONJUNCTIONS = new Set(['and', 'then', 'to', 'und', 'dann', 'et', 'puis', 'y', 'luego'])

/** Reserved for tests and private networks (RFC 2606, 6762, 9476): they are in no public list. */
const LOCAL_SUFFIXES = new Set(['test', 'example', 'local', 'internal', 'lan', 'home'])

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

export function readRequest(text: string, forms: readonly RequestForm[]): ReadRequest {
  const request = splitRequest(text)
  const { urls, words } = request
  const kind = urls.length > 1 ? 'addresses' : urls.length === 1 ? 'address' : words === '' ? 'nothing' : 'words'
  const typed = withoutCourtesy(wordsOf(words).slice(0, MOST_WORDS))
  const asks = isQuestion(typed, words, forms)
  const usable = forms.filter(({ takes }) =>
    urls.length > 0 ? takes !== 'words' || urls.length === 1 : takes === 'words' || takes === 'anything',
  )
  const found = usable
    .map((form) => ({ form, score: scoreForm(form, typed, asks, urls.length === 0) }))
    .filter(({ score }) => score > 0)
  const scored = found.filter(({ form }) => !yieldsTo(form, found)).sort((a, b) => b.score - a.score)
  const byKind = kind === 'nothing' ? [] : formsFor(detailedKind(kind, words, asks), forms)
  const fitting = [...scored.map(({ form }) => form), ...byKind]
  const offers = kind === 'addresses' ? fitting.map((form) => repeatForm(form, forms)) : fitting
  return { ...request, kind, offers: [...new Set(offers)].slice(0, MOST_OFFERS) }
}

const yieldsTo = ({ yields, name, path }: RequestForm, found: readonly { form: RequestForm }[]): boolean =>
  yields === true &&
  found.some(({ form }) => form.path === path && form.name !== name && !form.isGeneral && !form.answersQuestions)

function detailedKind(kind: Exclude<ReadRequest['kind'], 'nothing'>, words: string, asks: boolean): RequestKind {
  if (kind === 'address' && words !== '') return asks ? 'addressWithQuestion' : 'addressWithWords'
  return kind === 'words' && asks ? 'question' : kind
}

const formsFor = (kind: RequestKind, forms: readonly RequestForm[]): RequestForm[] =>
  forms.filter(({ places }) => places?.[kind]).sort((a, b) => (a.places?.[kind] ?? 0) - (b.places?.[kind] ?? 0))

/** For several addresses: the same for each of them, by the form that repeats its path. */
function repeatForm(form: RequestForm, forms: readonly RequestForm[]): RequestForm {
  const each = form.takes === 'page' ? forms.find(({ repeats }) => repeats === form.path) : undefined
  if (!each || form.isGeneral) return each ?? form
  const body: RequestForm['body'] = (request) => {
    const { url: _url, ...rest } = form.body(request)
    return { urls: request.urls, ...rest }
  }
  return { ...form, operation: each.operation, path: each.path, isQuick: each.isQuick, body }
}

/** Words before a request that only make it polite. They also open with words that open questions. */
const COURTESIES = [
  'please',
  'hi',
  'hello',
  'hey',
  'ok',
  'can you',
  'could you',
  'would you',
  'will you',
  'can i get',
  'can i have',
  'could i get',
  'could i have',
  'i want',
  'i need',
  'i would like',
  'i d like',
  'help me',
  'to',
  'you',
  'bitte',
  'kannst du',
  'konnen sie',
  'ich mochte',
  'ich brauche',
  'peux tu',
  'pouvez vous',
  'je veux',
  'je voudrais',
  'puedes',
  'quiero',
].map((phrase) => phrase.split(' '))

function withoutCourtesy(typed: readonly string[]): readonly string[] {
  const found = COURTESIES.find(
    (phrase) => phrase.length < typed.length && phrase.every((word, at) => word === typed[at]),
  )
  return found ? withoutCourtesy(typed.slice(found.length)) : typed
}

function isQuestion(typed: readonly string[], words: string, forms: readonly RequestForm[]): boolean {
  const first = typed[0] ?? ''
  const opening = forms.flatMap(({ answersQuestions, phrases }) => (answersQuestions ? phrases : []))
  return (
    typed.length > 2 && (/\?\s*$/.test(words) || opening.some((phrase) => fitsAny(tokensOf(phrase)[0] ?? [], first)))
  )
}

/** `first 10`, `top 5`, `20 pages`. */
const COUNT =
  /\b(?:first|top|up to|at most|max(?:imum)?(?: of)?|limit(?: of)?)\s+(\d{1,4})\b|\b(\d{1,4})\s+(?:pages?|results?|urls?|links|hits|articles|entries)\b/i

/** Addresses are taken out of the words; what is written in quotes or brackets counts without them. */
export function splitRequest(text: string): TypedRequest {
  const urls: string[] = []
  const rest: string[] = []
  for (const part of text.split(/\s+/)) {
    const found = addressesIn(part)
    if (found.length === 0) rest.push(part)
    urls.push(...found)
  }
  const words = rest
    .join(' ')
    .replace(/^[\s,;:–-]+/, '')
    .trim()
  const [, after, before] = COUNT.exec(words) ?? []
  return { urls: [...new Set(urls)], words, count: Number(after ?? before) || undefined }
}

/** A list without blanks is several addresses; a comma inside of one belongs to it. */
function addressesIn(part: string): string[] {
  const pieces = part.split(/[,;]/).filter(Boolean).map(addressOf)
  if (pieces.length > 0 && pieces.every((url) => url !== undefined)) return pieces
  const url = addressOf(part)
  return url === undefined ? [] : [url]
}

function addressOf(part: string): string | undefined {
  const bare = trimSigns(part)
  if (/^https?:\/\/[^/]/i.test(bare)) return bare
  if (!/^[\p{L}\p{N}[][^@\s]*$/u.test(bare)) return undefined
  const { isIcann, isIp, hostname, publicSuffix, domain } = parse(`http://${bare}`)
  if (isIp || hostname === 'localhost') return `http://${bare}`
  const isHost = isIcann || LOCAL_SUFFIXES.has(publicSuffix ?? '')
  return isHost && domain ? `https://${bare}` : undefined
}

/** Without quotes, brackets and the signs that end a sentence; a bracket that the address itself opened stays. */
function trimSigns(part: string): string {
  const link = /\]\((https?:[^\s]+)\)/.exec(part)?.[1]
  const opened = (link ?? part).replace(/^[<([{"'„“‘«]+(?=[^\]])/, '')
  const ended = opened.replace(/(?:['’]s)?[>}\]"'”’».!?:,;]+$|['’]s$/, '')
  const isClosed = ended.endsWith(')') && !ended.slice(0, -1).includes('(')
  return isClosed ? trimSigns(ended.slice(0, -1)) : ended
}

/** A question is about things of the page: verbs in it ask for nothing, and its opening word decides last. */
function scoreForm(form: RequestForm, typed: readonly string[], asks: boolean, isAlone: boolean): number {
  const { phrases, phrasesAlone = [], namesThings, areVerbs, answersQuestions, isGeneral } = form
  const canStart = (at: number): boolean =>
    at === 0 || (asks && !namesThings ? false : !areVerbs || CONJUNCTIONS.has(typed[at - 1] ?? ''))
  const counted = isAlone ? [...phrases, ...phrasesAlone] : phrases
  const best = Math.max(...counted.map((phrase) => scorePhrase(phrase, typed, canStart)))
  if (answersQuestions || isGeneral) return Math.min(best, isGeneral ? GENERAL_SCORE : OPENING_SCORE)
  return best > 0 && namesThings ? best + THING_BONUS : best
}

/** How well a phrase fits: its matched words, with a little more for those that come early in the request. */
function scorePhrase(phrase: string, typed: readonly string[], canStart: (at: number) => boolean): number {
  const wanted = tokensOf(phrase)
  for (let start = 0; start < typed.length; start += 1) {
    if (canStart(start) && matchesFrom(wanted, typed, start)) {
      const count = wanted.filter(([first = '']) => !EMPTY_WORDS.has(first)).length
      return Math.max(1, count) + 0.5 / (1 + start)
    }
  }
  return 0
}

const compiled = new Map<string, string[][]>()

/** The words of a phrase, each with its alternatives. Phrases are declared, so that there are only so many. */
function tokensOf(phrase: string): string[][] {
  const known = compiled.get(phrase) ?? phrase.split(' ').map((word) => word.split('|'))
  compiled.set(phrase, known)
  return known
}

function matchesFrom(wanted: readonly (readonly string[])[], typed: readonly string[], start: number): boolean {
  let at = start
  for (const [index, word] of wanted.entries()) {
    if (word[0] === '…') {
      const next = wanted[index + 1] ?? []
      const found = typed.findIndex((one, position) => position >= at && fitsAny(next, one))
      if (found === -1) return false
      at = found
    } else {
      if (!fitsAny(word, typed[at] ?? '')) return false
      at += 1
    }
  }
  return true
}

const fitsAny = (wanted: readonly string[], typed: string): boolean => wanted.some((one) => fits(one, typed))

function fits(wanted: string, typed: string): boolean {
  if (wanted === '#') return /^\d+$/.test(typed)
  if (wanted.endsWith('*')) {
    const stem = wanted.slice(0, -1)
    return typed.startsWith(stem) || [-1, 0, 1].some((more) => isNearly(stem, typed.slice(0, stem.length + more)))
  }
  return typed === wanted || (wanted.length > 2 && typed === `${wanted}s`) || isNearly(wanted, typed)
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
