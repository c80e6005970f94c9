// What all acts of one prompt share: the hands, what was told so far, and what later words refer back to.
import type { Clause } from './clauses.ts'
import type { PageDriver } from './page-driver.ts'
import { isShown, labelOf, type SceneThing } from './scene.ts'
import { reveal, seekByScroll, seekInFolds, seekOnPages } from './seeking.ts'
import {
  kindNamed,
  kindOf,
  labelsSeen,
  type Match,
  matching,
  nearest,
  nth,
  ofKind,
  readings,
  scopeWords,
  type WordTarget,
} from './targets.ts'
import type { Token } from './tokens.ts'

export interface PromptReport {
  ok: boolean
  text: string
}

export interface PromptContext {
  hands: PageDriver
  prompt: string
  clauses: readonly Clause[]
  /** The clause that is being done. */
  at: number
  steps: PromptReport[]
  memory: {
    /** "it", "that": a text that was copied, found or worked out. */
    value?: string
    /** "its button": words of what was found. */
    scope?: string
    thing?: SceneThing
  }
  /** Refs of fields that got a value from this prompt. */
  filled: Set<string>
  /** The last thing a value was put into. */
  last?: SceneThing
  /** A clause put values into a form without saying what to press. */
  wantsSubmit: boolean
  /** Pressed to send a form that then complained. */
  pending?: SceneThing | undefined
}

export function tell(ground: PromptContext, ok: boolean, text: string): boolean {
  ground.steps.push({ ok, text })
  return ok
}

export const quoted = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`

export const notFound = (ground: PromptContext, what: string): boolean =>
  tell(ground, false, `Could not find ${what}. The page shows ${labelsSeen(ground.hands.scene)}.`)

/** Scores from which on a label is taken for the one that was meant. */
const SURE = 0.86
const FAIR = 0.7

export interface FoundThing {
  thing: SceneThing
  /** How many others answer to the same words. */
  others: number
}

export interface SearchOptions {
  where?: readonly Token[] | undefined
  only?: (thing: SceneThing) => boolean
  seek?: boolean
}

/** The thing that some words mean, brought to light if it is hidden; nothing when the page has none. */
export async function findTarget(
  ground: PromptContext,
  tokens: readonly Token[],
  options: SearchOptions = {},
): Promise<FoundThing | undefined> {
  const { hands } = ground
  const targets = readings(tokens)
  const place = options.where?.length ? scopeWords(options.where) || readings(options.where)[0]!.label : ''
  if (place) for (const target of targets) target.scope ||= place
  const refers = targets[0]!.label === '' || /^(it|that|them|this|one)$/i.test(targets[0]!.label)
  const names = tokens.filter(
    ({ kind, word }) => kind !== 'mark' && !/^(it|that|this|them|the|one|on|for|to|up|out|its?)$/.test(word),
  )
  if (names.length === 0 && ground.memory.thing && refers) {
    const thing = hands.again(ground.memory.thing)
    if (thing) return { thing, others: 0 }
  }
  for (const target of targets)
    if (!target.scope && ground.memory.scope && target.label !== ground.memory.scope) target.scope = ground.memory.scope
  const shown = bestOf(ground, targets, options, false)
  if (shown) return shown
  // Where it is said to be may not be written on the page; a label that is there once is meant all the same.
  const anywhere = place
    ? bestOf(
        ground,
        targets.map((target) => (target.scope === place ? { ...target, scope: '' } : target)),
        options,
        false,
      )
    : undefined
  if (anywhere?.others === 0 && anywhere.thing.does) return anywhere
  const hidden = bestOf(ground, targets, options, true)
  if (hidden && (await reveal(hands, hidden.thing))) {
    const thing = hands.again(hidden.thing)
    if (thing) return { thing, others: hidden.others }
  }
  if (options.seek === false) return undefined
  const isThere = () => bestOf(ground, targets, options, false) !== undefined
  const found =
    (await seekOnPages(hands, isThere)) || (await seekByScroll(hands, isThere)) || (await seekInFolds(hands, isThere))
  return found ? bestOf(ground, targets, options, false) : undefined
}

function bestOf(
  ground: PromptContext,
  targets: readonly WordTarget[],
  options: SearchOptions,
  hidden: boolean,
): FoundThing | undefined {
  const { scene, near, prompt } = ground.hands
  for (const bar of hidden ? [SURE] : [SURE, FAIR]) {
    for (const target of targets) {
      const kind = kindNamed(target.label)
      if (target.label === '' || (kind && target.quoted && bar === FAIR)) {
        target.roles ??= kind
        const thing =
          target.roles && !hidden
            ? nth(
                ofKind(scene, target.roles).filter((one) => options.only?.(one) ?? true),
                target.ordinal,
              )
            : undefined
        if (thing && !target.scope) return { thing, others: 0 }
        continue
      }
      const matches = matching(scene, target, {
        near,
        prompt,
        hidden,
        ...(options.only && { only: options.only }),
      }).filter(({ thing }) => !hidden || !isShown(thing))
      const good = matches.filter(({ score }) => score >= bar)
      const match = chosen(ground, good, target)
      if (match)
        return { thing: match.thing, others: good.filter(({ score }) => score > match.score - 0.02).length - 1 }
    }
  }
  return undefined
}

function chosen(
  { hands: { scene } }: PromptContext,
  matches: readonly Match[],
  { scope, ordinal }: WordTarget,
): Match | undefined {
  if (matches.length === 0) return undefined
  const best = matches[0]!.score
  if (ordinal !== undefined) {
    const equal = matches.filter(({ score }) => score > best - 0.08).sort((a, b) => a.thing.at - b.thing.at)
    return nth(equal, ordinal)
  }
  if (scope) return nearest(scene, matches, scope)
  // What lies over the page comes first, then controls before words.
  return matches.find(({ thing, score }) => score > best - 0.02 && thing.does) ?? matches[0]
}

export const nameOf = (thing: SceneThing): string => quoted(labelOf(thing) || kindOf(thing) || thing.tag)
