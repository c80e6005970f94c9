// What is done to a page's text before any format reads it: boilerplate is taken out, then what is personal. Formats see
// the treated text alone, so nothing they make of it can hold what was taken out.

import type { Page } from '../../content/page.ts'
import { PageOver } from '../../content/page-over.ts'
import { cleanMarkdown } from '../../understanding/clean-markdown.ts'
import type { RedactOptions } from '../../understanding/privacy/options.ts'
import { assertNoInjection } from '../injection-check.ts'
import { redactor } from './redactions.ts'

export interface Treatment {
  /** Refuse a page that gives orders to a model. */
  checkInjection?: true
  clean: boolean
  redact: RedactOptions | undefined
}

/** The same page with its markdown treated, when first read. */
export async function treated(page: Page, treatment: Treatment | undefined): Promise<Page> {
  if (treatment?.checkInjection) await assertNoInjection(page)
  if (!treatment?.clean && !treatment?.redact) return page
  const { clean, redact } = treatment
  const tool = redact ? await redactor() : undefined
  const names = new Set<string>()
  const veil = (text: string) => (tool && redact ? tool.redact(text, 'markdown', redact, names) : text)
  return new TreatedPage(page, (markdown) => veil(clean ? cleanMarkdown(markdown) : markdown), veil, names)
}

/** Family names of the people that a page's text names in full, as far as it was read. */
export const namesIn = (page: Page): string[] => (page instanceof TreatedPage ? [...page.names] : [])

class TreatedPage extends PageOver {
  readonly #treat: (markdown: string) => string
  /** For other texts that leave the worker before the document does: what a model is shown. */
  readonly veil: (text: string) => string
  #made: string | undefined

  /** Family names of people found so far: to be taken out of what else is said of the page. */
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

  override get markdown() {
    this.#made ??= this.#treat(this.page.markdown)
    return this.#made
  }
}
