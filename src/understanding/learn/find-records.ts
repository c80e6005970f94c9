// Finds the repeated element of which one or two records were taught.
import { isObject } from '../../base/values.ts'
import { matchesOf } from './follow-ways.ts'
import type { PageIndex } from './index-page.ts'
import { locateInElements } from './locate-values.ts'
import { proposeSelectors } from './propose-ways.ts'

interface RecordCandidate {
  css: string
  trust: number
  /** For each taught record, the element that it is. */
  elements: number[]
}

const MAX_UP = 8
const MAX_ANCHORS = 12
const MAX_CANDIDATES = 24
const MAX_RECORDS = 1000

/** Selectors whose matches are records, with those first that hold most of the taught fields in the smallest element. */
export function findRecordElements(page: PageIndex, records: readonly Record<string, unknown>[]): RecordCandidate[] {
  const cores = records.map((record) => coresOf(page, record))
  const [first = []] = cores
  const candidates = new Map<string, RecordCandidate & { size: number }>()
  for (const core of first)
    for (let index = core, step = 0; index >= 0 && step < MAX_UP; index = page.parent[index]!, step++) {
      if (['html', 'body', 'head'].includes(page.elements[index]!.name)) break
      for (const { css, trust } of proposeSelectors(page, index)) {
        const matches = matchesOf(page, css)
        if (candidates.has(css) || matches.length < 2 || matches.length > MAX_RECORDS || isNested(page, matches))
          continue
        const elements = cores.map((one) => matches.find((match) => one.some((at) => page.isWithin(at, match))))
        if (elements.some((one) => one === undefined) || new Set(elements).size < elements.length) continue
        candidates.set(css, { css, trust, elements: elements as number[], size: step })
      }
    }
  // The smallest element first; of the same element, the selector with most matches.
  return [...candidates.values()]
    .sort((a, b) => a.size - b.size || b.trust - a.trust)
    .slice(0, MAX_CANDIDATES * 2)
    .map(({ css, trust, elements }) => ({ css, trust, elements }))
}

const isNested = (page: PageIndex, matches: readonly number[]): boolean =>
  matches.some((match, n) => n > 0 && page.isWithin(match, matches[n - 1]!))

/** The smallest elements that hold as many values of the record as any. */
function coresOf(page: PageIndex, record: Record<string, unknown>): number[] {
  const places = Object.values(record)
    .flatMap((value) => (Array.isArray(value) || isObject(value) || value === null ? [] : [value]))
    .map((value) => locateInElements(page, value).map(({ inner }) => inner))
    .filter((found) => found.length > 0)
    .sort((a, b) => a.length - b.length)
  const [anchors = [], ...others] = places
  const found: { index: number; held: number; size: number }[] = []
  for (const anchor of anchors.slice(0, MAX_ANCHORS)) {
    let [index, held] = [anchor, 0]
    let up = anchor
    for (let step = 0; up >= 0 && step < MAX_UP; up = page.parent[up]!, step++) {
      const now = others.filter((one) => one.some((at) => page.isWithin(at, up))).length
      if (now > held || step === 0) [index, held] = [up, now]
      if (held === others.length) break
    }
    found.push({ index, held, size: page.end[index]! - index })
  }
  const most = Math.max(0, ...found.map(({ held }) => held))
  const best = found.filter(({ held }) => held === most)
  const smallest = Math.min(...best.map(({ size }) => size))
  return best.filter(({ size }) => size <= smallest * 3 + 5).map(({ index }) => index)
}
