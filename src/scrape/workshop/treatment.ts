// What is done to a page's text before any format reads it: boilerplate is taken out, then what is personal. Formats see
// the treated text alone, so nothing they make of it can hold what was taken out.
import { cleanMarkdown } from '../../content/clean-markdown.ts'
import type { Page } from '../../content/page.ts'
import { PageOver } from '../../content/page-over.ts'
import type { RedactWish } from '../../content/privacy/wish.ts'
import { redactor } from './redactions.ts'

export interface Treatment {
  clean: boolean
  redact: RedactWish | undefined
}

/** The same page with its markdown treated, when first read. */
export async function treated(page: Page, treatment: Treatment | undefined): Promise<Page> {
  if (!treatment?.clean && !treatment?.redact) return page
  const { clean, redact } = treatment
  const tool = redact ? await redactor() : undefined
  return new TreatedPage(page, (markdown) => {
    const cleaned = clean ? cleanMarkdown(markdown) : markdown
    return tool && redact ? tool.redact(cleaned, 'markdown', redact) : cleaned
  })
}

class TreatedPage extends PageOver {
  readonly #treat: (markdown: string) => string
  #made: string | undefined

  constructor(page: Page, treat: (markdown: string) => string) {
    super(page)
    this.#treat = treat
  }

  override get markdown() {
    this.#made ??= this.#treat(this.page.markdown)
    return this.#made
  }
}
