// Fingerprints every line of a page. Uses the same rendering as the main content, so a line has the same fingerprint in
// both.
import { resolver } from '../../content/address.ts'
import { chooseContent } from '../../content/clean.ts'
import { toMarkdown } from '../../content/markdown/render.ts'
import type { Page } from '../../content/page.ts'
import { fingerprints } from './compare.ts'

const WHOLE = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
/** Above the size of any realistic page. */
const MAX_LINES = 50_000

export function wholePage(
  { tree, base, url }: Pick<Page, 'tree' | 'base' | 'url'>,
  keys?: Map<string, string>,
): number[] {
  const { roots, cuts } = chooseContent(tree, WHOLE, true, url)
  return fingerprints(toMarkdown({ roots, cuts, resolve: resolver(base), removeBase64Images: true }), keys).slice(
    0,
    MAX_LINES,
  )
}
