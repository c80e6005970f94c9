// Cleans and redacts a page's text before any format reads it, so that no format can leak what was removed.

import type { Page } from '../../content/page.ts'
import { PageOver } from '../../content/page-delegate.ts'
import { cleanMarkdown } from '../../understanding/clean-markdown.ts'
import type { RedactOptions } from '../../understanding/privacy/options.ts'
import { assertNoInjection } from '../injection-check.ts'
import { redactor } from './redactions.ts'

export interface Treatment {
  checkInjection?: true
  clean: boolean
  redact: RedactOptions | undefined
}

export async function treated(page: Page, treatment: Treatment | undefined): Promise<Page> {
  if (treatment?.checkInjection) await assertNoInjection(page)
  if (!treatment?.clean && !treatment?.redact) return page
  const { clean, redact } = treatment
  const tool = redact ? await redactor() : undefined
  const names = new Set<string>()
  const veil = (text: string) => (tool && redact ? tool.redact(text, 'markdown', redact, names) : text)
  return new TreatedPage(page, (markdown) => veil(clean ? cleanMarkdown(markdown) : markdown), veil, names)
}

/** Family names of people named in full, in the text read so far. */
export const namesIn = (page: Page): string[] => (page instanceof TreatedPage ? [...page.names] : [])

class TreatedPage extends PageOver {
  readonly #treat: (markdown: string) => string
  readonly veil: (text: string) => string
  #made: string | undefined

  readonly names: ReadonlySet<string>

  constructor(
    page: Page,
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
