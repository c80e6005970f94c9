// Turns a document reading into a Page. Nothing is cut as boilerplate: the whole file is main content.

import type { ContentOptions, ParsedPage } from '../parsed-page.ts'
import { parsePage } from '../parsed-page.ts'
import { ParsedPageWrapper } from '../parsed-page-wrapper.ts'
import type { DocumentReading } from './sniff-document.ts'

export function documentToPage(reading: DocumentReading, url: string, choices: ContentOptions): ParsedPage {
  const page = parsePage(
    { bytes: new TextEncoder().encode(reading.html), contentType: 'text/html; charset=utf-8', url },
    { ...choices, onlyMainContent: false },
  )
  const isWhole = choices.includeTags.length === 0 && choices.excludeTags.length === 0
  return new DocumentPage(page, reading, isWhole)
}

class DocumentPage extends ParsedPageWrapper {
  readonly #reading: DocumentReading
  readonly #isWhole: boolean

  constructor(page: ParsedPage, reading: DocumentReading, isWhole: boolean) {
    super(page)
    this.#reading = reading
    this.#isWhole = isWhole
  }

  override get kind() {
    return this.#reading.kind
  }
  override get charset() {
    return ''
  }
  override get warnings() {
    return this.#reading.warnings
  }
  override get metadata() {
    return { ...this.page.metadata, ...this.#reading.metadata }
  }
  override get mainText() {
    return this.#reading.markdown ?? this.page.markdown
  }
  override get markdown() {
    const { markdown } = this.#reading
    return markdown !== undefined && this.#isWhole ? markdown : this.page.markdown
  }
}
