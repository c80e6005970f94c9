// Cleans and redacts a page's text before any format reads it, so that no format can leak what was removed.

import type { ParsedPage } from '../../content/parsed-page.ts'
import { ParsedPageWrapper } from '../../content/parsed-page-wrapper.ts'
import type { RedactOptions } from '../../understanding/privacy/redact-options.ts'
import { removeMarkdownBoilerplate } from '../../understanding/remove-markdown-boilerplate.ts'
import { assertNoPromptInjection } from '../prompt-injection-check.ts'
import { loadRedactor } from './redact-fields.ts'

export interface CleanAndRedactOptions {
  checkInjection?: true
  clean: boolean
  redact: RedactOptions | undefined
}

export async function cleanAndRedactPage(
  page: ParsedPage,
  treatment: CleanAndRedactOptions | undefined,
): Promise<ParsedPage> {
  if (treatment?.checkInjection) await assertNoPromptInjection(page)
  if (!treatment?.clean && !treatment?.redact) return page
  const { clean, redact } = treatment
  const tool = redact ? await loadRedactor() : undefined
  const names = new Set<string>()
  const veil = (text: string) => (tool && redact ? tool.redact(text, 'markdown', redact, names) : text)
  return new TreatedPage(page, (markdown) => veil(clean ? removeMarkdownBoilerplate(markdown) : markdown), veil, names)
}

/** Family names of people named in full, in the text read so far. */
export const listFoundFamilyNames = (page: ParsedPage): string[] => (page instanceof TreatedPage ? [...page.names] : [])

class TreatedPage extends ParsedPageWrapper {
  readonly #treat: (markdown: string) => string
  readonly veil: (text: string) => string
  #made: string | undefined

  readonly names: ReadonlySet<string>

  constructor(
    page: ParsedPage,
    treat: (markdown: string) => string,
    veil: (text: string) => string,
    names: ReadonlySet<string>,
  ) {
    super(page)
    this.#treat = treat
    this.veil = veil
    this.names = names
  }

  override get mainText() {
    return this.veil(this.page.mainText)
  }
  override get markdown() {
    this.#made ??= this.#treat(this.page.markdown)
    return this.#made
  }
}
