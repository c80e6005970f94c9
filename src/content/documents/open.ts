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
  return {
    url,
    kind: reading.kind,
    charset: '',
    warnings: [...reading.warnings],
    get rawHtml() {
      return page.rawHtml
    },
    get tree() {
      return page.tree
    },
    get base() {
      return page.base
    },
    get content() {
      return page.content
    },
    get facts() {
      return page.facts
    },
    get metadata() {
      return { ...page.metadata, ...reading.metadata }
    },
    get links() {
      return page.links
    },
    get images() {
      return page.images
    },
    get html() {
      return page.html
    },
    get markdown() {
      return reading.markdown !== undefined && isWhole ? reading.markdown : page.markdown
    },
    get cuts() {
      return page.cuts
    },
  }
}
