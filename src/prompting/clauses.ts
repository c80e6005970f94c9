// Splits a request into clauses, each with a verb: "click Sign in, then type orb into Search" are two. Pure.

import { isSuperlative } from '../base/comparatives.ts'
import { stem } from '../driving/label-words.ts'
import { numberOf, ordinalOf } from '../driving/written-values.ts'
import { type Token, textOf, tokensOf } from './tokens.ts'

/** What a verb asks for; `goal` is a verb that only the page's own buttons can explain. */
type ClauseKind =
  | 'set'
  | 'on'
  | 'off'
  | 'press'
  | 'open'
  | 'search'
  | 'find'
  | 'go'
  | 'scroll'
  | 'sort'
  | 'close'
  | 'consent'
  | 'ask'
  | 'drag'
  | 'copy'
  | 'hover'
  | 'upload'
  | 'picture'
  | 'wait'
  | 'confirm'
  | 'login'
  | 'goal'

export interface Clause {
  kind: ClauseKind
  /** The verb as written, lower case; empty when there is none. */
  verb: string
  /** All words, verb included. */
  all: Token[]
  /** The words after the verb. */
  rest: Token[]
  text: string
  /** "if it asks for a topic": done only when the page has a place for it. */
  optional: boolean
  /** "until there is none". */
  until?: Token[]
  /** "on the second page". */
  page?: number
}

export interface ParsedRequest {
  clauses: Clause[]
  /** "do not send anything". */
  forbidden: Token[][]
}

const VERBS = new Map<string, ClauseKind>(
  Object.entries({
    press: 'click press hit tap push',
    open: 'open follow launch visit',
    set: 'set change adjust type enter write input fill insert key select choose pick need use',
    on: 'check tick enable activate',
    off: 'uncheck untick disable deactivate deselect',
    drag: 'drag move',
    sort: 'sort arrange rank',
    copy: 'copy take',
    find: 'find locate',
    search: 'search',
    scroll: 'scroll',
    hover: 'hover',
    close: 'close dismiss',
    consent: 'accept agree reject decline refuse deny allow',
    go: 'go navigate return',
    wait: 'wait',
    confirm: 'confirm',
    ask: 'what how which who when where tell read count',
    upload: 'upload attach',
  }).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind as ClauseKind] as const)),
)

/** Verbs that a button of the page must explain. They begin a clause after "and" or a comma. */
const AIMS = new Set(
  'put add make create send submit show filter save delete remove book buy order star archive like post sign log register subscribe finish complete correct download print request track apply proceed publish cancel pay reserve mark keep'.split(
    ' ',
  ),
)

const FILLERS = new Set(
  'please now also just finally next first afterwards kindly simply and then but again'.split(' '),
)
const LINKS = new Set(['and', ',', 'or', '&', 'but'])

export function requestOf(prompt: string, pageVerbs: ReadonlySet<string> = new Set()): ParsedRequest {
  const request: ParsedRequest = { clauses: [], forbidden: [] }
  for (const part of split(asidesMarked(tokensOf(prompt)), pageVerbs)) {
    const clause = clauseOf(part, prompt, pageVerbs)
    if (!clause) continue
    const first = clause.all.slice(0, 2).map(({ word }) => word)
    if (/^(don't|without|never)$/.test(first[0] ?? '') || first.join(' ') === 'do not')
      request.forbidden.push(clause.all)
    else request.clauses.push(clause)
  }
  return request
}

const OPENS = /^(if|under|in|on|from|within|inside)$/
const IF_ASKED = '(if)'

/** "(if asked)" is kept as a mark; another aside in brackets asks for nothing. */
function asidesMarked(tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'mark' && token.word === '(') {
      depth++
      if (tokens[at + 1]?.word === 'if') out.push({ ...token, word: IF_ASKED })
    } else if (token.kind === 'mark' && token.word === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) out.push(token)
  }
  return out
}

function split(tokens: readonly Token[], pageVerbs: ReadonlySet<string>): Token[][] {
  const parts: Token[][] = [[]]
  const begin = () => {
    trimEnd(parts.at(-1)!)
    if (parts.at(-1)!.length > 0) parts.push([])
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const current = parts.at(-1)!
    if (token.kind === 'mark' && /^[.;!?]$/.test(token.word) && !isInitial(tokens, at)) {
      if (token.word === '?') current.push(token)
      begin()
      continue
    }
    if (token.kind === 'word' && /^(then|afterwards|finally)$/.test(token.word)) {
      begin()
      continue
    }
    // The comma after "If it asks for a topic" or "Under Billing" ends no clause.
    const isOpenIf = OPENS.test(current[0]?.word ?? '') && !current.some(({ word }) => word === ',')
    if (token.kind !== 'quote' && LINKS.has(token.word) && !(token.word === ',' && isOpenIf)) {
      let ahead = at + 1
      while (tokens[ahead] && (LINKS.has(tokens[ahead]!.word) || FILLERS.has(tokens[ahead]!.word))) ahead++
      if (
        current.length > 0 &&
        beginsClause(
          tokens,
          ahead,
          pageVerbs,
          current.some(({ word }) => word === 'by'),
        ) &&
        !endsOpen(current)
      ) {
        begin()
        at = ahead - 1
        continue
      }
    }
    current.push(token)
  }
  return parts.filter((part) => part.some(({ kind }) => kind !== 'mark'))
}

/** "Sam Q., the language": the dot is part of the value. */
const isInitial = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]!.word === '.' &&
  (tokens[at + 1]?.word === ',' || (/^\p{Lu}$/u.test(tokens[at - 1]?.value ?? '') && at < tokens.length - 1))

function beginsClause(
  tokens: readonly Token[],
  at: number,
  pageVerbs: ReadonlySet<string>,
  isSorting: boolean,
): boolean {
  const [verb, next] = [tokens[at], tokens[at + 1]]
  if (verb?.kind !== 'word') return false
  if (verb.word === 'if') return true
  if (/^(do|don't|without)$/.test(verb.word) && /^(not|send|press)/.test(next?.word ?? verb.word.slice(3))) return true
  if (/^(turn|switch)$/.test(verb.word)) return true
  if (sortPhrase(tokens.slice(at))) return !isSorting
  const kind = VERBS.get(verb.word)
  if (kind === 'ask')
    return /^(is|are|was|does|do|did|many|much|me|the|us|out|what|which|who|how)$/.test(next?.word ?? '')
  if (kind && !(verb.capital && at > 0))
    return !/^(to|by)$/.test(tokens[at - 1]?.word ?? '') && next?.kind !== undefined
  if (verb.capital || !(AIMS.has(verb.word) || pageVerbs.has(stem(verb.word)))) return false
  // A noun such as "order" in a list has no object of its own.
  return next === undefined || next.kind !== 'word' || next.capital || !LINKS.has(next.word)
}

/** "highest amount first": an order of its own. */
const sortPhrase = (tokens: readonly Token[]): boolean => {
  const end = tokens.findIndex(({ word }, at) => at > 0 && /^[,.;]$|^and$/.test(word))
  const part = end < 0 ? tokens : tokens.slice(0, end)
  return isSuperlative(part[0]?.word ?? '') && part.at(-1)?.word === 'first' && part.length < 6
}

/** The part so far needs more words: "from the", "use the box to". */
const endsOpen = (tokens: readonly Token[]): boolean =>
  /^(the|a|an|to|of|into|from|with|both)$/.test(tokens.at(-1)?.word ?? '') &&
  tokens.at(-1)?.kind === 'word' &&
  !tokens.at(-1)?.capital

function trimEnd(tokens: Token[]): void {
  while (
    tokens.length > 0 &&
    tokens.at(-1)!.kind !== 'quote' &&
    (LINKS.has(tokens.at(-1)!.word) || tokens.at(-1)!.word === ':')
  )
    tokens.pop()
}

function clauseOf(part: readonly Token[], prompt: string, pageVerbs: ReadonlySet<string>): Clause | undefined {
  let tokens = part.filter(({ word }) => word !== IF_ASKED)
  let optional = tokens.length < part.length
  trimEnd(tokens)
  while (
    tokens.length > 1 &&
    tokens[0]!.kind !== 'quote' &&
    (FILLERS.has(tokens[0]!.word) || /^[,:]$/.test(tokens[0]!.word))
  )
    tokens.shift()
  if (tokens[0]?.word === 'if') {
    const comma = tokens.findIndex(({ word }) => word === ',')
    const end = comma > 0 ? comma : tokens.findIndex(({ word }, at) => at > 1 && VERBS.has(word)) - 1
    if (end < 1) return undefined
    optional = true
    tokens = tokens.slice(end + 1)
  }
  const [main, until] = cutAt(tokens, (word) => word === 'until')
  // "press Apply when set" only says when.
  ;[tokens] = cutAt(main, (word) => word === 'when' || word === 'once')
  if (until && /correct|fix|repeat/.test(tokens[0]?.word ?? ''))
    tokens = [{ ...tokens[0]!, word: 'send', value: 'send' }]
  const led = leading(tokens, pageVerbs)
  const { tokens: without, page } = pageNamed(led ?? tokens)
  tokens = without
  if (tokens.length === 0 && page === undefined) return undefined
  const { kind, words } = tokens.length === 0 ? { kind: 'go' as const, words: 0 } : kindOf(tokens)
  const clause: Clause = {
    kind,
    verb: tokens
      .slice(0, words)
      .map(({ word }) => word)
      .join(' '),
    all: tokens,
    rest: tokens.slice(words),
    text: textOf(tokens, prompt),
    optional,
  }
  if (until) clause.until = until
  if (page !== undefined) clause.page = page
  return clause
}

function cutAt(tokens: Token[], isCut: (word: string) => boolean): [Token[], Token[] | undefined] {
  const at = tokens.findIndex(({ kind, word }, index) => index > 0 && kind === 'word' && isCut(word))
  return at < 0 ? [tokens, undefined] : [tokens.slice(0, at), tokens.slice(at + 1)]
}

/** "Under Billing, click Change card": the place goes behind the verb and its object. */
function leading(tokens: readonly Token[], pageVerbs: ReadonlySet<string>): Token[] | undefined {
  if (!/^(under|in|on|from|for|at|within|inside|using)$/.test(tokens[0]?.word ?? '')) return undefined
  const comma = tokens.findIndex(({ word, kind }) => word === ',' && kind === 'mark')
  const verb = tokens.findIndex(
    ({ word, kind }, at) =>
      at > 1 && kind === 'word' && (VERBS.has(word) || AIMS.has(word) || pageVerbs.has(stem(word))),
  )
  const end = comma > 1 && (verb < 0 || comma < verb) ? comma : verb
  if (end < 2) return undefined
  return [...tokens.slice(tokens[end]!.word === ',' ? end + 1 : end), ...tokens.slice(0, end)]
}

/** "on the second page", "on page 2", "go to page 3". */
function pageNamed(tokens: readonly Token[]): { tokens: Token[]; page?: number } {
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word' || token.word !== 'page') continue
    const after = tokens[at + 1] ? numberOf(tokens[at + 1]!.word) : undefined
    const ordinal =
      tokens[at - 1] && !/^(next|last|top|bottom)$/.test(tokens[at - 1]!.word)
        ? ordinalOf(tokens[at - 1]!.word)
        : undefined
    const page = after ?? ordinal
    if (page === undefined || page < 1) continue
    let from = after === undefined ? at - 1 : at
    while (from > 0 && /^(the|on|of|in|to|go|navigate|turn)$/.test(tokens[from - 1]!.word)) from--
    return { tokens: [...tokens.slice(0, from), ...tokens.slice(after === undefined ? at + 1 : at + 2)], page }
  }
  return { tokens: [...tokens] }
}

function kindOf(tokens: readonly Token[]): { kind: ClauseKind; words: number } {
  const [first, second] = [tokens[0]!, tokens[1]]
  const pair = `${first.word} ${second?.word ?? ''}`
  if (tokens.some(({ kind }) => kind === 'vault')) return { kind: 'login', words: 0 }
  if (first.kind !== 'word') return { kind: 'set', words: 0 }
  if (second?.word === ':' && second.kind === 'mark') return { kind: 'set', words: 0 }
  if (/^(turn|switch)$/.test(first.word)) {
    const word = tokens.find(({ word }) => word === 'on' || word === 'off')?.word
    if (word) return { kind: word as 'on' | 'off', words: second?.word === word ? 2 : 1 }
  }
  if (sortPhrase(tokens)) return { kind: 'sort', words: 0 }
  if (first.word === 'order' && tokens.slice(1, 6).some(({ word }) => word === 'by')) return { kind: 'sort', words: 1 }
  if (/^i (need|want|would)$/.test(pair)) return { kind: 'set', words: 2 }
  if (/^(my|the|our) /.test(pair) && tokens.some(({ word }) => word === 'is' || word === 'are'))
    return { kind: 'set', words: 0 }
  if (
    /^(take|make) an? (picture|screenshot|photo|snapshot)/.test(
      tokens
        .slice(0, 3)
        .map(({ word }) => word)
        .join(' '),
    )
  )
    return { kind: 'picture', words: 3 }
  if (first.word === 'screenshot') return { kind: 'picture', words: 1 }
  if (/^(fill|log|sign|check) (in|out|up|off)$/.test(pair))
    return { kind: first.word === 'fill' ? 'set' : 'goal', words: 2 }
  if (pair === 'go through') return { kind: 'set', words: 2 }
  if (/^(look|search) (for|up)$/.test(pair)) return { kind: 'search', words: 2 }
  if (/^(click|press|tap|hover) (on|over|at)$/.test(pair)) return { kind: VERBS.get(first.word)!, words: 2 }
  if (/^read (out|aloud)$/.test(pair)) return { kind: 'ask', words: 2 }
  if (tokens.at(-1)?.word === '?') return { kind: 'ask', words: 0 }
  const kind = VERBS.get(first.word)
  if (kind === 'ask') return { kind, words: /^(tell|read)$/.test(first.word) ? (second?.word === 'me' ? 2 : 1) : 0 }
  if (kind) return { kind, words: 1 }
  return { kind: 'goal', words: 1 }
}
