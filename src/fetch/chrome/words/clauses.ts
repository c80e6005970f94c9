// A prompt as a row of clauses, each with a verb: "click Sign in, then type orb into Search" are two. Which words are
// verbs is told by a list and by the page, whose buttons are named by verbs. Pure.
import { isFaint, stem } from './likeness.ts'
import { ordinalOf, type Token, textOf, tokensOf } from './tokens.ts'

/** What kind of act a verb asks for; `goal` is everything that only the page can explain. */
export type Act =
  | 'press'
  | 'open'
  | 'type'
  | 'choose'
  | 'check'
  | 'uncheck'
  | 'set'
  | 'drag'
  | 'sort'
  | 'copy'
  | 'paste'
  | 'find'
  | 'search'
  | 'scroll'
  | 'hover'
  | 'focus'
  | 'highlight'
  | 'expand'
  | 'collapse'
  | 'close'
  | 'consent'
  | 'go'
  | 'wait'
  | 'ask'
  | 'solve'
  | 'resize'
  | 'upload'
  | 'clear'
  | 'repeat'
  | 'goal'

export interface Clause {
  act: Act
  /** The verb as it was said, lower case. */
  verb: string
  /** What follows the verb. */
  rest: Token[]
  /** Verb and rest. */
  all: Token[]
  text: string
  /** "Under Billing, click …": where. */
  where?: Token[]
  /** "if it asks for a topic": only when the page does. */
  when?: Token[]
  /** "until there is none": how long. */
  until?: Token[]
}

const VERBS = new Map<string, Act>(
  Object.entries({
    press: 'click press hit tap push doubleclick activate',
    open: 'open follow view launch',
    type: 'type enter write input fill insert key',
    paste: 'paste',
    choose: 'select choose pick',
    check: 'check tick mark enable toggle flag',
    uncheck: 'uncheck untick unmark disable deselect unselect',
    set: 'set change adjust',
    drag: 'drag move drop reorder',
    sort: 'sort arrange rank',
    copy: 'copy take',
    find: 'find locate',
    search: 'search',
    scroll: 'scroll',
    hover: 'hover',
    focus: 'focus',
    highlight: 'highlight',
    expand: 'expand unfold',
    collapse: 'collapse fold',
    close: 'close dismiss',
    consent: 'accept agree reject decline allow',
    go: 'go navigate switch return',
    wait: 'wait',
    ask: 'what how which who when where tell count',
    solve: 'solve calculate compute',
    resize: 'resize',
    upload: 'upload attach',
    clear: 'clear empty',
    repeat: 'repeat',
  }).flatMap(([act, words]) => words.split(' ').map((word) => [word, act as Act] as const)),
)

/** Verbs that only the page can explain; they begin a clause when an object follows. */
const AIMS = new Set(
  'put add make create send submit save delete remove book buy order star archive like reply forward share post sign log register subscribe finish complete correct download print request track apply confirm publish invite cancel retweet pay reserve update edit rename show hide play pause stop start use give'.split(
    ' ',
  ),
)

const FILLERS = new Set(
  'please then now also just finally next first afterwards after that kindly simply and to'.split(' '),
)
const LINKS = new Set(['and', 'then', ',', 'or', '&'])
/** Nouns that look like verbs stand after these. */
const BEFORE_NOUN =
  /^(the|a|an|my|your|our|this|that|each|every|to|of|with|named|labeled|labelled|called|both|no|as|is|by|in|on|for|from|into|under)$/

export function clausesOf(prompt: string, pageVerbs: ReadonlySet<string> = new Set()): Clause[] {
  const tokens = withoutAsides(tokensOf(prompt))
  const parts = split(tokens, pageVerbs)
  const clauses: Clause[] = []
  for (const part of parts) {
    const made = clauseOf(part, prompt, pageVerbs)
    if (made) clauses.push(made)
  }
  return joinedPairs(clauses, prompt)
}

/** "(the list has several pages)" says nothing to do; "(if asked)" is kept as a mark of its own. */
function withoutAsides(tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  let depth = 0
  for (const token of tokens) {
    if (token.word === '(') {
      depth++
      if (isIf(tokens[tokens.indexOf(token) + 1])) out.push({ ...token, word: IF_ASKED })
    } else if (token.word === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) out.push(token)
  }
  return out
}

const isVerb = (token: Token | undefined, pageVerbs: ReadonlySet<string>): boolean =>
  token !== undefined &&
  token.kind === 'word' &&
  (VERBS.has(token.word) || AIMS.has(token.word) || pageVerbs.has(stem(token.word)))

function split(tokens: readonly Token[], pageVerbs: ReadonlySet<string>): Token[][] {
  const parts: Token[][] = [[]]
  const begin = () => {
    if (parts.at(-1)!.length > 0) parts.push([])
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const next = tokens[at + 1]
    if (token.kind === 'mark' && /^[.;!?]$/.test(token.word)) {
      if (token.word === '?') parts.at(-1)!.push(token)
      begin()
      continue
    }
    if (token.word === 'then' || token.word === 'afterwards' || token.word === 'finally') {
      trimEnd(parts.at(-1)!)
      begin()
      continue
    }
    if (LINKS.has(token.word) && !(token.word === ',' && isOpenIf(parts.at(-1)!))) {
      let ahead = at + 1
      while (
        tokens[ahead] &&
        (LINKS.has(tokens[ahead]!.word) || (FILLERS.has(tokens[ahead]!.word) && tokens[ahead]!.word !== 'to'))
      )
        ahead++
      const verb = tokens[ahead]
      const before = parts.at(-1)!
      const own = verb && VERBS.has(verb.word)
      // A word of the page's buttons counts as a verb when something follows it that it can be done to.
      const pageOwn =
        verb &&
        !verb.capital &&
        token.word !== 'or' &&
        (AIMS.has(verb.word) || pageVerbs.has(stem(verb.word))) &&
        takesObject(tokens, ahead)
      if (
        isVerb(verb, pageVerbs) &&
        before.length > 0 &&
        (own || pageOwn) &&
        !isQuestionWord(verb!, tokens[ahead + 1]) &&
        !endsOpen(before)
      ) {
        begin()
        at = ahead - 1
        continue
      }
      if (token.word === ',' && isIf(next)) {
        begin()
        continue
      }
    }
    parts.at(-1)!.push(token)
  }
  return parts.filter((part) => part.some(({ kind }) => kind !== 'mark'))
}

/** "and archive the message", "and book it", "and apply.": an object or the end follows. */
function takesObject(tokens: readonly Token[], at: number): boolean {
  const after = tokens[at + 1]
  if (after && LINKS.has(after.word)) return after.word === ','
  return (
    after === undefined ||
    after.kind === 'quote' ||
    after.kind === 'mark' ||
    isFaint(after.word) ||
    after.capital ||
    after.kind !== 'word' ||
    /^(all|in|out|up|on|off|everything|changes?|invoice|members?|language|layout)$/.test(after.word) ||
    !LINKS.has(after.word)
  )
}

/** Stands for an aside such as "(if asked)". */
const IF_ASKED = '(if)'
/** "If it asks for a topic": its comma ends the condition, not the clause. */
const isOpenIf = (part: readonly Token[]): boolean => isIf(part[0]) && !part.some(({ word }) => word === ',')
const isIf = (token: Token | undefined): boolean => token?.word === 'if'
const isQuestionWord = (token: Token, next: Token | undefined): boolean =>
  VERBS.get(token.word) === 'ask' && !/^(is|are|was|does|do|did|many|much|me|the|us|i)$/.test(next?.word ?? '')
/** The part so far asks for more: "from the menu", "use the box to". */
const endsOpen = (tokens: readonly Token[]): boolean =>
  !tokens.at(-1)?.capital && /^(the|a|an|to|of|into|between|from|with|not|both)$/.test(tokens.at(-1)?.word ?? '')

function trimEnd(tokens: Token[]): void {
  while (tokens.length > 0 && (LINKS.has(tokens.at(-1)!.word) || tokens.at(-1)!.word === ':')) tokens.pop()
}

function clauseOf(part: Token[], prompt: string, pageVerbs: ReadonlySet<string>): Clause | undefined {
  let tokens = [...part]
  trimEnd(tokens)
  while (
    tokens[0] &&
    (FILLERS.has(tokens[0].word) || tokens[0].kind === 'mark') &&
    tokens.length > 1 &&
    !/^[/[]$/.test(tokens[0].word)
  )
    tokens.shift()
  if (tokens.length === 0) return undefined
  const extra: Partial<Clause> = tokens.some(({ word }) => word === IF_ASKED) ? { when: [] } : {}
  tokens = tokens.filter(({ word }) => word !== IF_ASKED)
  if (isIf(tokens[0])) {
    const comma = tokens.findIndex(({ word }) => word === ',')
    const end = comma > 0 ? comma : tokens.findIndex((token, at) => at > 1 && isVerb(token, pageVerbs))
    if (end > 0) {
      extra.when = tokens.slice(1, end)
      tokens = tokens.slice(end + 1)
    }
  }
  ;[tokens, extra.until] = cutAt(tokens, (word) => word === 'until')
  // "press Apply when set", "click Submit when done" tell the order that they stand in anyway.
  ;[tokens] = cutAt(tokens, (word, at) => at > 0 && (word === 'when' || word === 'once'))
  if (extra.until === undefined) delete extra.until
  const led = leading(tokens, pageVerbs)
  if (led) {
    extra.where = led.where
    tokens = led.tokens
  }
  const first = tokens[0]
  if (!first) return undefined
  const { act, words } = actOf(tokens, pageVerbs)
  return {
    act,
    verb: tokens
      .slice(0, words)
      .map(({ word }) => word)
      .join(' '),
    rest: tokens.slice(words),
    all: tokens,
    text: textOf(tokens, prompt),
    ...extra,
  }
}

function cutAt(tokens: Token[], isCut: (word: string, at: number) => boolean): [Token[], Token[] | undefined] {
  const at = tokens.findIndex((token, index) => index > 0 && token.kind === 'word' && isCut(token.word, index))
  return at < 0 ? [tokens, undefined] : [tokens.slice(0, at), tokens.slice(at + 1)]
}

/** "Under Billing, click …", "From the menu "Visit" choose …", "Use the textbox to enter …", "For the user @x, click …". */
function leading(
  tokens: readonly Token[],
  pageVerbs: ReadonlySet<string>,
): { where: Token[]; tokens: Token[] } | undefined {
  if (!/^(under|in|on|from|for|at|within|inside|using|use|with|among|switch)$/.test(tokens[0]?.word ?? ''))
    return undefined
  const verb = tokens.findIndex(
    ({ word, kind }, at) =>
      at > 1 &&
      kind === 'word' &&
      (VERBS.has(word) || AIMS.has(word) || pageVerbs.has(stem(word))) &&
      (!BEFORE_NOUN.test(tokens[at - 1]!.word) || tokens[at - 1]!.word === 'to') &&
      (tokens[at - 1]!.kind !== 'quote') === !isQuotedWhere(tokens, at),
  )
  const comma = tokens.findIndex(({ word }) => word === ',')
  const end = comma > 0 && (verb < 0 || comma < verb) ? comma + 1 : verb
  if (end <= 1) return undefined
  if (tokens[0]!.word === 'switch' && tokens[1]?.word !== 'between') return undefined
  const where = tokens.slice(1, end).filter(({ word }) => word !== ',' && word !== 'to' && word !== 'between')
  return { where, tokens: tokens.slice(end) }
}

const isQuotedWhere = (tokens: readonly Token[], at: number): boolean => tokens[at - 1]!.kind === 'quote'

function actOf(tokens: readonly Token[], pageVerbs: ReadonlySet<string>): { act: Act; words: number } {
  const [first, second] = [tokens[0]!, tokens[1]]
  const pair = `${first.word} ${second?.word ?? ''}`
  const off = tokens.some(({ word }) => word === 'off')
  if (/^(turn|switch) (on|off)$/.test(pair)) return { act: pair.endsWith('off') ? 'uncheck' : 'check', words: 2 }
  if (/^(turn|switch)$/.test(first.word) && (off || tokens.some(({ word }) => word === 'on')))
    return { act: off ? 'uncheck' : 'check', words: 1 }
  if (/^(go) (through)$/.test(pair)) return { act: 'goal', words: 2 }
  if (/^(fill) (in|out|up)$/.test(pair)) return { act: 'type', words: 2 }
  if (/^(find|search) and$/.test(pair))
    return actOf(tokens.slice(2), pageVerbs).act === 'goal'
      ? { act: 'find', words: 1 }
      : shift(actOf(tokens.slice(2), pageVerbs), 2)
  if (/^(look|search) (for|up)$/.test(pair)) return { act: 'search', words: 2 }
  if (/^(check|sign|log|join|mouse) (out|in|on|up|off|over)$/.test(pair))
    return { act: first.word === 'mouse' ? 'hover' : 'goal', words: 2 }
  if (/^(mark|flag|star|set) as$/.test(pair)) return { act: 'goal', words: 2 }
  if (/^(click|press|tap|hover|focus) (on|over|into|in|at)$/.test(pair))
    return { act: VERBS.get(first.word)!, words: 2 }
  if (/^double click$/.test(pair)) return { act: 'press', words: second ? 2 : 1 }
  const by = tokens.findIndex(({ word }) => word === 'by')
  if (first.word === 'order' && by > 1 && by < 5 && tokens[1]!.word !== 'as') return { act: 'sort', words: 1 }
  if (/^(pick|choose|select) (up)$/.test(pair)) return { act: 'goal', words: 2 }
  if (first.kind === 'word' && VERBS.has(first.word)) return { act: VERBS.get(first.word)!, words: 1 }
  if (/^(is|are|does|do|can)$/.test(first.word) && tokens.at(-1)?.word === '?') return { act: 'ask', words: 0 }
  return { act: tokens.at(-1)?.word === '?' ? 'ask' : 'goal', words: first.kind === 'word' ? 1 : 0 }
}

const shift = ({ act, words }: { act: Act; words: number }, by: number) => ({ act, words: words + by })

/** A clause of nothing but a place ("Under Billing") belongs to the one after it. */
function joinedPairs(clauses: Clause[], prompt: string): Clause[] {
  const out: Clause[] = []
  for (const clause of clauses) {
    const before = out.at(-1)
    if (
      before &&
      before.act === 'goal' &&
      /^(under|in|on|from|for|at|using|with|use)$/.test(before.verb) &&
      before.rest.length > 0
    ) {
      out.pop()
      out.push({ ...clause, where: before.rest })
    } else out.push({ ...clause, text: textOf(clause.all, prompt) })
  }
  return out
}

/** `the 2nd`, `last` in some words, and the words without it. */
export function ordinalIn(tokens: readonly Token[]): { ordinal: number | undefined; rest: Token[] } {
  const at = tokens.findIndex(({ kind, word }) => kind !== 'quote' && ordinalOf(word) !== undefined)
  if (at < 0) return { ordinal: undefined, rest: [...tokens] }
  return { ordinal: ordinalOf(tokens[at]!.word), rest: tokens.filter((_, index) => index !== at) }
}
