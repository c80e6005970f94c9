// Every line of a page, content or not, as fingerprints. It renders the page as the content is rendered, so that a line
// has one fingerprint whichever side of the border it stands on.
import { resolver } from '../../content/address.ts'
import { chooseContent } from '../../content/clean.ts'
import { toMarkdown } from '../../content/markdown/render.ts'
import type { Page } from '../../content/page.ts'
import { fingerprints } from './compare.ts'

const WHOLE = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
/** More lines than any page has that people watch. */
const MAX_LINES = 50_000

export function wholePage({ tree, base, url }: Pick<Page, 'tree' | 'base' | 'url'>): number[] {
  const { roots, cuts } = chooseContent(tree, WHOLE, true, url)
  return fingerprints(toMarkdown({ roots, cuts, resolve: resolver(base), removeBase64Images: true })).slice(
    0,
    MAX_LINES,
  )
}
