// Proposes ways to the items of a taught list: the selector that most items share, the lines of their container, a list in
// the page's data.
import { followWay, linesOf, matchesOf } from './follow-ways.ts'
import type { PageIndex, Scope } from './index-page.ts'
import { locateListInData, rangesOf } from './locate-values.ts'
import type { Way } from './program-types.ts'
import { proposeDataWays, proposeSelectors, round } from './propose-ways.ts'
import { squeezeText } from './squeeze-text.ts'

const MAX_TRIED = 60
const MAX_OCCURRENCES = 6
/** Ways that miss more of the taught items are no ways to the list. */
const MIN_AGREEMENT = 0.6

type Occurrence = { inner: number; at: number }

export function proposeListWays(page: PageIndex, taught: readonly unknown[], scope?: Scope): Way[] {
  const items = taught.map((one) => squeezeText(String(one)))
  const occurrences = items.map((item) => occurrencesOf(page, item, scope))
  const candidates: Way[] = [
    ...(scope === undefined ? proposeDataWays(locateListInData(page, taught)) : []),
    ...sharedSelectors(page, occurrences, scope),
    ...containers(page, occurrences, scope),
    ...splitTexts(page, taught, scope),
  ]
  return candidates
    .map((way) => {
      const found = followWay(page, way, scope).map(({ said }) => squeezeText(String(said)))
      const skip = othersIn(found, items)
      const left = found.filter((one) => !skip.includes(one))
      return { way: skip.length > 0 ? { ...way, skip } : way, agreement: agreementOf(left, items) - 0.01 * skip.length }
    })
    .filter(({ agreement }) => agreement >= MIN_AGREEMENT)
    .map(({ way, agreement }) => ({ ...way, trust: round((way.trust ?? 0.7) * agreement ** 2) }))
}

const MAX_SKIPPED = 4
const MAX_SKIPPED_CHARS = 40

/** A few short texts beside the items: "Method", "Print". More of them mean another list. */
function othersIn(found: readonly string[], items: readonly string[]): string[] {
  const others = found.filter(
    (one) => one.length <= MAX_SKIPPED_CHARS && !items.some((item) => item === one || isNear(item, one)),
  )
  return others.length <= Math.min(MAX_SKIPPED, items.length / 2) ? [...new Set(others)] : []
}

/** The F1 of two lists of squeezed texts, with some slack for what stands beside an item. */
export function agreementOf(found: readonly string[], wanted: readonly string[]): number {
  if (found.length === 0 || wanted.length === 0) return 0
  const known = new Set(wanted)
  let right = 0
  for (const one of found) if (known.has(one) || wanted.some((other) => isNear(one, other))) right += 1
  const set = new Set(found)
  let covered = 0
  for (const one of wanted) if (set.has(one) || found.some((other) => isNear(one, other))) covered += 1
  const [precision, recall] = [right / found.length, covered / wanted.length]
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}

function isNear(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 6 && long.length <= short.length * 1.25 + 4 && long.includes(short)
}

function occurrencesOf(page: PageIndex, item: string, scope: Scope | undefined): Occurrence[] {
  const found: Occurrence[] = []
  for (const { from, to } of rangesOf(page, item, scope)) {
    const inner = page.elementAround(from, to)
    if (inner >= 0) found.push({ inner, at: from })
    if (found.length >= MAX_OCCURRENCES) break
  }
  return found
}

function sharedSelectors(page: PageIndex, occurrences: readonly Occurrence[][], scope: Scope | undefined): Way[] {
  const tally = new Map<string, { items: Set<number>; trust: number }>()
  const { of } = page.squeezed
  for (const [item, found] of occurrences.slice(0, 40).entries())
    for (const { inner } of found) {
      const size = of(page.to[inner]!) - of(page.from[inner]!)
      // Up to the largest element that says little more than the item.
      for (let index = inner, step = 0; index > (scope?.owner ?? -1) && step < 5; index = page.parent[index]!, step++) {
        if (of(page.to[index]!) - of(page.from[index]!) > size * 1.15 + 4) break
        for (const { css, trust } of proposeSelectors(page, index, scope)) {
          const known = tally.get(css)
          if (known) known.items.add(item)
          else tally.set(css, { items: new Set([item]), trust })
        }
      }
    }
  const least = Math.max(1, Math.min(occurrences.length, 40) * 0.4)
  return [...tally]
    .filter(
      ([css, { items }]) => items.size >= least && matchesOf(page, css, scope).length <= occurrences.length * 4 + 40,
    )
    .sort(([, a], [, b]) => b.items.size - a.items.size || b.trust - a.trust)
    .slice(0, MAX_TRIED)
    .map(([css, { trust }]) => ({ css, trust }))
}

/** Items that are lines of one container, and no elements of their own. */
function containers(page: PageIndex, occurrences: readonly Occurrence[][], scope: Scope | undefined): Way[] {
  const found = occurrences.filter((one) => one.length > 0)
  const ways: Way[] = []
  const tried = new Set<number>()
  for (const first of found[0] ?? []) {
    let behind = first.at
    let last = first
    for (const one of found.slice(1)) {
      const next = one.find(({ at }) => at > behind)
      if (!next) continue
      behind = next.at
      last = next
    }
    let around = first.inner
    while (around >= 0 && !page.isWithin(last.inner, around)) around = page.parent[around]!
    if (around < 0 || tried.has(around) || linesOf(page, page.scopeOf(around)).length > occurrences.length * 3 + 10)
      continue
    tried.add(around)
    for (const { css, trust } of proposeSelectors(page, around, scope)) {
      const nth = matchesOf(page, css, scope).indexOf(around)
      // `nth` would count lines; only the selector's sole match serves.
      if (nth === 0 && matchesOf(page, css, scope).length === 1)
        ways.push({ css, take: 'lines', trust: round(trust * 0.9) })
    }
  }
  return ways.slice(0, MAX_TRIED)
}

const SEPARATORS = [', ', ' / ', ' | ', ' · ', ' • ', '; ', ',', '/', ' ']

/** "A, B, C" in one element. */
function splitTexts(page: PageIndex, taught: readonly unknown[], scope: Scope | undefined): Way[] {
  const whole = taught.map((one) => squeezeText(String(one))).join('')
  const ways: Way[] = []
  for (const { inner } of occurrencesOf(page, whole, scope)) {
    const text = page.textOf(inner)
    if (squeezeText(text) !== whole) continue
    // Of one item nothing is known but that the value is a list.
    const split = taught.length === 1 ? ', ' : SEPARATORS.find((sign) => text.split(sign).length === taught.length)
    if (!split) continue
    for (const { css, trust } of proposeSelectors(page, inner, scope))
      if (matchesOf(page, css, scope).length === 1)
        ways.push({ css, split, trust: round(trust * (taught.length === 1 ? 1.02 : 0.9)) })
  }
  return ways.slice(0, 10)
}
