// Fingerprints every line of a page. Uses the same rendering as the main content, so a line has the same fingerprint in
// both.

import { chooseContent } from '../../content/choose-content.ts'
import { toMarkdown } from '../../content/markdown/html-to-markdown.ts'
import type { ParsedPage } from '../../content/parsed-page.ts'
import { makeLinkResolver } from '../../content/resolve-links.ts'
import { fingerprintLines } from './compare-texts.ts'

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
