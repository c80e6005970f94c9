// Presses, keys, hovering and opening: acts on one thing that the words name.
import type { Clause } from './clauses.ts'
import { type FoundThing, findTarget, nameOf, notFound, type PromptContext, quoted, tell } from './context.ts'
import { complaints } from './effects.ts'
import { keyWords, plain, stem } from './likeness.ts'
import { contains } from './reading.ts'
import { above, inside, isShown, labelOf, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { seekOnPages } from './seeking.ts'
import { looksIn, sighted } from './sight.ts'
import { kindOf, matching, ofKind, readings, scopeWords, type WordTarget } from './targets.ts'
import { numberOf, ordinalOf, type Token } from './tokens.ts'

const KEYS: Record<string, string> = {
  enter: 'Enter',
  return: 'Enter',
  escape: 'Escape',
  esc: 'Escape',
  tab: 'Tab',
  space: 'Space',
  spacebar: 'Space',
  backspace: 'Backspace',
  delete: 'Delete',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  ctrl: 'Control',
  control: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
  meta: 'Meta',
}

/** `Ctrl+K`, `Enter`, `arrow down`, `/` in the browser's spelling; nothing when the words name no key. */
export function keyOf(tokens: readonly Token[]): string | undefined {
  const combo = tokens.find(({ kind }) => kind === 'key')
  if (combo) {
    const parts = combo.value.split(/ ?\+ ?(?=.)/)
    return parts
      .map(
        (part, at) =>
          KEYS[part.toLowerCase()] ?? (at === parts.length - 1 && part.length === 1 ? part.toLowerCase() : part),
      )
      .join('+')
  }
  const bare = tokens.filter(
    ({ word, kind }) =>
      !/^(the|key|keys|on|this|page|keyboard|button|arrow|shortcut|with|a)$/.test(word) &&
      !(kind === 'mark' && /^[.,]$/.test(word)),
  )
  const [only] = bare
  if (!only || bare.length !== 1) return undefined
  const named = KEYS[only.word.replace(/^arrow-?/, '')]
  if (named && (named !== 'Delete' || tokens.some(({ word }) => word === 'key')))
    return /^(up|down|left|right|home|end)$/.test(only.word) && !tokens.some(({ word }) => /arrow|key/.test(word))
      ? undefined
      : named
  if (/^f\d{1,2}$/.test(only.word)) return only.word.toUpperCase()
  if (only.kind === 'mark' || (only.value.length === 1 && tokens.some(({ word }) => /^(key|shortcut)$/.test(word))))
    return only.value
  return undefined
}

export async function pressKey(ground: PromptContext, combo: string): Promise<boolean> {
  const changed = await ground.hands.key(combo)
  return tell(ground, true, `Pressed the key ${combo}${changed ? '' : '; the page shows no change'}.`)
}

/** Presses one thing and tells it, with what the page complained about. */
export async function pressThing(ground: PromptContext, thing: SceneThing, times = 1): Promise<boolean> {
  const { hands } = ground
  const before = hands.scene
  const name = nameOf(thing)
  const news = hands.news.length
  let changed = false
  for (let time = 0; time < times; time++) {
    const now = time === 0 ? thing : hands.again(thing)
    if (!now) break
    changed = (await hands.press(now)) || changed
  }
  const wrong = complaints(before, hands.scene)
  const said = [`Pressed ${name}${times > 1 ? ` ${times} times` : ''}`, ...hands.news.slice(news)]
  if (!changed) said.push('the page shows no change')
  ground.pending = wrong.length > 0 ? thing : undefined
  // Words that nothing happens to are no button.
  if (!changed && !thing.does) return tell(ground, false, `Could not press ${name}: it does nothing.`)
  if (wrong.length > 0) said.push(`the page says: ${wrong.slice(0, 3).join(' / ')}`)
  return tell(ground, wrong.length === 0, `${said.join('; ')}.`)
}

const timesIn = (tokens: readonly Token[]): number => {
  const at = tokens.findIndex(({ word }) => word === 'times')
  if (at > 0) return numberOf(tokens[at - 1]!.word) ?? 1
  return tokens.some(({ word }) => word === 'twice') ? 2 : 1
}

export async function actPress(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const times = timesIn(clause.rest)
  const purpose = clause.rest.findIndex(
    ({ word }, at) => at > 0 && word === 'to' && /^(icon|button|link|image)$/.test(clause.rest[at - 1]!.word),
  )
  let tokens = purpose > 0 ? clause.rest.slice(0, purpose) : clause.rest
  if (times > 1)
    tokens = tokens.filter(({ word }, at) => !/^(times|twice)$/.test(word) && tokens[at + 1]?.word !== 'times')
  const key = keyOf(tokens)
  if (key && (tokens.some(({ kind }) => kind === 'key') || !hasNamed(ground, tokens, true)))
    return pressKey(ground, key)
  const many = await pressMany(ground, clause, tokens)
  if (many !== undefined) return many
  const looks = looksIn(tokens.filter(({ kind }) => kind === 'word').map(({ word }) => word))
  if (looks && !hasNamed(ground, tokens)) {
    const seen = sighted(hands.scene, looks)
    if (seen[0]) return pressThing(ground, seen[0].thing, times)
  }
  const extreme = extremeOf(hands.scene, tokens)
  if (extreme) return pressThing(ground, extreme)
  const spread = await pressNthOfList(ground, tokens)
  if (spread !== undefined) return spread
  const found =
    (await findTarget(ground, tokens, { where: clause.where, seek: clause.act !== 'open' })) ??
    (await findNamed(ground, clause, tokens))
  if (found) {
    if (/^(checkbox|radio|switch)$/.test(found.thing.role ?? '') && found.thing.type) {
      const done = await hands.check(found.thing, true)
      return tell(ground, done, done ? `Ticked ${nameOf(found.thing)}.` : `Could not tick ${nameOf(found.thing)}.`)
    }
    const button = found.thing.does ? found.thing : (controlBeside(hands.scene, found.thing) ?? found.thing)
    ground.memory.scope = undefined as never
    return pressThing(ground, button, times)
  }
  return notFound(ground, quoted(tokens.map(({ value }) => value).join(' ')))
}

/** "Open the profile of Ada": where nothing is called a profile, the name itself is what is opened. */
async function findNamed(
  ground: PromptContext,
  clause: Clause,
  tokens: readonly Token[],
): Promise<FoundThing | undefined> {
  if (clause.act !== 'open') return undefined
  const of = tokens.findIndex(({ word }, at) => at > 0 && /^(of|by|for|about)$/.test(word))
  const names =
    of < 0
      ? []
      : tokens.slice(of + 1).filter(({ capital, kind, word }) => capital || kind === 'quote' || /^[@#]/.test(word))
  return (
    (names.length > 0 ? await findTarget(ground, names) : undefined) ??
    findTarget(ground, tokens, { where: clause.where })
  )
}

/** "Email: a@b.c": the words are the label of the control right after them. */
function controlBeside(scene: Scene, words: SceneThing): SceneThing | undefined {
  if (!/:\s*$/.test(words.text ?? '')) return undefined
  const around = [words, scene.things[words.up]!].flatMap((one) => inside(scene, one))
  return around.find((thing) => thing.at > words.at && thing.does && isShown(thing))
}

const hasNamed = ({ hands }: PromptContext, tokens: readonly Token[], pressable = false): boolean =>
  readings(tokens).some((target) => {
    const [best] = target.label === '' ? [] : matching(hands.scene, target, { prompt: hands.prompt })
    return best !== undefined && best.score > 0.9 && (!pressable || best.thing.does !== undefined)
  })

/** "the Like button on all posts by @x", "on 2 posts by @x": every unit of the page that has both. */
async function pressMany(
  ground: PromptContext,
  clause: Clause,
  tokens: readonly Token[],
): Promise<boolean | undefined> {
  const every = tokens.findIndex(({ word, kind }) => kind === 'word' && /^(all|every|each)$/.test(word))
  const some = tokens.findIndex(
    ({ word, kind }, at) =>
      at > 0 &&
      kind !== 'quote' &&
      /^(on|of|for|from)$/.test(tokens[at - 1]!.word) &&
      numberOf(word) !== undefined &&
      (numberOf(word) ?? 0) > 1,
  )
  const at = every >= 0 ? every : some
  if (at < 0) return undefined
  const { hands } = ground
  const label = tokens.slice(0, at).filter(({ word }) => !/^(on|of|for|the|from|in)$/.test(word))
  const rest = tokens.slice(at + 1)
  const named = label.length > 0 ? label : rest
  const ways = readings(named)
  const has = (way: WordTarget) =>
    way.label !== '' && matching(hands.scene, way, { prompt: hands.prompt }).some(({ score }) => score > 0.75)
  const target = ways.find(has) ?? ways[0]!
  const scope = label.length > 0 ? scopeWords(rest) : ''
  const most = some >= 0 && every < 0 ? (numberOf(tokens[some]!.word) ?? 1) : Number.POSITIVE_INFINITY
  const done = new Set<string>()
  const next = (): SceneThing | undefined => {
    const same = target.label
      ? matching(hands.scene, target, { prompt: hands.prompt })
          .filter(({ score }) => score > 0.75)
          .map(({ thing }) => thing)
      : ofKind(hands.scene, target.roles ?? /^button$/)
    return same
      .sort((a, b) => a.at - b.at)
      .find(
        (thing) =>
          !done.has(thing.ref) &&
          (!scope || contains(wordsIn(hands.scene, unitOf(hands.scene, thing, same), 3000), scope)),
      )
  }
  while (done.size < most && done.size < 100) {
    const thing = next()
    if (!thing) break
    done.add(thing.ref)
    await hands.press(thing)
  }
  if (done.size === 0 || (Number.isFinite(most) && done.size < most))
    return notFound(ground, `${quoted(clause.text)} (${done.size} found)`)
  return tell(
    ground,
    true,
    `Pressed ${quoted(target.label || 'them')} ${done.size} times${scope ? ` at ${quoted(scope)}` : ''}.`,
  )
}

/** The largest thing around this one that has no other of the same label: a post, a row, a card. */
export function unitOf(scene: Scene, thing: SceneThing, same: readonly SceneThing[]): SceneThing {
  let unit = thing
  for (const one of above(scene, thing)) {
    if (same.some((other) => other !== thing && other.at >= one.at && isIn(scene, other, one))) return unit
    unit = one
  }
  return unit
}

const isIn = (scene: Scene, thing: SceneThing, outer: SceneThing): boolean => above(scene, thing).includes(outer)

/** "the card with the greatest number": of things that are a number and can be pressed. */
export function extremeOf(scene: Scene, tokens: readonly Token[]): SceneThing | undefined {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ word }) => word)
  const way = words.some((word) => /^(greatest|highest|largest|biggest|maximum)$/.test(word))
    ? 1
    : words.some((word) => /^(smallest|lowest|least|minimum)$/.test(word))
      ? -1
      : 0
  if (way === 0) return undefined
  const numbers = scene.things.filter(
    (thing) => isShown(thing) && thing.does && !thing.disabled && numberOf(labelOf(thing).trim()) !== undefined,
  )
  return numbers.length < 2
    ? undefined
    : numbers.sort((a, b) => way * (numberOf(labelOf(b).trim())! - numberOf(labelOf(a).trim())!))[0]
}

/** "the 5th search result": the nth of the longest run of links of one make, over pages. */
async function pressNthOfList(ground: PromptContext, tokens: readonly Token[]): Promise<boolean | undefined> {
  const ordinal = tokens.find(({ kind, word }) => kind !== 'quote' && ordinalOf(word) !== undefined)
  const noun = tokens.filter(
    ({ word }) => ordinalOf(word) === undefined && !/^(the|on|in|of|search|list|from|this)$/.test(word),
  )
  if (
    !ordinal ||
    noun.length !== 1 ||
    !/^(result|item|entry|link|article|product|post|story|headline|row)s?$/.test(noun[0]!.word)
  )
    return undefined
  const { hands } = ground
  const wanted = ordinalOf(ordinal.word)!
  let passed = 0
  let at: SceneThing | undefined
  const isThere = (scene: Scene): boolean => {
    const list = linkRun(scene)
    at = wanted < 0 ? list.at(wanted) : list[wanted - passed - 1]
    if (!at) passed += list.length
    return at !== undefined
  }
  if (!(await seekOnPages(hands, isThere)) || !at) return undefined
  return pressThing(ground, at)
}

function linkRun(scene: Scene): SceneThing[] {
  const runs = new Map<string, SceneThing[]>()
  for (const thing of scene.things) {
    if (!isShown(thing) || !thing.does || !/^(link|clickable)$/.test(kindOf(thing)) || !labelOf(thing)) continue
    const parents = above(scene, thing).slice(0, 2)
    if (
      above(scene, thing).some(({ role, cls }) => role === 'navigation' || /pagin|pager/i.test(cls ?? '')) ||
      /^(\d+|[<>‹›«»]|next|prev.*)$/i.test(labelOf(thing).trim())
    )
      continue
    const key = [thing.tag, thing.cls, ...parents.map(({ tag, cls }) => `${tag}.${cls}`)].join('|')
    runs.set(key, [...(runs.get(key) ?? []), thing])
  }
  return [...runs.values()].sort((a, b) => b.length - a.length)[0] ?? []
}

export async function actHover(ground: PromptContext, clause: Clause): Promise<boolean> {
  const found = await findTarget(ground, clause.rest, { where: clause.where })
  if (!found) return notFound(ground, quoted(clause.text))
  await ground.hands.hover(found.thing)
  return tell(ground, true, `Moved the pointer over ${nameOf(found.thing)}.`)
}

/** "Select A > B > C": each item of a menu after the one that opens it. */
export async function pressPath(ground: PromptContext, names: readonly string[]): Promise<boolean> {
  const { hands } = ground
  for (const [at, name] of names.entries()) {
    const last = at === names.length - 1
    const item = () =>
      matching(
        hands.scene,
        { label: name, quoted: true, roles: undefined, ordinal: undefined, scope: '', all: false },
        { prompt: hands.prompt },
      ).find(({ score }) => score > 0.9)?.thing
    await hands.until(() => item() !== undefined, at === 0 ? 0 : 900)
    const thing = item()
    if (!thing) return notFound(ground, `${quoted(name)} in the menu`)
    if (last) return pressThing(ground, thing)
    const opens = await hands.hover(thing)
    if (
      !opens ||
      !(await hands.until(
        (scene) =>
          inside(scene, scene.things[0]!).some(
            (one) => isShown(one) && stem(plain(labelOf(one)).trim()) === stem(plain(names[at + 1]!).trim()),
          ),
        600,
      ))
    )
      await hands.press(thing)
    tell(ground, true, `Opened ${nameOf(thing)}.`)
  }
  return true
}

export const menuPath = (clause: Clause): string[] | undefined => {
  const marks = clause.rest.filter(({ word, kind }) => kind === 'mark' && /^[>›→»]$/.test(word))
  if (marks.length === 0) return undefined
  const parts: Token[][] = [[]]
  for (const token of clause.rest)
    if (marks.includes(token)) parts.push([])
    else parts.at(-1)!.push(token)
  return parts
    .map((part) =>
      part
        .map(({ value }) => value)
        .join(' ')
        .trim(),
    )
    .filter((name) => keyWords(name).length > 0)
}
