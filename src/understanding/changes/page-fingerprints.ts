// The text of a page as fingerprints of its lines, without noise: enough to decide whether a page changed, and a
// hundredth of the text.
import { valueOr } from '../../base/attempt.ts'
import { countEach } from '../../base/values.ts'
import { chooseContent } from '../../content/choose-content.ts'
import { toMarkdown } from '../../content/markdown/html-to-markdown.ts'
import type { ParsedPage } from '../../content/parsed-page.ts'
import { makeLinkResolver } from '../../content/resolve-links.ts'
import { fingerprintLines } from './compare-texts.ts'

export interface PageFingerprints {
  /** Lines of the main content, in order. */
  main: number[]
  /** Lines of the whole page; empty when unknown. */
  whole: number[]
  /** Characters of the main content. */
  chars: number
}

/** Fingerprints of the last known version, and of lines whose changes are ignored. */
export type KnownFingerprints = { prints: PageFingerprints; noise: readonly number[] }

/** Nothing but known noise differs. */
export function isUnchangedExceptNoise(now: PageFingerprints, { prints, noise }: KnownFingerprints): boolean {
  const quiet = new Set(noise)
  return !haveFingerprintsChanged(removeFingerprints(prints, quiet), removeFingerprints(now, quiet))
}

export const fingerprintMarkdown = (markdown: string, keys?: Map<string, string>): PageFingerprints => ({
  main: fingerprintLines(markdown, keys),
  whole: [],
  chars: markdown.length,
})

export function fingerprintPage(page: Pick<ParsedPage, 'markdown' | 'tree' | 'base' | 'url'>): PageFingerprints {
  const keys = new Map<string, string>()
  return { ...fingerprintMarkdown(page.markdown, keys), whole: wholeOf(page, keys) }
}

/** A file has no tree to read the rest of a page from. */
const wholeOf = (page: Parameters<typeof fingerprintWholePage>[0], keys: Map<string, string>): number[] =>
  valueOr([], () => fingerprintWholePage(page, keys))

/** Lines that came or went. */
export function findChangedFingerprints(before: PageFingerprints, now: PageFingerprints): number[] {
  const { come, gone } = difference(before, now)
  return [...come, ...gone]
}

export const removeFingerprints = (prints: PageFingerprints, lines: ReadonlySet<number>): PageFingerprints =>
  lines.size === 0 ? prints : { ...prints, main: prints.main.filter((print) => !lines.has(print)) }

/**
 * Whether the page changed. `again` is a second fetch a moment later: lines that differ between the two are noise, and so
 * are as many missing lines as they may have replaced.
 */
export function haveFingerprintsChanged(
  before: PageFingerprints,
  now: PageFingerprints,
  again?: PageFingerprints,
): boolean {
  const first = difference(before, now)
  if (first.come.length === 0 && first.gone.length === 0) return false
  if (!again) return true
  const second = difference(before, again)
  const come = inBoth(first.come, second.come)
  const replaced = first.come.length - come.length
  return come.length > 0 || inBoth(first.gone, second.gone).length > replaced
}

function difference(before: PageFingerprints, now: PageFingerprints) {
  const [then, later] = [before.whole, now.whole].map(countEach) as [Map<number, number>, Map<number, number>]
  // A line that the whole page has as often as before only moved in or out of the main content.
  const matters = (print: number) =>
    then.size === 0 || later.size === 0 || !then.has(print) || then.get(print) !== later.get(print)
  return { come: without(now.main, before.main).filter(matters), gone: without(before.main, now.main).filter(matters) }
}

function without(prints: readonly number[], others: readonly number[]): number[] {
  const left = countEach(others)
  return prints.filter((print) => {
    const times = left.get(print) ?? 0
    if (times > 0) left.set(print, times - 1)
    return times === 0
  })
}

function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others)
  return some.filter((print) => known.has(print))
}

const WHOLE = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
/** Above the size of any realistic page. */
const MAX_LINES = 50_000

export function fingerprintWholePage(
  { tree, base, url }: Pick<ParsedPage, 'tree' | 'base' | 'url'>,
  keys?: Map<string, string>,
): number[] {
  const { roots, cuts } = chooseContent(tree, WHOLE, true, url)
  return fingerprintLines(
    toMarkdown({ roots, cuts, resolve: makeLinkResolver(base), removeBase64Images: true }),
    keys,
  ).slice(0, MAX_LINES)
}
