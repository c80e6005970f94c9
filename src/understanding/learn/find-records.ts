// Finds the repeated part of which one or two records were taught: an element, or neighbouring elements that begin with
// the same kind of element.
import { isObject } from '../../base/values.ts'
import { isElement } from '../../content/parse-tree.ts'
import { matchesOf, xpathMatchesOf } from './follow-ways.ts'
import type { PageIndex, Scope } from './index-page.ts'
import { locateInElements } from './locate-values.ts'
import type { Way } from './program-types.ts'
import { proposeSelectors } from './propose-ways.ts'

interface RecordCandidate {
  way: Way
  /** For each taught record, the part of the page that it is. */
  taught: Scope[]
  all: Scope[]
}

const MAX_UP = 8
const MAX_ANCHORS = 12
const MAX_CANDIDATES = 40
const MAX_RECORDS = 1000

/** The parts of a page that a way to records names, in document order. */
export function recordScopes(page: PageIndex, { css, xpath, take }: Way, within?: Scope): Scope[] {
  const found =
    css !== undefined
      ? matchesOf(page, css, within)
      : xpathMatchesOf(page, xpath ?? '/..', within).filter((one) => typeof one === 'number')
  const matches = found.slice(0, MAX_RECORDS).filter((index) => !isHeaderRow(page, index))
  if (take !== 'siblings') return matches.map((index) => page.scopeOf(index, css))
  const scopes: Scope[] = []
  const open = new Map<number, Scope>()
  for (const first of matches) {
    const owner = page.parent[first]!
    if (owner < 0) continue
    const before = open.get(owner)
    if (before) Object.assign(before, { end: first, to: page.from[first]! })
    const scope = { first, end: page.end[owner]!, from: page.from[first]!, to: page.to[owner]!, owner }
    open.set(owner, scope)
    scopes.push(scope)
  }
  return scopes
}

function isHeaderRow({ elements }: PageIndex, index: number): boolean {
  const { name, children } = elements[index]!
  const cells = name === 'tr' ? children.filter(isElement) : []
  return cells.length > 0 && cells.every((cell) => cell.name === 'th')
}

/** Likely parts, with those first that hold most of the taught values in the least text. */
export function findRecordParts(
  page: PageIndex,
  records: readonly Record<string, unknown>[],
  within?: Scope,
): RecordCandidate[] {
  const windows = records.map((record) => windowsOf(page, record, within))
  const ways = new Map<string, Way>()
  for (const window of (windows[0] ?? []).flatMap(withoutFar))
    for (const way of [...elementWays(page, window, within), ...siblingWays(page, window)])
      ways.set(JSON.stringify([way.css, way.take]), way)
  const found: (RecordCandidate & { held: number; size: number })[] = []
  for (const way of ways.values()) {
    const all = recordScopes(page, way, within)
    if (all.length < 2 || all.some((scope, n) => n > 0 && scope.first < all[n - 1]!.end)) continue
    // One in each parent: the parent is the record.
    if (way.take === 'siblings' && new Set(all.map(({ owner }) => owner)).size === all.length) continue
    const best = windows.map((some) => bestScope(all, some))
    if (best.some((one) => one === undefined) || new Set(best.map((one) => one!.scope)).size < best.length) continue
    const held = best.reduce((sum, one) => sum + one!.held, 0)
    found.push({ way, all, taught: best.map((one) => one!.scope), held, size: best[0]!.scope.to - best[0]!.scope.from })
  }
  return found
    .sort((a, b) => b.held - a.held || a.size - b.size || b.all.length - a.all.length || b.way.trust! - a.way.trust!)
    .slice(0, MAX_CANDIDATES)
}

const bestScope = (all: readonly Scope[], windows: readonly Window[]): { scope: Scope; held: number } | undefined => {
  let best: { scope: Scope; held: number } | undefined
  for (const { places } of windows)
    for (const scope of all) {
      const held = places.filter(({ from }) => from >= scope.from && from < scope.to).length
      if (held > (best?.held ?? 0)) best = { scope, held }
    }
  return best
}

type Place = { index: number; from: number }

interface Window {
  /** One place for each value that was found, in document order. */
  places: Place[]
}

/** The closest places of all values of a record, from several starts. */
function windowsOf(page: PageIndex, record: Record<string, unknown>, within: Scope | undefined): Window[] {
  const values = Object.values(record).flatMap((value) => {
    const one: unknown = Array.isArray(value) ? value[0] : value
    return isObject(one) || one === null || one === undefined || one === '' || typeof one === 'boolean' ? [] : [one]
  })
  const found = values
    .map((value) => locateInElements(page, value, within).map(({ inner, from }) => ({ index: inner, from })))
    .filter((places) => places.length > 0)
    .sort((a, b) => a.length - b.length)
  const [anchors = [], ...others] = found
  const windows = anchors.slice(0, MAX_ANCHORS).map((anchor) => {
    const near = others.map((places) =>
      places.reduce((best, one) => (distance(one, anchor) < distance(best, anchor) ? one : best)),
    )
    const places = [anchor, ...near].sort(inOrder)
    return { places, span: places.at(-1)!.from - places[0]!.from }
  })
  const least = Math.min(...windows.map(({ span }) => span))
  return windows.filter(({ span }) => span <= least * 3 + 200).slice(0, 4)
}

const distance = (a: Place, b: Place): number => Math.abs(a.from - b.from)

const lowestAround = (page: PageIndex, { places }: Window): number => {
  let around = places[0]!.index
  while (around >= 0 && !places.every(({ index }) => page.isWithin(index, around))) around = page.parent[around]!
  return around
}

/** The window, and smaller ones without the values that are farthest from the others: a day's heading above its records. */
function withoutFar(window: Window): Window[] {
  const { places } = window
  const middle = places[places.length >> 1]!
  const near = [...places].sort((a, b) => distance(a, middle) - distance(b, middle))
  return [1, 0.75, 0.5].map((share) => ({ places: near.slice(0, Math.ceil(near.length * share)).sort(inOrder) }))
}

const inOrder = (a: Place, b: Place): number => a.from - b.from || a.index - b.index

function* elementWays(page: PageIndex, window: Window, within: Scope | undefined): Generator<Way> {
  let index = lowestAround(page, window)
  for (let step = 0; index > (within?.owner ?? -1) && step < MAX_UP; index = page.parent[index]!, step++) {
    if (['html', 'body', 'head'].includes(page.elements[index]!.name)) return
    for (const { css, trust } of proposeSelectors(page, index)) yield { css, trust }
    for (const css of pathsDown(page, index)) yield { css, trust: 0.5 }
  }
}

/** Tags below the closest ancestor with a name, for parts without names. */
function pathsDown(page: PageIndex, index: number): string[] {
  const steps: string[] = []
  for (let up = index, step = 0; up >= 0 && step < 4; up = page.parent[up]!, step++) {
    steps.unshift(page.elements[up]!.name)
    const above = page.parent[up]!
    const [named] = above < 0 ? [] : proposeSelectors(page, above).filter(({ trust }) => trust >= 0.5)
    if (named && !named.css.includes(' ')) return [`${named.css} > ${steps.join(' > ')}`]
  }
  return [steps.join(' > ')]
}

const MAX_HEADS = 4

/** Elements that begin a record among its neighbours. */
function* siblingWays(page: PageIndex, window: Window): Generator<Way> {
  const around = lowestAround(page, window)
  if (around < 0) return
  let head = window.places[0]!.index
  while (head >= 0 && page.parent[head] !== around) head = page.parent[head]!
  for (let n = 0; head > around && n < MAX_HEADS; n++) {
    const { name } = page.elements[head]!
    const words = page.textOf(head)
    if (words.length > 1 && words.length <= 30 && !/["\\\n]/.test(words))
      yield { css: `${name}:contains("${words}")`, take: 'siblings', trust: 0.7 }
    for (const { css, trust } of proposeSelectors(page, head)) yield { css, take: 'siblings', trust: trust * 0.95 }
    head = previousSibling(page, head)
  }
}

function previousSibling(page: PageIndex, index: number): number {
  const parent = page.parent[index]!
  let before = index - 1
  while (before > parent && page.parent[before] !== parent) before = page.parent[before]!
  return before > parent ? before : -1
}
