// Follows one way on a page: structured data, script state, elements or the place beside a label. Bounded.
import type { Element } from 'domhandler'
import { isObject } from '../../base/values.ts'
import { compileSelector } from '../../content/compile-selector.ts'
import { collapseSpaces } from '../../content/parse-tree.ts'
import type { Said } from './convert-value.ts'
import type { PageIndex } from './index-page.ts'
import type { Way } from './program-types.ts'
import { squeezeText } from './squeeze-text.ts'

const MAX_MATCHES = 2000
const MAX_STEPS = 20_000

/** What a way finds, in document order. */
export function followWay(page: PageIndex, way: Way, scope?: number): Said[] {
  const found = placesOf(page, way, scope)
  const one = way.nth === undefined ? found : [found.at(way.nth)].filter((said) => said !== undefined)
  const cut = way.after === undefined && way.before === undefined ? one : one.flatMap((said) => cutText(said, way))
  if (way.split === undefined) return cut
  return cut.flatMap((said) => (typeof said === 'string' ? said.split(way.split!, MAX_MATCHES) : said))
}

function placesOf(page: PageIndex, way: Way, scope: number | undefined): Said[] {
  if (way.data !== undefined) return dataAt(page.data.things, way.data)
  if (way.state !== undefined) {
    const values = page.data.states.filter(({ name }) => name === way.state).map(({ value }) => value)
    return valuesAt(values, way.path ?? '')
  }
  if (way.css !== undefined) return matchesOf(page, way.css, scope).flatMap((index) => takeFrom(page, index, way.take))
  if (way.label !== undefined) return besideLabel(page, way.label, scope, way.take)
  return []
}

// --- structured data -------------------------------------------------------------------------------------------------

/** `Product.offers.price`: the type of a thing anywhere in the data, then properties. */
function dataAt(things: readonly unknown[], path: string): Said[] {
  const [type = '', ...rest] = stepsOf(path)
  return valuesOf(thingsOfType(things, type), rest)
}

function thingsOfType(things: readonly unknown[], type: string): unknown[] {
  const found: unknown[] = []
  const open = [...things].reverse()
  for (let steps = 0; open.length > 0 && steps < MAX_STEPS; steps++) {
    const one = open.pop()
    if (Array.isArray(one)) open.push(...one.slice(0, MAX_MATCHES).reverse())
    else if (isObject(one)) {
      if (Array.isArray(one['@type']) && one['@type'].includes(type)) found.push(one)
      open.push(
        ...Object.values(one)
          .slice(0, 200)
          .filter((inner) => typeof inner === 'object')
          .reverse(),
      )
    }
  }
  return found
}

const valuesAt = (roots: readonly unknown[], path: string): Said[] => valuesOf(roots, stepsOf(path))

/** Lists are passed through; `[0]` takes an item of one. `*` is any property. */
function valuesOf(roots: readonly unknown[], steps: readonly string[]): Said[] {
  let values: unknown[] = [...roots]
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of values) {
      if (next.length >= MAX_MATCHES) break
      const index = /^\[(-?\d+)\]$/.exec(step)?.[1]
      if (index !== undefined) {
        if (Array.isArray(value)) next.push(value.at(Number(index)))
        continue
      }
      for (const one of Array.isArray(value) ? value.slice(0, MAX_MATCHES) : [value]) {
        if (!isObject(one)) continue
        if (step === '*') next.push(...Object.values(one).slice(0, 200))
        else if (Object.hasOwn(one, step)) next.push(one[step])
      }
    }
    values = next.filter((value) => value !== undefined && value !== null)
  }
  return values.flatMap((value) => (Array.isArray(value) ? value.slice(0, MAX_MATCHES) : value)) as Said[]
}

/** `a.b[0]["c.d"]` as its steps; an index keeps its brackets. */
function stepsOf(path: string): string[] {
  return [...path.slice(0, 1000).matchAll(/\[(-?\d{1,6})\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(
    ([, index, quoted, plain]) => (index !== undefined ? `[${index}]` : (quoted?.replace(/\\(.)/g, '$1') ?? plain!)),
  )
}

export const writeStep = (name: string): string =>
  /^[^.[\]"\\]+$/.test(name) ? `.${name}` : `["${name.replace(/["\\]/g, '\\$&')}"]`

// --- elements --------------------------------------------------------------------------------------------------------

const compiled = new Map<string, (element: Element) => boolean>()
const MAX_COMPILED = 2000

function testOf(css: string): (element: Element) => boolean {
  const known = compiled.get(css)
  if (known) return known
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  const made = compileSelector(css)
  compiled.set(css, made)
  return made
}

/** The matched element's own step in a selector without alternatives: its cheapest key for the page's index. */
function keyOf(css: string): string {
  if (/[,()]/.test(css)) return ''
  const last = /(?:^|[\s>+~])((?:[^\s>+~[\]"']|\[[^\]]*\])+)\s*$/.exec(css)?.[1] ?? ''
  const bare = last.replace(/\[[^\]]*\]/g, '')
  if (/[:\\]/.test(bare)) return ''
  const named = /[.#][\w-]+/.exec(bare)?.[0] ?? /^[a-z][\w-]*/.exec(bare)?.[0]
  const attribute = /\[([\w:-]+)/.exec(last)?.[1]
  return named ?? (attribute && attribute !== 'class' && attribute !== 'id' ? `[${attribute}]` : '')
}

const remembered = new WeakMap<PageIndex, Map<string, number[]>>()

/** Indexes of the elements that a selector matches, in document order. */
export function matchesOf(page: PageIndex, css: string, scope?: number): number[] {
  const memory = remembered.get(page) ?? new Map<string, number[]>()
  remembered.set(page, memory)
  let found = memory.get(css)
  if (!found) {
    const key = keyOf(css)
    const test = testOf(css)
    found = []
    if (key !== '') {
      for (const index of page.elementsBy(key))
        if (found.length < MAX_MATCHES && test(page.elements[index]!)) found.push(index)
    } else
      for (const [index, element] of page.elements.entries())
        if (found.length < MAX_MATCHES && test(element)) found.push(index)
    memory.set(css, found)
  }
  return scope === undefined ? found : found.filter((index) => page.isWithin(index, scope))
}

function takeFrom(page: PageIndex, index: number, take = 'text'): Said[] {
  if (take === 'lines') return linesOf(page, index)
  if (take.startsWith('@')) {
    const value = page.elements[index]!.attribs[take.slice(1)]
    return value === undefined || value.trim() === '' ? [] : [value]
  }
  const text = page.textOf(index)
  return text === '' ? [] : [text]
}

export const linesOf = (page: PageIndex, index: number): string[] =>
  page.text
    .slice(page.from[index], page.to[index])
    .split('\n', 20_000)
    .map(collapseSpaces)
    .filter((line) => line !== '')

function cutText(said: Said, { after, before }: Way): Said[] {
  if (typeof said !== 'string') return [said]
  let text = said
  if (after !== undefined) {
    const at = text.toLowerCase().indexOf(after.toLowerCase())
    if (at < 0) return []
    text = text.slice(at + after.length)
  }
  if (before !== undefined) {
    const at = text.toLowerCase().indexOf(before.toLowerCase())
    if (at >= 0) text = text.slice(0, at)
  }
  return text.trim() === '' ? [] : [text.trim()]
}

// --- labels ----------------------------------------------------------------------------------------------------------

/** The box of what follows a label: the largest part of the page after it that does not contain it. */
export function boxAfter(page: PageIndex, run: number): { element: number | undefined; run: number } | undefined {
  const label = page.runs[run]!
  const next = page.runs[run + 1]
  if (!next) return undefined
  let element: number | undefined
  for (let index = next.owner; index >= 0 && page.from[index]! > label.from; index = page.parent[index]!)
    if (page.from[index]! >= label.to) element = index
  return { element, run: run + 1 }
}

function besideLabel(page: PageIndex, label: string, scope: number | undefined, take = 'text'): Said[] {
  return page
    .runsBy(squeezeText(label))
    .filter((run) => scope === undefined || page.isWithin(page.runs[run]!.owner, scope))
    .flatMap((run) => {
      const box = boxAfter(page, run)
      if (!box) return []
      if (box.element !== undefined) return takeFrom(page, box.element, take)
      const { from, to } = page.runs[box.run]!
      return take === 'text' ? [collapseSpaces(page.text.slice(from, to))] : []
    })
}

/** Why a selector cannot be used; undefined: it can. */
export function selectorFault(css: string): string | undefined {
  try {
    testOf(css)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
