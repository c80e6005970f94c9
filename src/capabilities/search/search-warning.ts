// Warnings about what a search queried and what failed; none when all succeeded.
import type { ProviderOutcome } from '../../base/search-types.ts'
import type { IndexLag } from '../../search/indexer.ts'

interface Circumstances {
  found: number
  isEmpty: boolean
  providers: number
  ownOnly: boolean
  isIndexOff: boolean
  lag: IndexLag | undefined
}

const PHRASES: Readonly<Record<ProviderOutcome['state'], string>> = {
  answered: 'answered',
  empty: 'found nothing',
  failed: 'failed',
  late: 'was too late',
  suspended: 'is left alone for now',
}

export function writeSearchWarning(
  asked: readonly ProviderOutcome[],
  { found, isEmpty, providers, ownOnly, isIndexOff, lag }: Circumstances,
): string | undefined {
  const outside = asked.filter(({ name }) => name !== 'index')
  const good = outside.filter(({ state }) => state === 'answered')
  const bad = asked.filter(({ state }) => state !== 'answered' && state !== 'empty')
  const isBroken = bad.some(({ name }) => name === 'index')
  const sentences: string[] = []
  if (isIndexOff && (ownOnly || outside.length === 0))
    sentences.push('Pages that were fetched here are not searched: ORB_SEARCH_INDEX is `never`.')
  if (lag) {
    const { indexed, waiting, secondsLeft } = lag
    sentences.push(
      `The index of fetched pages is being built: ${indexed} of ${indexed + waiting} pages are in it, the newest first; the rest follows in about ${secondsLeft} s.`,
    )
  }
  if (outside.length === 0 && !ownOnly && !isIndexOff)
    sentences.push(
      providers === 0
        ? 'The open web was not searched: no search provider is set up. Only pages that were fetched here were searched.'
        : 'The open web was not searched: no provider that is set up supports this search. Only pages that were fetched here were searched.',
    )
  if (bad.length > 0) {
    const reasons = bad.map(
      ({ name, state, because }) =>
        `${name === 'index' ? 'our own index' : name} ${PHRASES[state]}${because ? ` (${because})` : ''}`,
    )
    sentences.push(`Not all sources responded: ${reasons.join('; ')}.`)
    if (good.length === 0 && !isBroken) sentences.push('The hits are from pages that were fetched here.')
  }
  if (found === 0 && !isBroken && !isIndexOff) {
    const empty = outside.filter(({ state }) => state === 'empty').map(({ name }) => name)
    sentences.push(
      `Nothing was found: ${isEmpty ? 'no page was fetched here yet' : 'no page that was fetched here matches'}${
        empty.length > 0 ? `, and ${empty.join(', ')} had no hits` : ''
      }.`,
    )
  }
  return sentences.length > 0 ? sentences.join(' ') : undefined
}
