// What is done to a page's text before any format reads it: boilerplate is taken out, then what is personal. Formats see
// the treated text alone, so nothing they make of it can hold what was taken out.
import { cleanMarkdown } from '../../content/clean-markdown.ts'
import type { Page } from '../../content/page.ts'
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
  let made: string | undefined
  return Object.create(page, {
    markdown: {
      enumerable: true,
      get() {
        if (made !== undefined) return made
        const cleaned = clean ? cleanMarkdown(page.markdown) : page.markdown
        made = tool && redact ? tool.redact(cleaned, 'markdown', redact) : cleaned
        return made
      },
    },
  }) as Page
}
