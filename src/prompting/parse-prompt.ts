// Splits a request into clauses, each with a verb: "click Sign in, then type orb into Search" are two.

import { isSuperlative } from '../base/superlatives-and-bounds.ts'
import { isWeakWord, stemWord } from '../driving/match-label-words.ts'
import { parseNumberWord, parseOrdinal } from '../driving/parse-numbers-and-dates.ts'
import { joinTokenValues, type PromptToken, textOfTokens, tokenizePrompt } from './tokenize-prompt.ts'

/** What a verb asks for; `goal` is a verb that only the page's own buttons can explain. */
type ClauseKind = keyof typeof VERBS_OF | 'picture' | 'login' | 'goal'

export interface PromptClause {
  kind: ClauseKind
  /** The verb as written, lower case; empty when there is none. */
  verb: string
  /** All words, verb included. */
  all: PromptToken[]
  rest: PromptToken[]
  text: string
  /** "if it asks for a topic": done only when the page has a place for it. */
  optional: boolean
  /** "until there is none". */
  until?: PromptToken[]
  /** "on the second page". */
  page?: number
  /** A sentence about the caller or the page, such as "our bin was not emptied", and no order. */
  isStatement?: boolean
  /** "I want to travel …": the verb may be no order. */
  isIndirect?: boolean
  /** Words that explain the order: they help to choose an element, but need none of their own. */
  background?: PromptToken[]
}

export interface ParsedPrompt {
  clauses: PromptClause[]
  /** "do not send anything". */
  forbidden: PromptToken[][]
}

const VERBS_OF = {
  press: 'click press hit tap push',
  open: 'open follow launch visit view expand unfold',
  set: 'set change adjust type enter write input fill insert key select choose pick need use take',
  on: 'check tick enable activate',
  off: 'uncheck untick disable deactivate deselect',
  drag: 'drag move',
  sort: 'sort sorted rank ordered',
  copy: 'copy',
  find: 'find locate',
  search: 'search',
  scroll: 'scroll',
  hover: 'hover',
  close: 'close dismiss shut hide',
  consent: 'accept agree consent reject decline refuse deny allow permit',
  go: 'go navigate return',
  wait: 'wait',
  confirm: 'confirm',
  ask: "what what's how which who who's when where where's tell read count",
  upload: 'upload attach',
}
const VERBS = new Map(
  Object.entries(VERBS_OF).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind as ClauseKind] as const),
  ),
)

/** Verbs that a button of the page must explain. They begin a clause after "and" or a comma. */
const BUTTON_VERBS = new Set(
  'put add make create send submit show filter save delete remove book buy order sign log register subscribe finish complete correct download get request apply continue proceed cancel pay reserve mark keep do run'.split(
    ' ',
  ),
)

const FILLERS = new Set(
  'please pls plz thanks now also just only finally next first afterwards kindly simply and then but again'.split(' '),
)
const LINKS = new Set(['and', ',', 'or', '&', 'but', '–', '—', '-'])

export function parsePrompt(prompt: string, pageVerbs: ReadonlySet<string> = new Set()): ParsedPrompt {
  const request: ParsedPrompt = { clauses: [], forbidden: [] }
  const parts = split(asidesMarked(tokenizePrompt(prompt)), pageVerbs)
  for (const part of inTimeOrder(withObjects(parts, isFragmentFor(pageVerbs)))) {
    const clause = clauseOf(part, prompt, pageVerbs)
    if (!clause) continue
    const text = clause.all.map(({ word }) => word).join(' ')
    if (FORBIDS.test(text) || LEAVES.test(text)) request.forbidden.push(clause.all)
    else request.clauses.push(clause)
  }
  return request
}

const FORBIDS = /^(?:don't|do not|without|never|(?:i|we) (?:don't|do not) (?:want|wish|need))\b/
const LEAVES = /^(?:leave|keep)\b.*\b(?:alone|unchanged|untouched|as (?:it|they) (?:is|are))$/
const OPENS = /^(if|under|in|on|from|within|inside|before|after)$/
const IF_ASKED = '(if)'

/** "(if asked)" is kept as a mark. Other words in brackets need no place on the page, unless they are a condition. */
function asidesMarked(tokens: readonly PromptToken[]): PromptToken[] {
  const out: PromptToken[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind !== 'mark' || token.word !== '(') {
      if (token.kind !== 'mark' || token.word !== ')') out.push(token)
      continue
    }
    const close = tokens.findIndex(({ kind, word }, n) => n > at && kind === 'mark' && word === ')')
    const aside = tokens.slice(at + 1, close < 0 ? tokens.length : close)
    if (aside[0]?.word === 'if') out.push({ ...token, word: IF_ASKED })
    else {
      const isCondition = aside.some(({ word }) => ASIDE_CONDITION.test(word))
      out.push(...aside.map((one) => (isCondition || isLiteralValue(one) ? one : { ...one, soft: 'aside' as const })))
    }
    at += aside.length
  }
  return out
}
const ASIDE_CONDITION = /^(not|only|without|except|never)$/

interface Part {
  tokens: PromptToken[]
  /** "but first …": goes before the part that it follows. */
  goesFirst: boolean
  /** Begins a sentence. */
  starts: boolean
}

/** "Week 17, juniors, download please": an order without an object means the words before it. */
function withObjects(parts: readonly Part[], isFragment: (tokens: readonly PromptToken[]) => boolean): Part[] {
  const out: Part[] = []
  for (const { tokens, goesFirst, starts } of parts) {
    const [verb, ...more] = tokens.filter(({ word }) => !FILLERS.has(word) && !/^(it|them|that)$/.test(word))
    const objects: PromptToken[] = []
    let isFirst = starts
    if (verb?.kind === 'word' && more.length === 0 && isCommandVerb(verb.word) && verb.word !== 'confirm')
      while (!isFirst && isFragment(out.at(-1)?.tokens ?? [])) {
        const object = out.pop()!
        objects.unshift(...object.tokens)
        isFirst = object.starts
      }
    out.push({ tokens: objects.length > 0 ? [verb!, ...objects] : tokens, goesFirst, starts: isFirst })
  }
  return out
}

const isFragmentFor =
  (pageVerbs: ReadonlySet<string>) =>
  (tokens: readonly PromptToken[]): boolean => {
    const [first, next] = tokens.filter(({ word }) => !FILLERS.has(word))
    if (first?.kind !== 'word' || isCommandVerb(first.word) || isStatement(tokens)) return false
    // "archive the note" is an order where the page has such a button, "archive rules" is none.
    const hasObject = next && (isObject(next) || next.capital || isLiteralValue(next))
    return !(hasObject && pageVerbs.has(stemWord(first.word))) && politeWords(tokens).count === 0
  }

/** "Before submitting, run the check", "order, but first use the voucher": parts in the order in which they are done. */
function inTimeOrder(parts: readonly Part[]): PromptToken[][] {
  const out: PromptToken[][] = []
  for (const { tokens, goesFirst } of parts) {
    const at = tokens.findIndex(
      ({ kind, word }, n) =>
        kind === 'word' && /^(before|after)$/.test(word) && /^\p{L}{3,}ing$/u.test(tokens[n + 1]?.word ?? ''),
    )
    if (at < 0) out.splice(goesFirst ? out.length - 1 : out.length, 0, tokens)
    else {
      const comma = tokens.findIndex(({ word }, n) => n > at && word === ',')
      const end = at > 0 || comma < 0 ? tokens.length : comma
      const isNot = tokens[at - 1]?.word === 'not'
      const other = [...tokens.slice(0, isNot ? at - 1 : at), ...tokens.slice(end + 1)]
      const named = tokens.slice(at + 1, end)
      const isLater = (tokens[at]!.word === 'before') !== isNot
      // "Send it, but not before sending me a test": what is sent stands in the part before.
      if (other.every(({ word }) => LINKS.has(word))) out.splice(isLater ? out.length : out.length - 1, 0, named)
      else out.push(...(isLater ? [other, named] : [named, other]))
    }
  }
  return out
}

function split(tokens: readonly PromptToken[], pageVerbs: ReadonlySet<string>): Part[] {
  const parts: Part[] = [{ tokens: [], goesFirst: false, starts: true }]
  const begin = (starts: boolean, goesFirst = false) => {
    trimEnd(parts.at(-1)!.tokens)
    if (parts.at(-1)!.tokens.length > 0) parts.push({ tokens: [], goesFirst, starts })
  }
  let sentence = 0
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const current = parts.at(-1)!.tokens
    if (token.kind === 'mark' && /^[.;!?]$/.test(token.word) && !isInitial(tokens, at)) {
      if (token.word === '?' && politeWords(tokens.slice(sentence)).count === 0) current.push(token)
      sentence = at + 1
      begin(true)
      continue
    }
    const isAfterThat = token.word === 'after' && tokens[at + 1]?.word === 'that'
    if (token.kind === 'word' && (isAfterThat || /^(then|afterwards|finally)$/.test(token.word))) {
      if (current.at(-1)?.word === 'only') current.pop()
      begin(true)
      if (isAfterThat) at++
      continue
    }
    // The comma after "If it asks for a topic" or "Under Billing" ends no clause.
    const isOpenIf = OPENS.test(current[0]?.word ?? '') && !current.some(({ word }) => word === ',')
    if (token.kind !== 'quote' && LINKS.has(token.word) && !(token.word === ',' && isOpenIf)) {
      let ahead = at + 1
      while (tokens[ahead] && (LINKS.has(tokens[ahead]!.word) || FILLERS.has(tokens[ahead]!.word))) ahead++
      const isSorting = current.some(({ word }) => word === 'by')
      // "until you find it and claim it"
      const isAfterUntil = current.some(({ word }) => word === 'until') && isObject(tokens[ahead + 1])
      const isClause = isAfterUntil || beginsClause(tokens, ahead, pageVerbs, isSorting)
      if (current.length > 0 && isClause && !endsOpen(current)) {
        const end = tokens.findIndex(({ word }, n) => n > ahead && /^[,.;]$|^and$/.test(word))
        const isBut = token.word !== 'and' && tokens.slice(at, ahead).some(({ word }) => word === 'but')
        begin(
          false,
          tokens.slice(at, ahead).some(({ word }) => word === 'first') ||
            (isBut && tokens.at(end < 0 ? -1 : end - 1)?.word === 'first'),
        )
        at = ahead - 1
        continue
      }
    }
    current.push(token)
  }
  return parts.filter((part) => part.tokens.some(({ kind }) => kind !== 'mark'))
}

/** "Sam Q., the language": the dot is part of the value. */
const isInitial = (tokens: readonly PromptToken[], at: number): boolean =>
  tokens[at]!.word === '.' &&
  (tokens[at + 1]?.word === ',' || (/^\p{Lu}$/u.test(tokens[at - 1]?.value ?? '') && tokens[at + 1]?.capital === true))

function beginsClause(
  tokens: readonly PromptToken[],
  at: number,
  pageVerbs: ReadonlySet<string>,
  isSorting: boolean,
): boolean {
  const [verb, next] = [tokens[at], tokens[at + 1]]
  if (verb?.kind !== 'word') return false
  if (verb.word === 'if') return true
  if (/^(do|don't|without)$/.test(verb.word) && /^(not|send|press)/.test(next?.word ?? verb.word.slice(3))) return true
  if (/^(turn|switch)$/.test(verb.word)) return true
  if (/^(i|we|i'm|we're|i'd|i'll|i've)$/.test(verb.word)) return true
  if (/^not$/.test(verb.word) && /^(before|after)$/.test(next?.word ?? '')) return true
  if (sortPhrase(tokens.slice(at))) return !isSorting
  // "and post it"
  if (/^(it|them)$/.test(next?.word ?? '') && !verb.capital && !isWeakWord(verb.word)) return true
  const kind = VERBS.get(verb.word)
  if (kind === 'ask')
    return /^(is|are|was|does|do|did|many|much|me|the|us|out|what|which|who|how)$/.test(next?.word ?? '')
  if (kind && !(verb.capital && at > 0))
    return (
      !/^(to|by)$/.test(tokens[at - 1]?.word ?? '') &&
      (next !== undefined || /^(confirm|search|consent|close)$/.test(kind))
    )
  if (verb.capital || !(BUTTON_VERBS.has(verb.word) || pageVerbs.has(stemWord(verb.word)))) return false
  // A noun such as "order" in a list has no object of its own.
  return next === undefined || next.kind !== 'word' || next.capital || !LINKS.has(next.word)
}

/** "highest amount first", "with the cheapest on top": an order of its own. */
const sortPhrase = (tokens: readonly PromptToken[]): boolean => {
  const end = tokens.findIndex(({ word }, at) => at > 0 && /^[,.;]$|^and$/.test(word))
  const words = (end < 0 ? tokens : tokens.slice(0, end)).map(({ word }) => word)
  while (/^(with|the)$/.test(words[0] ?? '')) words.shift()
  return isSuperlative(words[0] ?? '') && words.length < 7 && /\b(first|on top|at the top)$/.test(words.join(' '))
}

/** The part so far needs more words: "from the", "use the box to". */
const endsOpen = (tokens: readonly PromptToken[]): boolean =>
  /^(the|a|an|to|of|into|from|with|both)$/.test(tokens.at(-1)?.word ?? '') &&
  tokens.at(-1)?.kind === 'word' &&
  !tokens.at(-1)?.capital

function trimEnd(tokens: PromptToken[]): void {
  while (
    tokens.length > 0 &&
    tokens.at(-1)!.kind !== 'quote' &&
    (LINKS.has(tokens.at(-1)!.word) || tokens.at(-1)!.word === ':')
  )
    tokens.pop()
}

function clauseOf(
  part: readonly PromptToken[],
  prompt: string,
  pageVerbs: ReadonlySet<string>,
): PromptClause | undefined {
  const isNobody = (at: number) => /^(me|us)$/.test(part[at]!.word) && /^(sign|log)$/.test(part[at - 1]?.word ?? '')
  let tokens = part.filter(({ word }, at) => word !== IF_ASKED && !isNobody(at))
  let optional = part.some(({ word }) => word === IF_ASKED)
  trimEnd(tokens)
  const isFiller = ({ kind, word }: PromptToken) => kind !== 'quote' && (FILLERS.has(word) || /^[,:]$/.test(word))
  const strip = () => {
    while (tokens.length > 1 && isFiller(tokens[0]!) && tokens[1]!.word !== 'name') tokens.shift()
  }
  strip()
  const { count: polite, isThing } = politeWords(tokens)
  tokens = tokens.slice(polite)
  strip()
  while (tokens.length > 1 && /^(please|pls|plz|thanks)$/.test(tokens.at(-1)!.word)) tokens.pop()
  trimEnd(tokens)
  // "keep clicking Next until …"
  if (tokens[0]?.word === 'keep' && tokens[1]?.word.endsWith('ing')) {
    const verb = [...VERBS.keys()].find((one) => stemWord(one) === stemWord(tokens[1]!.word)) ?? tokens[1]!.word
    tokens.splice(0, 2, { ...tokens[1]!, word: verb })
  }
  if (tokens[0]?.word === 'if') {
    const comma = tokens.findIndex(({ word }) => word === ',')
    const end = comma > 0 ? comma : tokens.findIndex(({ word }, at) => at > 1 && VERBS.has(word)) - 1
    if (end < 1) return undefined
    optional = true
    tokens = tokens.slice(end + 1)
  }
  // "Use A to sign in" is "sign in with A".
  const aim =
    tokens[0]?.word === 'use'
      ? tokens.findIndex(({ word }, at) => word === 'to' && isCommandVerb(tokens[at + 1]?.word ?? ''))
      : -1
  if (aim > 1)
    tokens = [...tokens.slice(aim + 1), { ...tokens[aim]!, word: 'with', value: 'with' }, ...tokens.slice(1, aim)]
  const [main, until] = cutAt(tokens, (word) => /^(until|till|til)$/.test(word))
  // "press Apply when set" only says when.
  ;[tokens] = cutAt(main, (word) => word === 'when' || word === 'once')
  if (until && /correct|fix|repeat/.test(tokens[0]?.word ?? ''))
    tokens = [{ ...tokens[0]!, word: 'send', value: 'send' }]
  const why = tokens.findIndex(
    ({ word }, at) =>
      at > 1 &&
      /^(so|because|since|where|which)$/.test(word) &&
      /^(i|we|you|it|that|there)$/.test(tokens[at + 1]?.word ?? ''),
  )
  const background = why < 0 ? [] : tokens.splice(why)
  const led = tokens.at(-1)?.word === '?' ? undefined : leading(tokens, pageVerbs)
  const { tokens: without, page } = pageNamed(led ?? tokens)
  tokens = without
  if (tokens.length === 0 && page === undefined) return undefined
  if (
    tokens.length > 0 &&
    tokens.every(({ word }) => /^(yes|yeah|ok|okay|oops|sorry|hi|hello|thanks|thank|you|,)$/.test(word))
  )
    return undefined
  const { kind, words } =
    tokens.length === 0
      ? { kind: 'go' as const, words: 0 }
      : isThing && !isCommandVerb(tokens[0]!.word)
        ? { kind: 'goal' as const, words: 0 }
        : kindOf(tokens)
  const text = textOfTokens(tokens, prompt)
  const rest = tokens.slice(words)
  // "Look for" is the "Search" of the page.
  if (kind === 'search') tokens = [{ ...tokens[0]!, word: 'search', value: 'search' }, ...rest]
  const verb = tokens.slice(0, tokens.length - rest.length).map(({ word }) => word)
  const clause: PromptClause = { kind, verb: verb.join(' '), all: tokens, rest, text, optional }
  if (polite === 0 && isStatement(tokens)) clause.isStatement = true
  if (polite > 0 && !isCommandVerb(tokens[0]?.word ?? '') && !pageVerbs.has(stemWord(tokens[0]?.word ?? '')))
    clause.isIndirect = true
  if (background.length > 0) clause.background = asBackground(background)
  if (until) clause.until = until
  if (page !== undefined) clause.page = page
  return clause
}

const ASKS =
  /^(?:(?:can|could|would|will) you|help me|let's|go ahead and|make sure (?:that )?(?:you )?|(?:get|take) me in(?=\W))/
const WANTS = /^(?:i|we)(?: want| need| wish|(?: would|'d) (?:like|love|rather|prefer)| have(?= to ))\b/
const SEEKS = /^(?:i'm|we're|i am|we are)(?: only| just)? (?:looking for|interested in)\b/
const TO_DO = /^(?: you)? to(?: have)?\b/

/** How many words at the start only say that something is asked for, and whether a thing follows instead of a verb. */
function politeWords(tokens: readonly PromptToken[]): { count: number; isThing: boolean } {
  const start = joinTokenValues(tokens.slice(0, 8)).toLowerCase()
  const wants = (WANTS.exec(start) ?? SEEKS.exec(start) ?? [''])[0]!
  const toDo = (TO_DO.exec(start.slice(wants.length)) ?? [''])[0]!
  const lead = wants ? wants + toDo : (ASKS.exec(start) ?? [''])[0]!
  return {
    count: lead.split(' ').filter(Boolean).length,
    isThing: wants !== '' && (toDo === '' || toDo.endsWith('have')),
  }
}

const SUBJECT =
  /^(i|we|he|she|it|they|there|nobody|someone|somebody|i'm|we're|it's|there's|they're|i've|we've|that's|this|that)$/
const FINITE = /^(is|are|was|were|am|has|have|had|do|does|did|can|cannot|can't|will|isn't|aren't|doesn't|won't)$/

export const isCommandVerb = (word: string): boolean =>
  BUTTON_VERBS.has(word) || /^(turn|switch)$/.test(word) || (VERBS.has(word) && VERBS.get(word) !== 'ask')

const isObject = (token?: PromptToken): boolean => /^(a|an|the|my|our|me|us|it|this|that)$/.test(token?.word ?? '')

/** A sentence with a subject and a verb of its own orders nothing: "The light outside is broken". */
function isStatement(tokens: readonly PromptToken[]): boolean {
  const [first, second] = tokens
  if (first?.kind !== 'word' || !second || second.kind === 'mark' || tokens.at(-1)!.word === '?') return false
  if (SUBJECT.test(first.word)) return true
  const isNamed = /^(my|our|the|a|an)$/.test(first.word)
  if (!isNamed && (VERBS.has(first.word) || BUTTON_VERBS.has(first.word))) return false
  const isVerb = ({ kind, word }: PromptToken, at: number) =>
    kind === 'word' && (FINITE.test(word) || (isNamed && at > 0 && /(s|ed)$/.test(word) && isObject(tokens[at + 2])))
  return tokens.slice(1, 6).some(isVerb)
}

/** Values and names keep their weight. */
export const asBackground = (tokens: readonly PromptToken[]): PromptToken[] =>
  tokens.map((token, at) =>
    isLiteralValue(token) || (at > 0 && token.capital && !/^i\b/.test(token.word))
      ? token
      : { ...token, soft: 'background' },
  )

/** A quoted text, a number, a date or the like: it must match something on the page wherever it occurs in the prompt. */
export const isLiteralValue = ({ kind, word }: PromptToken): boolean => !/^(word|mark)$/.test(kind) || /\d/.test(word)

function cutAt(tokens: PromptToken[], isCut: (word: string) => boolean): [PromptToken[], PromptToken[] | undefined] {
  const at = tokens.findIndex(({ kind, word }, index) => index > 0 && kind === 'word' && isCut(word))
  return at < 0 ? [tokens, undefined] : [tokens.slice(0, at), tokens.slice(at + 1)]
}

/** "Under Billing, click Change card": the place goes behind the verb and its object. */
function leading(tokens: readonly PromptToken[], pageVerbs: ReadonlySet<string>): PromptToken[] | undefined {
  if (!/^(under|in|on|from|for|at|within|inside|using)$/.test(tokens[0]?.word ?? '')) return undefined
  const comma = tokens.findIndex(({ word, kind }) => word === ',' && kind === 'mark')
  const verb = tokens.findIndex(
    ({ word, kind }, at) =>
      at > 1 && kind === 'word' && (VERBS.has(word) || BUTTON_VERBS.has(word) || pageVerbs.has(stemWord(word))),
  )
  const end = comma > 1 && (verb < 0 || comma < verb) ? comma : verb
  if (end < 2) return undefined
  return [...tokens.slice(tokens[end]!.word === ',' ? end + 1 : end), ...tokens.slice(0, end)]
}

/** "on the second page", "on page 2", "go to page 3". */
function pageNamed(tokens: readonly PromptToken[]): { tokens: PromptToken[]; page?: number } {
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word' || token.word !== 'page') continue
    const after = tokens[at + 1] ? parseNumberWord(tokens[at + 1]!.word) : undefined
    const ordinal =
      tokens[at - 1] && !/^(next|last|top|bottom)$/.test(tokens[at - 1]!.word)
        ? parseOrdinal(tokens[at - 1]!.word)
        : undefined
    const page = after ?? ordinal
    if (page === undefined || page < 1) continue
    let from = after === undefined ? at - 1 : at
    while (from > 0 && /^(the|on|of|in|to|go|navigate|turn)$/.test(tokens[from - 1]!.word)) from--
    return { tokens: [...tokens.slice(0, from), ...tokens.slice(after === undefined ? at + 1 : at + 2)], page }
  }
  return { tokens: [...tokens] }
}

function kindOf(tokens: readonly PromptToken[]): { kind: ClauseKind; words: number } {
  const [first, second] = [tokens[0]!, tokens[1]]
  const pair = `${first.word} ${second?.word ?? ''}`
  const triple = `${pair} ${tokens[2]?.word ?? ''}`
  if (tokens.some(({ kind }) => kind === 'vault')) return { kind: 'login', words: 0 }
  if (first.kind !== 'word') return { kind: 'set', words: 0 }
  if (second?.word === ':' && second.kind === 'mark')
    return isCommandVerb(first.word) ? kindOf(tokens.toSpliced(1, 1)) : { kind: 'set', words: 0 }
  if (/^(back|previous|step back)\b/.test(pair)) return { kind: 'go', words: 0 }
  if (/^no (cookies|tracking)$/.test(pair)) return { kind: 'consent', words: 1 }
  if (/^(turn|switch)$/.test(first.word)) {
    const word = tokens.find(({ word }) => word === 'on' || word === 'off')?.word
    if (word) return { kind: word as 'on' | 'off', words: second?.word === word ? 2 : 1 }
  }
  if (sortPhrase(tokens)) return { kind: 'sort', words: 0 }
  if (/^(put|show|list)$/.test(first.word) && sortPhrase(tokens.slice(1))) return { kind: 'sort', words: 1 }
  const sorted = tokens.findIndex(({ word }, at) => /^(sorted|ordered)$/.test(word) && tokens[at + 1]?.word === 'by')
  if (sorted > 0) return { kind: 'sort', words: sorted + 1 }
  if (first.word === 'order' && tokens.slice(1, 6).some(({ word }) => word === 'by')) return { kind: 'sort', words: 1 }
  if (isStatement(tokens)) return { kind: 'set', words: 0 }
  const isRid = triple === 'get rid of'
  if (isRid || (first.word === 'get' && tokens.at(-1)!.word === 'way')) return { kind: 'close', words: isRid ? 3 : 1 }
  if (/^take the (text|value|content)$/.test(triple)) return { kind: 'copy', words: 1 }
  const picture = tokens.findIndex(
    ({ kind, word }) => kind === 'word' && /^(picture|screenshot|photo|snapshot)$/.test(word),
  )
  if (picture === 0 || (picture > 0 && /^(take|make|capture|grab|snap|give|get)$/.test(first.word)))
    return { kind: 'picture', words: picture + 1 }
  if (/^(take|bring|get) (me|us) (back|to|into)$/.test(triple)) return { kind: 'go', words: 2 }
  if (/^(bring|pull|open) up$/.test(pair)) return { kind: 'open', words: 2 }
  if (/^(fill|log|sign|check) (in|on|out|up|off)$/.test(pair))
    return { kind: first.word === 'fill' ? 'set' : 'goal', words: 2 }
  if (pair === 'go through') return { kind: 'set', words: 2 }
  if (/^(look|search) (for|up)$/.test(pair)) return { kind: 'search', words: 2 }
  if (/^(click|press|tap|hover) (on|over|at)$/.test(pair)) return { kind: VERBS.get(first.word)!, words: 2 }
  if (/^read (out|aloud)$/.test(pair)) return { kind: 'ask', words: 2 }
  // A label may be a question: "Click Forgotten your password?".
  if (tokens.at(-1)?.word === '?' && VERBS.get(first.word) !== 'press') return { kind: 'ask', words: 0 }
  const kind = VERBS.get(first.word)
  // "return 17 June": a label with its value.
  if (kind === 'go' && second && second.kind !== 'url' && isLiteralValue(second)) return { kind: 'set', words: 0 }
  if (kind === 'ask') return { kind, words: /^(tell|read)$/.test(first.word) ? (second?.word === 'me' ? 2 : 1) : 0 }
  if (kind) return { kind, words: 1 }
  return { kind: 'goal', words: 1 }
}
