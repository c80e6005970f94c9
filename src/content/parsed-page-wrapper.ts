// Delegates to another page; subclasses override single properties. Uses prototype getters, because objects with own
// getters keep the whole tree alive until the next full GC.
import type { ParsedPage } from './parsed-page.ts'

export class ParsedPageWrapper implements ParsedPage {
  protected readonly page: ParsedPage

  constructor(page: ParsedPage) {
    this.page = page
  }

  get url() {
    return this.page.url
  }
  get kind() {
    return this.page.kind
  }
  get charset() {
    return this.page.charset
  }
  get rawHtml() {
    return this.page.rawHtml
  }
  get tree() {
    return this.page.tree
  }
  get base() {
    return this.page.base
  }
  get content() {
    return this.page.content
  }
  get declaredMetadata() {
    return this.page.declaredMetadata
  }
  get metadata() {
    return this.page.metadata
  }
  get links() {
    return this.page.links
  }
  get alternates() {
    return this.page.alternates
  }
  get images() {
    return this.page.images
  }
  get controls() {
    return this.page.controls
  }
  get html() {
    return this.page.html
  }
  get markdown() {
    return this.page.markdown
  }
  get mainText() {
    return this.page.mainText
  }
  get cuts() {
    return this.page.cuts
  }
  get warnings() {
    return this.page.warnings
  }
}
