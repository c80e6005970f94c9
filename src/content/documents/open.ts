// A document's reading as a Page, so that every format is made of it as of any other page. Nothing is cut as boilerplate:
// a file is its own main content.
import type { Choices, Page } from '../page.ts'
import { openPage } from '../page.ts'
import type { DocumentReading } from './document.ts'

export function pageOf(reading: DocumentReading, url: string, choices: Choices): Page {
  const page = openPage(
    { bytes: new TextEncoder().encode(reading.html), contentType: 'text/html; charset=utf-8', url },
    { ...choices, onlyMainContent: false },
  )
  const isWhole = choices.includeTags.length === 0 && choices.excludeTags.length === 0
  return new DocumentPage(page, reading, isWhole)
}

// A class for the same reason as an open page: an object with getters of its own is not let go of.
class DocumentPage implements Page {
  readonly #page: Page
  readonly #reading: DocumentReading
  readonly #isWhole: boolean
  readonly url: string
  readonly charset = ''

  constructor(page: Page, reading: DocumentReading, isWhole: boolean) {
    this.url = page.url
    this.#page = page
    this.#reading = reading
    this.#isWhole = isWhole
  }

  get kind() {
    return this.#reading.kind
  }
  get warnings() {
    return this.#reading.warnings
  }
  get rawHtml() {
    return this.#page.rawHtml
  }
  get tree() {
    return this.#page.tree
  }
  get base() {
    return this.#page.base
  }
  get content() {
    return this.#page.content
  }
  get facts() {
    return this.#page.facts
  }
  get metadata() {
    return { ...this.#page.metadata, ...this.#reading.metadata }
  }
  get links() {
    return this.#page.links
  }
  get images() {
    return this.#page.images
  }
  get html() {
    return this.#page.html
  }
  get markdown() {
    const { markdown } = this.#reading
    return markdown !== undefined && this.#isWhole ? markdown : this.#page.markdown
  }
  get cuts() {
    return this.#page.cuts
  }
}
