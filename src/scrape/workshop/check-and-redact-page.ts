// Checks and redacts a page's text before any format reads it, so that no format can leak what was removed.

import type { ParsedPage } from '../../content/parsed-page.ts'
import { ParsedPageWrapper } from '../../content/parsed-page-wrapper.ts'
import type { RedactOptions } from '../../understanding/privacy/redact-options.ts'
import { assertNoPromptInjection } from '../prompt-injection-check.ts'
import { loadRedactor } from './redact-fields.ts'

export interface CheckAndRedactOptions {
  checkInjection?: true
  redact: RedactOptions | undefined
}

export async function checkAndRedactPage(
  page: ParsedPage,
  treatment: CheckAndRedactOptions | undefined,
): Promise<ParsedPage> {
  if (treatment?.checkInjection) await assertNoPromptInjection(page)
  if (!treatment?.redact) return page
  const { redact } = treatment
  const tool = await loadRedactor()
  const names = new Set<string>()
  return new RedactedPage(page, (text) => tool.redact(text, 'markdown', redact, names), names)
}

/** Family names of people named in full, in the text read so far. */
export const listFoundFamilyNames = (page: ParsedPage): string[] =>
  page instanceof RedactedPage ? [...page.names] : []

class RedactedPage extends ParsedPageWrapper {
  readonly veil: (text: string) => string
  readonly names: ReadonlySet<string>
  #made: string | undefined

  constructor(page: ParsedPage, veil: (text: string) => string, names: ReadonlySet<string>) {
    super(page)
    this.veil = veil
    this.names = names
  }

  override get mainText() {
    return this.veil(this.page.mainText)
  }
  override get markdown() {
    this.#made ??= this.veil(this.page.markdown)
    return this.#made
  }
}
