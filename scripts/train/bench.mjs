// The labelled pages of ../shared/bench, in five folds split by site, so that no site is both learned from and judged.
import { getDomain, getDomainWithoutSuffix } from 'tldts'

export const bench = new URL('../../../shared/bench/', import.meta.url)
export const { loadSet, scoreSet } = await import(new URL('index.mjs', bench).href)
export const { tokens, norm } = await import(new URL('lib/text.mjs', bench).href)

export const FOLDS = 5
export const SETS = ['aeb', 'wceb', 'traf']

function hash(text) {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h ^= h >>> 15
  return h >>> 0
}

/**
 * Pages of one registered domain share a fold in all sets; a page without an address goes by its id. With a seed the
 * folds are dealt anew, and the sites of one name in several countries share a fold too.
 */
function foldOf(page, seed) {
  if (seed === 0) return hash((page.url && getDomain(page.url)) || page.id) % FOLDS
  return hash(`${seed} ${(page.url && getDomainWithoutSuffix(page.url)) || page.id}`) % FOLDS
}

export const loadPages = (seed = 0) =>
  SETS.flatMap((set) => loadSet(set).map((page) => Object.assign(page, { set, fold: foldOf(page, seed) })))

/**
 * The pages that the suite runs: every article of `aeb`, which are few, and three in ten of the rest, by the hash of their ids.
 * `npm run prove extraction` runs all of them.
 */
export const isSampled = ({ set, id }) => set === 'aeb' || hash(`sample ${id}`) % 10 < 3
