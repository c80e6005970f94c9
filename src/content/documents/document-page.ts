// Turns a document reading into a Page. Nothing is cut as boilerplate: the whole file is main content.
import type { Choices, Page } from '../page.ts'
import { openPage } from '../page.ts'
import { PageOver } from '../page-delegate.ts'
import type { DocumentReading } from './document.ts'

export function pageOf(reading: DocumentReading, url: string, choices: Choices): Page {
  const page = openPage(
    { bytes: new TextEncoder().encode(reading.html), contentType: 'text/html; charset=utf-8', url },
    { ...choices, onlyMainContent: false },
  )
  const isWhole = choices.includeTags.length === 0 && choices.excludeTags.length === 0
  return new DocumentPage(page, reading, isWhole)
}

class DocumentPage extends PageOver {
  readonly #reading: DocumentReading
  readonly #isWhole: boolean

  constructor(page: Page, reading: DocumentReading, isWhole: boolean) {
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
