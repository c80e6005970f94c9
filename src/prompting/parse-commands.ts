// Parses a prompt into literal commands. Quoted values are bound first, and each clause must have one of the forms below
// as a whole: a clause that is understood in part is not understood.
import { parseNumber } from '../base/parse-number-words.ts'
import { normalizeKeyCombination, normalizeKeyName } from '../driving/keyboard-key-names.ts'

export interface ControlName {
  name: string
  /** Of several of that name, the first, the second, …; -1 for the last. */
  at?: number
  /** Text of the row, card or section that it is in. */
  near?: string
}

export type PromptCommand = { text: string } & (
  | { kind: 'press' | 'hover' | 'read'; target: ControlName; isBare?: true }
  | { kind: 'key'; keys: string }
  | { kind: 'set'; target: ControlName; value: string }
  /** Without a target: the only field of the page. */
  | { kind: 'fill'; target: ControlName | undefined; value: string }
  | { kind: 'choose'; target: ControlName | undefined; value: string }
  | { kind: 'tick'; target: ControlName; on: boolean }
  | { kind: 'open'; url: string }
  | { kind: 'back' | 'forward' | 'reload' | 'close' }
  | { kind: 'search'; value: string; target: ControlName | undefined }
  | { kind: 'login'; vault: string }
  | { kind: 'scroll'; words: string; until?: string }
  | { kind: 'wait'; seconds: number }
  | { kind: 'await'; value: string }
  | { kind: 'picture'; isWhole: boolean }
)

/** What follows the text and the forms that take it; the words of a form are lower case. */
type Fields = PromptCommand extends infer One ? (One extends PromptCommand ? Omit<One, 'text'> : never) : never

const QUOTE =
  /"([^"\n]*)"|“([^”\n]*)”|«([^»\n]*)»|„([^“”\n]*)[“”]|‘([^’\n]*)’|`([^`\n]*)`|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu
/** Stands for a quoted value while the clauses are parted. */
const BOUND = /\ue001(\d+)\ue001/
const BOUND_ONLY = /^\ue001(\d+)\ue001$/

const VERBS =
  'press|click|tap|hit|push|hover|type|enter|write|put|insert|fill|set|change|choose|select|pick|tick|check|untick|uncheck|enable|disable|turn|switch|open|go|visit|navigate|follow|search|sign|log|scroll|wait|read|take|close|reload|refresh'
const CLAUSE_END = new RegExp(
  `(?:[.;!?]+(?=\\s|$)|\\n+|,?\\s+(?:and\\s+)?(?:then|after that|afterwards)\\b,?|,\\s*(?:and\\s+)?(?=(?:${VERBS})\\b)|\\s+and\\s+(?=(?:${VERBS})\\b))`,
  'iu',
)
const POLITE =
  /^(?:(?:please|now|first|next|also|then|finally|and|kindly|can you|could you|would you|i want to|i want you to|i'd like to|let's)[\s,]+)+/iu
const POLITE_END = /(?:[\s,]+(?:please|now|for me|thanks|thank you))+$/iu

/** The commands of a prompt, or the first clause that is none. */
export function parseCommands(prompt: string): { commands: PromptCommand[] } | { unclear: string } {
  const quotes: string[] = []
  const bound = prompt.replace(QUOTE, (_, ...groups: (string | undefined)[]) => {
    quotes.push((groups.find((group) => typeof group === 'string') ?? '').trim())
    return `\ue001${quotes.length - 1}\ue001`
  })
  const restoreQuotes = (text: string) => text.replace(/\ue001(\d+)\ue001/g, (_, n) => `"${quotes[Number(n)]}"`)
  const commands: PromptCommand[] = []
  for (const part of bound.split(CLAUSE_END)) {
    const clause = part
      .trim()
      .replace(/[,:\s]+$/, '')
      .replace(POLITE, '')
      .replace(POLITE_END, '')
    if (clause === '') continue
    const text = restoreQuotes(clause)
    const fields = commandOf(clause, quotes) ?? bareLabel(clause, quotes)
    if (!fields) return { unclear: text }
    commands.push({ ...fields, text })
  }
  return { commands }
}

type Form = readonly [form: RegExp, make: (parts: readonly string[], read: Reader) => Fields | undefined]

interface Reader {
  value(text: string | undefined): string | undefined
  target(text: string | undefined): ControlName | undefined
}

const withTarget = (target: ControlName | undefined, make: (target: ControlName) => Fields): Fields | undefined =>
  target && make(target)
const setting =
  (kind: 'fill' | 'set', value: number, target: number): Form[1] =>
  (parts, read) => {
    const [given, field] = [read.value(parts[value]), read.target(parts[target])]
    return given !== undefined && field ? { kind, target: field, value: given } : undefined
  }
const makeTickForm =
  (on: (parts: readonly string[]) => boolean, target = 1): Form[1] =>
  (parts, read) =>
    withTarget(read.target(parts[target]), (box) => ({ kind: 'tick', target: box, on: on(parts) }))

const FORMS: readonly Form[] = [
  [/^(?:press|hit|push|use)\s+(?:the\s+)?(?:keys?|shortcut)\s+(\S.*)$/iu, ([, keys]) => keyOf(keys!)],
  [
    /^(?:press|hit|push)\s+(?:the\s+)?([^\s\ue001]+(?:\s?\+\s?[^\s\ue001]+)*)(?:\s+key)?$/iu,
    ([, keys]) => keyOf(keys!),
  ],
  [
    /^(?:press|click|tap|hit|push)(?:\s+on)?\s+(.+)$/iu,
    ([, name], read) => withTarget(read.target(name), (target) => ({ kind: 'press', target })),
  ],
  [
    /^hover(?:\s+(?:over|on))?\s+(.+)$/iu,
    ([, name], read) => withTarget(read.target(name), (target) => ({ kind: 'hover', target })),
  ],
  [/^fill(?:\s+in|\s+out)?\s+(.+?)\s+with\s+(.+)$/iu, setting('fill', 2, 1)],
  [/^(?:type|enter|write|put|insert|fill(?:\s+in)?)\s+(.+?)\s+(?:into|in|as|for)\s+(.+)$/iu, setting('fill', 1, 2)],
  [
    /^(?:type|enter|write)\s+((?:\S+\s+){0,2}\ue001\d+\ue001)$/iu,
    ([, text], read) => {
      const value = read.value(text)
      return value === undefined ? undefined : { kind: 'fill', target: undefined, value }
    },
  ],
  [/^(?:set|change)\s+(.+?)\s+to\s+(.+)$/iu, setting('set', 2, 1)],
  [
    /^(?:choose|select|pick)\s+(.+?)\s+(?:from|in|for|as|under)\s+(.+)$/iu,
    ([, value, name], read) => {
      const given = read.value(value)
      return given === undefined
        ? undefined
        : withTarget(read.target(name), (target) => ({ kind: 'choose', target, value: given }))
    },
  ],
  [
    /^(?:choose|select|pick)\s+(.+)$/iu,
    ([, value], read) =>
      withTarget(read.target(value), ({ name }) => ({ kind: 'choose', target: undefined, value: name })),
  ],
  [/^(?:tick|check|enable|turn on|switch on)\s+(.+)$/iu, makeTickForm(() => true)],
  [/^(?:untick|uncheck|disable|turn off|switch off)\s+(.+)$/iu, makeTickForm(() => false)],
  [/^(?:turn|switch)\s+(.+?)\s+(on|off)$/iu, makeTickForm(([, , way]) => way!.toLowerCase() === 'on')],
  [/^(?:open|go to|visit|navigate to)\s+(https?:\/\/\S+)$/iu, ([, url]) => ({ kind: 'open', url: url! })],
  [/^(?:go|navigate)\s+back$/iu, () => ({ kind: 'back' })],
  [/^(?:go|navigate)\s+forward$/iu, () => ({ kind: 'forward' })],
  [/^(?:reload|refresh)(?:\s+the\s+page)?$/iu, () => ({ kind: 'reload' })],
  [/^close\s+(?:the\s+)?(?:dialog|pop-?up|overlay|notice|banner)$/iu, () => ({ kind: 'close' })],
  [
    /^(?:open|go to|visit|navigate to|follow|close)\s+(.+)$/iu,
    ([verb, name], read) =>
      withTarget(read.target(/^close/i.test(verb!) ? verb : name), (target) => ({ kind: 'press', target })),
  ],
  [
    /^search(?:\s+for)?\s+(.+?)(?:\s+(?:in|with)\s+(.+))?$/iu,
    ([, value, name], read) => {
      const [given, target] = [read.value(value), name === undefined ? undefined : read.target(name)]
      return given === undefined || (name !== undefined && !target)
        ? undefined
        : { kind: 'search', value: given, target }
    },
  ],
  [/^(?:sign|log)[\s-]?(?:in|on)(?:to)?\b(.*?)vault:([\p{L}\p{N}._-]*[\p{L}\p{N}])(.*)$/iu, loginOf],
  [
    /^scroll(?:\s+(?:to\s+)?(?:the\s+)?(up|down|top|bottom|end)(?:\s+of\s+the\s+page)?)?$/iu,
    ([, words = 'down']) => ({ kind: 'scroll', words: words.toLowerCase() }),
  ],
  [
    /^scroll(?:\s+down)?\s+(?:to|until)\s+(.+?)(?:\s+(?:is\s+(?:shown|visible)|appears))?$/iu,
    ([, text], read) => {
      const until = read.value(text)
      return until === undefined ? undefined : { kind: 'scroll', words: '', until }
    },
  ],
  [
    /^wait\s+(?:for\s+)?(\S+)\s+(?:s|secs?|seconds?)$/iu,
    ([, count]) => {
      const seconds = /^an?$/i.test(count!) ? 1 : parseNumber(count!)
      return seconds === undefined ? undefined : { kind: 'wait', seconds }
    },
  ],
  [
    /^wait\s+(?:for|until)\s+(.+?)(?:\s+(?:to\s+appear|is\s+(?:shown|visible)|appears))?$/iu,
    ([, text], read) => {
      const value = read.value(text)
      return value === undefined ? undefined : { kind: 'await', value }
    },
  ],
  [
    /^take\s+a\s+(?:screenshot|picture)(?:\s+of\s+the\s+(?:(whole|full|entire)\s+)?(?:page|screen))?$/iu,
    ([, whole]) => ({ kind: 'picture', isWhole: whole !== undefined }),
  ],
  [
    /^(?:read(?:\s+out)?|what\s+is|what's|what\s+are|tell\s+me|ask\s+for|get|give\s+me)\s+(.+)$/iu,
    ([, name], read) => withTarget(read.target(name), (target) => ({ kind: 'read', target })),
  ],
]

function commandOf(clause: string, quotes: readonly string[]): Fields | undefined {
  const read: Reader = {
    value: (text) => (text === undefined ? undefined : readValue(text, quotes)),
    target: (text) => (text === undefined ? undefined : readTarget(text, quotes)),
  }
  for (const [form, make] of FORMS) {
    const parts = form.exec(clause)
    const fields = parts && make(parts, read)
    if (fields) return fields
  }
  return undefined
}

/** A clause that is nothing but the label of a button: it must be on the page that the prompt begins with. */
function bareLabel(clause: string, quotes: readonly string[]): Fields | undefined {
  const target = readTarget(clause, quotes)
  return target && { kind: 'press', target, isBare: true }
}

function keyOf(text: string): Fields | undefined {
  const parts = text.split('+').map((part) => part.trim())
  const isKey =
    parts.length > 1 ? parts.slice(0, -1).every((part) => normalizeKeyName(part)) : normalizeKeyName(text) !== undefined
  return isKey ? { kind: 'key', keys: normalizeKeyCombination(text) } : undefined
}

const SIGN_IN_WORD = /^(?:with|using|by|to|the|my|vault|entry|credentials|account|from|of|site|page|here)$/i

function loginOf([, before = '', vault = '', after = '']: readonly string[]): Fields | undefined {
  const words = `${before} ${after}`.split(/\s+/).filter(Boolean)
  return words.every((word) => SIGN_IN_WORD.test(word)) ? { kind: 'login', vault } : undefined
}

const VALUE_WORD = /^(?:the\s+)?(?:text|value|word|words|number|date|time)\s+(?=\ue001)/iu
/** What only the sentences before can tell. */
const POINTING = /^(?:it|that|this|them|these|those|one|him|her|me)$/iu

function readValue(text: string, quotes: readonly string[]): string | undefined {
  const bare = text.trim().replace(VALUE_WORD, '')
  const quoted = BOUND_ONLY.exec(bare)
  if (quoted) return quotes[Number(quoted[1])]
  return bare === '' || BOUND.test(bare) || POINTING.test(bare) ? undefined : bare
}

const ARTICLE = /^(?:the|a|an|my|your)\s+/iu
const ROLE =
  '(?:button|link|tab|field|box|checkbox|check box|switch|option|icon|menu item|menu|list|dropdown|drop-down|input|text field|radio button|page|section)'
const ROLE_BEFORE = new RegExp(`^${ROLE}\\s+(?:called\\s+|named\\s+|labelled\\s+)?(?=\\ue001)`, 'iu')
const ROLE_AFTER = new RegExp(`\\s+${ROLE}$`, 'iu')
const PLACE = '(?:row|card|section|line|entry|item|article|group|dialog|form|table|list)'
const NEAR = new RegExp(
  `^(.+?)\\s+(?:of|in|for|on|beside|next to|under|from)\\s+(?:the\\s+)?(?:${PLACE}\\s+(?:of\\s+|called\\s+|named\\s+)?)?(?:(\\ue001\\d+\\ue001)(?:\\s+${PLACE})?|(.+?)\\s+${PLACE})$`,
  'iu',
)

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

/** `2nd`, `second`, `last` → 2, 2, -1. */
function parseOrdinal(word: string): number | undefined {
  const digits = /^(\d+)(?:st|nd|rd|th)$/.exec(word)
  if (digits) return Number(digits[1])
  if (word === 'last' || word === 'bottom') return -1
  const at = ORDINALS.indexOf(word === 'top' ? 'first' : word)
  return at < 0 ? undefined : at + 1
}

function readTarget(text: string, quotes: readonly string[]): ControlName | undefined {
  let bare = text.trim().replace(ARTICLE, '')
  const near = NEAR.exec(bare)
  const place = near ? readValue(near[2] ?? near[3]!, quotes) : undefined
  if (near && place === undefined) return undefined
  if (near) bare = near[1]!
  const [first = '', ...more] = bare.split(/\s+/)
  const at = more.length > 0 ? parseOrdinal(first.toLowerCase()) : undefined
  if (at !== undefined) bare = bare.slice(first.length).trim()
  const name = readValue(bare.replace(ROLE_BEFORE, '').replace(ROLE_AFTER, ''), quotes)
  if (name === undefined || name === '') return undefined
  return { name, ...(at === undefined ? {} : { at }), ...(place === undefined ? {} : { near: place }) }
}
