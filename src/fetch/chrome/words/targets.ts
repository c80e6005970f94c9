// Which thing on the page some words mean: by label, role, order and what stands near it. Pure: a scene in, things out.
import { keyWords, likeness, type Near, plain, runOf, wordsIn as splitWords } from './likeness.ts'
import { above, endOf, isShown, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { ordinalOf, type Token } from './tokens.ts'

export interface WordTarget {
  /** The label that is meant; empty when only kind or order tell ("the 2nd checkbox"). */
  label: string
  quoted: boolean
  roles: RegExp | undefined
  ordinal: number | undefined
  /** Words of what it stands in or beside. */
  scope: string
  all: boolean
}

export interface Match {
  thing: SceneThing
  score: number
}

const KINDS: [RegExp, RegExp][] = [
  [/^buttons?$/, /^(button|clickable)$/],
  [/^links?$/, /^link$/],
  [/^tabs?$/, /^tab$/],
  [/^check-?box(es)?$/, /^(checkbox|switch)$/],
  [/^radios?$/, /^radio$/],
  [/^(switch|toggle)(es|s)?$/, /^(switch|checkbox)$/],
  [/^(text-?area)s?$/, /^textarea$/],
  [/^(text-?box|text-?field|input|field|textbox|inputbox)(es|s)?$/, /^(textbox|searchbox|spinbutton|combobox)$/],
  [/^(drop-?down|select|combobox|menu|dropdown)s?$/, /^(combobox|listbox|button|menuitem|menu)$/],
  [/^sliders?$/, /^slider$/],
  [/^(spinner|stepper)s?$/, /^spinbutton$/],
  [/^options?$/, /^(option|radio|checkbox|menuitem)$/],
  [/^(image|picture|icon)s?$/, /^(img|button|link|clickable|icon)$/],
  [/^(heading|title)s?$/, /^heading$/],
]
/** The kind that a word names, as in: click on a "checkbox" widget. */
export const kindNamed = (word: string): RegExp | undefined =>
  /^text$/i.test(word) ? /^(textbox|searchbox)$/ : KINDS.find(([name]) => name.test(word.toLowerCase()))?.[1]

/** Words that name a kind of place, not which one. */
const PLACES = new Set(
  'widget control element row rows post posts message messages mail mails email emails item items card cards entry entries member members product products one user users person people section panel tab menu list page table line result results box area group field fields dropdown category column article articles thread threads comment comments contact record file folder dialog popup window form icon button link text named called labeled labelled titled by from of the a an with that this whose has is in on under for at to says saying and it its their left right side'.split(
    ' ',
  ),
)
const PREPOSITION =
  /^(in|under|of|on|for|from|by|next|beside|near|within|inside|below|above|with|at|to|where|whose|belonging|sent)$/
const NAMED = /^(labeled|labelled|named|called|titled|saying|says|marked|reading|text|label|name)$/

/** Roles as one word: things without one that react to the pointer are `clickable`. */
export const kindOf = (thing: SceneThing): string =>
  thing.tag === 'textarea'
    ? 'textarea'
    : thing.role && thing.role !== 'cell' && thing.role !== 'listitem'
      ? thing.role
      : thing.does
        ? 'clickable'
        : (thing.role ?? '')

const fitsKind = (thing: SceneThing, kinds: RegExp): boolean =>
  kinds.test(kindOf(thing)) ||
  (thing.tag === 'textarea' && kinds.test('textbox')) ||
  (/button/.test(kinds.source) && /^(button|link|clickable|summary)$/.test(kindOf(thing)))

/** Words as one target, in the ways in which they can be read, the likeliest first. */
export function readings(tokens: readonly Token[]): WordTarget[] {
  const bare = tokens.filter(({ kind, word }) => kind !== 'mark' || /^[^\s.,;:!?()"']$/.test(word))
  const out: WordTarget[] = [...verbatim(bare, []), reading(bare, [])]
  for (let at = 1; at < bare.length - 0; at++) {
    const { kind, word } = bare[at]!
    if (kind !== 'word' || !PREPOSITION.test(word) || at === bare.length - 1) continue
    out.push(...verbatim(bare.slice(0, at), bare.slice(at + 1)), reading(bare.slice(0, at), bare.slice(at + 1)))
  }
  const quotes = bare.filter(({ kind }) => kind === 'quote')
  if (quotes.length === 1 && bare.length > 1) {
    const at = bare.indexOf(quotes[0]!)
    const around = bare.filter((token, index) => token !== quotes[0] && index > at + 0)
    out.unshift({ ...reading([...bare.slice(0, at), quotes[0]!], around), label: quotes[0]!.value, quoted: true })
  }
  return out
}

/** All words as they stand: "Share link" may be the name of a button, and need not be a link. */
function verbatim(tokens: readonly Token[], scope: readonly Token[]): WordTarget[] {
  const words = tokens.filter(
    ({ word, kind }, at) => kind === 'quote' || !(at === 0 && /^(the|a|an|on|my)$/.test(word)),
  )
  const label = words.map(({ value }) => value).join(' ')
  return words.length > 1
    ? [{ label, quoted: false, roles: undefined, ordinal: undefined, scope: scopeWords(scope), all: false }]
    : []
}

function reading(tokens: readonly Token[], scope: readonly Token[]): WordTarget {
  let kinds: RegExp | undefined
  let ordinal: number | undefined
  let all = false
  const label: Token[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'quote') {
      label.push(token)
      continue
    }
    const found = KINDS.find(([word]) => word.test(token.word))
    const number = ordinalOf(token.word)
    if (number !== undefined && tokens.length > 1 && !token.capital) ordinal = number
    else if (token.word === 'all' || token.word === 'every' || token.word === 'each' || token.word === 'both')
      all = true
    else if (found && (tokens.length > 1 || at > 0)) kinds = found[1]
    else if (
      !/^(the|a|an|on|its|it|that|this|labeled|labelled|named|called|titled|button|item|icon|with|which|says|saying|new|text|please|for|me|my)$/.test(
        token.word,
      ) ||
      token.capital
    )
      label.push(token)
  }
  const quoted = label.find(({ kind }) => kind === 'quote')
  const words =
    quoted && (label.length === 1 || tokens.some(({ word }) => NAMED.test(word)))
      ? quoted.value
      : label.map(({ value }) => value).join(' ')
  return { label: words, quoted: quoted !== undefined, roles: kinds, ordinal, all, scope: scopeWords(scope) }
}

/** What of a place's words tells which one: names, quotes, numbers, or else all that is no mere kind. */
export function scopeWords(tokens: readonly Token[]): string {
  const bare = tokens.filter(({ kind }) => kind !== 'mark')
  const quote = bare.find(({ kind }) => kind === 'quote')
  if (quote) return quote.value
  const names = bare.filter(
    ({ capital, kind, word }) => capital || (kind !== 'word' && kind !== 'mark') || /^[@#]/.test(word),
  )
  const told = names.length > 0 ? names : bare.filter(({ word }) => !PLACES.has(word))
  return told.map(({ value }) => value).join(' ')
}

const labelsOf = (thing: SceneThing): [string, number][] => {
  const fields = /^(textbox|searchbox|combobox|listbox|slider|spinbutton|file|color|checkbox|radio|switch)$/.test(
    thing.role ?? '',
  )
  const out: [string, number][] = []
  if (thing.name) out.push([thing.name, 1])
  if (thing.text) out.push([thing.text, thing.does ? 1 : 0.97])
  if (thing.beside) out.push([thing.beside.replace(/[:*]\s*$/, ''), thing.name ? 0.9 : 0.98])
  if (thing.placeholder) out.push([thing.placeholder, 0.95])
  if (thing.described) out.push([thing.described, 0.95])
  if (thing.role === 'combobox' && thing.value && !thing.options) out.push([thing.value, 0.9])
  if (fields || (!thing.name && !thing.text)) {
    for (const own of [thing.field, thing.dom, fields ? undefined : thing.cls, fields ? undefined : thing.src])
      if (own)
        out.push([
          own
            .replace(/([a-z])([A-Z])/g, '$1 $2')
            .replace(/[_-]+/g, ' ')
            .replace(/\bicon|\bbtn\b/g, ' '),
          0.84,
        ])
  }
  return out
}

/** How well a thing's labels answer to these words. */
export function labelScore(words: string, thing: SceneThing, near?: Near): number {
  let best = 0
  for (const [label, worth] of labelsOf(thing)) {
    const { score, covers } = likeness(words, label, near)
    const fits = score * worth
    if (fits > best && (covers >= 0.8 || score >= 0.9)) best = fits
    // All words of the request in a longer label are still the label, less surely.
    else if (covers >= 0.95 && label.length < 200) best = Math.max(best, 0.72 * worth)
  }
  return best
}

export interface FindOptions {
  near?: Near | undefined
  /** Also what is not shown. */
  hidden?: boolean
  only?: (thing: SceneThing) => boolean
  /** The prompt itself, where the page shows it: its words are no label. */
  prompt?: string
}

/** Things whose label fits, best first; controls before plain text. */
export function matching(scene: Scene, { label, roles, quoted }: WordTarget, options: FindOptions = {}): Match[] {
  const found: Match[] = []
  const prompt = options.prompt ? plain(options.prompt).trim() : undefined
  for (const thing of scene.things) {
    if (!options.hidden && !isShown(thing) && !isCheckable(thing)) continue
    if (thing.disabled || (options.only && !options.only(thing))) continue
    if (!thing.does && !thing.text && !(thing.tag === 'img' || thing.tag === 'svg' || (!!thing.cls && smallBox(thing))))
      continue
    if (
      prompt &&
      thing.text &&
      !thing.does &&
      ((prompt.includes(plain(thing.text).trim()) && plain(thing.text).length > 0.4 * prompt.length) ||
        plain(thing.text).includes(prompt))
    )
      continue
    let score = labelScore(label, thing, options.near)
    if (score < (quoted ? 0.7 : 0.6)) continue
    if (roles) score += fitsKind(thing, roles) ? 0.06 : -0.08
    score += thing.does === 1 ? 0.04 : thing.does === 2 ? 0.03 : thing.does === 3 ? 0.02 : -0.05
    found.push({ thing, score })
  }
  return found.sort((a, b) => b.score - a.score || a.thing.at - b.thing.at)
}

const smallBox = ({ box }: SceneThing): boolean =>
  box !== undefined && box[2] > 3 && box[2] <= 64 && box[3] > 3 && box[3] <= 64
export const isCheckable = (thing: SceneThing): boolean =>
  /^(checkbox|radio)$/.test(thing.type ?? '') && thing.hidden !== 2

/** Things of a kind, in reading order. */
export const ofKind = (scene: Scene, kinds: RegExp): SceneThing[] =>
  scene.things.filter((thing) => isShown(thing) && !thing.disabled && kinds.test(kindOf(thing)) && kindOf(thing) !== '')

/** The nth of some matches that are equally good; -1 is the last. */
export function nth<T>(list: readonly T[], ordinal: number | undefined): T | undefined {
  if (ordinal === undefined) return list[0]
  return ordinal < 0 ? list.at(ordinal) : list[ordinal - 1]
}

/** The smallest thing around this one whose words hold those of the scope, by how much it holds. */
export function scopeCost(scene: Scene, thing: SceneThing, scope: string): number {
  const wanted = splitWords(scope)
  if (wanted.length === 0) return Number.POSITIVE_INFINITY
  for (const one of [thing, ...above(scene, thing)]) {
    const words = splitWords(`${wordsIn(scene, one, 6000)} ${one.name ?? ''}`)
    if (
      runOf(wanted, words) >= 0 ||
      (wanted.length > 1 && wanted.every((word) => words.includes(word)) && words.length < 60)
    )
      return endOf(scene, one) - one.at
  }
  return Number.POSITIVE_INFINITY
}

/** Of things with one label, the one that stands nearest to the scope's words; nothing when none is near. */
export function nearest(scene: Scene, matches: readonly Match[], scope: string): Match | undefined {
  if (!scope) return matches[0]
  const best = matches[0]?.score ?? 0
  const costs = matches
    .filter(({ score }) => score >= best - 0.25)
    .map((match) => ({ match, cost: scopeCost(scene, match.thing, scope) }))
    .filter(({ cost }) => Number.isFinite(cost))
    .sort((a, b) => a.cost - b.cost || b.match.score - a.match.score)
  const [first, second] = costs
  if (!first) return undefined
  if (second && second.cost === first.cost && Math.abs(second.match.score - first.match.score) < 0.05) {
    // The scope's words hold both: the first one after the words is meant.
    const after = costs.filter(({ cost, match }) => cost === first.cost && match.thing.at > placeOf(scene, scope))
    return (after.sort((a, b) => a.match.thing.at - b.match.thing.at)[0] ?? first).match
  }
  return first.match
}

/** Where the words stand for the first time, in the smallest thing that holds them. */
export function placeOf(scene: Scene, words: string): number {
  const wanted = splitWords(words)
  const hit = scene.things.find(
    (thing) =>
      isShown(thing) && runOf(wanted, splitWords(`${thing.text ?? ''} ${thing.does ? (thing.name ?? '') : ''}`)) >= 0,
  )
  if (hit) return hit.at
  const wide = scene.things.filter(
    (thing) => isShown(thing) && runOf(wanted, splitWords(wordsIn(scene, thing, 3000))) >= 0,
  )
  return wide.at(-1)?.at ?? -1
}

export const isOnPage = (scene: Scene, words: string): boolean => placeOf(scene, words) >= 0

/** A name for what was seen, for telling: the labels of controls, without repeats. */
export function labelsSeen(scene: Scene, max = 12): string {
  const seen = new Set<string>()
  for (const thing of scene.things) {
    if (!thing.does || !isShown(thing) || thing.disabled) continue
    const label = thing.name || thing.beside || thing.text
    if (label && keyWords(label).length > 0) seen.add(label.length > 40 ? `${label.slice(0, 39)}…` : label)
    if (seen.size > max) break
  }
  const list = [...seen]
  const shown = list
    .slice(0, max)
    .map((label) => `"${label}"`)
    .join(', ')
  return list.length > max ? `${shown} and more` : shown || 'nothing to act on'
}
