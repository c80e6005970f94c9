// An opened page: every output derives lazily from one parse and is cached.
import type { Document } from 'domhandler'
import { Problem } from '../base/problem.ts'
import { type ChosenContent, type ContentOptions, chooseContent } from './choose-content.ts'
import { toCleanHtml } from './clean-html.ts'
import { decodeText } from './decode-text.ts'
import { detectLanguage } from './detect-language.ts'
import { type ButtonsAndLinks, listButtonsAndLinks } from './list-buttons-and-links.ts'
import { type AlternatePage, listAlternates, listImages, listLinks } from './list-links.ts'
import { listRemovedElements, type RemovedElement } from './list-removed-elements.ts'
import { toMarkdown } from './markdown/html-to-markdown.ts'
import { type PageMetadata, readMetadata } from './metadata.ts'
import { findElement } from './parse-tree.ts'
import { readers } from './readers/index.ts'
import type { MediaTypeReader } from './readers/reader.ts'
import { isHttpUrl, makeLinkResolver, toAbsoluteUrl } from './resolve-links.ts'
import { sniffMediaType } from './sniff-media-type.ts'

export type { ContentOptions } from './choose-content.ts'

interface PageInput {
  bytes: Uint8Array
  contentType: string | undefined
  url: string
  /** HTML that is read after the page, but is no part of its `rawHtml`. */
  appended?: string
}

/**
 * Fields are computed on first read. For unsupported types, text fields throw `unsupported_file`, and metadata and
 * warnings are empty.
 */
export interface ParsedPage {
  readonly url: string
  /** Reader name: html, text, json, xml, feed. */
  readonly kind: string
  readonly charset: string
  readonly rawHtml: string
  readonly tree: Document
  readonly base: string
  readonly content: ChosenContent
  readonly metadata: PageMetadata
  /** Only what the page declares: detecting a missing language takes longer than reading all other metadata. */
  readonly declaredMetadata: PageMetadata
  readonly links: string[]
  readonly alternates: AlternatePage[]
  readonly images: string[]
  readonly controls: ButtonsAndLinks
  readonly html: string
  readonly markdown: string
  /** The main content as markdown, independent of the options; the search index stores this text. */
  readonly mainText: string
  readonly cuts: readonly RemovedElement[]
  readonly warnings: readonly string[]
}

export const parsePage = (input: PageInput, choices: ContentOptions): ParsedPage => new OpenPage(input, choices)

// A class, because object literals with getters outlive their use (see parsed-page-wrapper.ts).
class OpenPage implements ParsedPage {
  readonly #input: PageInput
  readonly #choices: ContentOptions
  readonly #kept: Partial<Record<string, unknown>> = {}

  constructor(input: PageInput, choices: ContentOptions) {
    this.#input = input
    this.#choices = choices
  }

  #once<Value>(name: string, make: () => Value): Value {
    if (!(name in this.#kept)) this.#kept[name] = make()
    return this.#kept[name] as Value
  }

  get #type(): string {
    return this.#once('type', () => {
      const type = sniffMediaType(this.#input.bytes, this.#input.contentType)
      // Servers have no media type for it.
      return type === 'text/plain' && /\.(?:adoc|asciidoc)(?:$|[?#])/i.test(this.#input.url) ? 'text/asciidoc' : type
    })
  }
  get #decoded() {
    return this.#once('decoded', () => decodeText(this.#input.bytes, this.#input.contentType))
  }
  get #known(): MediaTypeReader | undefined {
    return this.#once('known', () => {
      const head = this.#decoded.text.slice(0, 4096)
      return readers.find((one) => one.reads(this.#type, head))
    })
  }
  get #reader(): MediaTypeReader {
    const found = this.#known
    if (!found) throw new Problem('unsupported_file', { because: `${this.#type}, and this build has no reader for it` })
    return found
  }
  get #reading() {
    return this.#once('reading', () => this.#reader.read(this.#decoded.text + (this.#input.appended ?? ''), this.#type))
  }
  get #resolve() {
    return this.#once('resolve', () => makeLinkResolver(this.base))
  }

  get url(): string {
    return this.#input.url
  }
  get kind(): string {
    return this.#reader.name
  }
  get charset(): string {
    return this.#decoded.charset
  }
  get rawHtml(): string {
    return this.#reader && this.#decoded.text
  }
  get tree(): Document {
    return this.#reading.tree
  }
  get base(): string {
    return this.#once('base', () => baseOf(this.tree, this.#input.url))
  }
  get content(): ChosenContent {
    const isPage = this.#reader.name === 'html'
    return this.#once('content', () => chooseContent(this.tree, this.#choices, isPage, this.#input.url))
  }
  get metadata(): PageMetadata {
    return this.#once('metadata', () => (this.#known ? withLanguage(this.declaredMetadata, this.tree) : {}))
  }
  get declaredMetadata(): PageMetadata {
    return this.#once('declared', () => readMetadata(this.tree, this.#resolve, this.url))
  }
  get links(): string[] {
    return this.#once('links', () => listLinks(this.tree, this.#resolve, this.#input.url))
  }
  get alternates(): AlternatePage[] {
    return listAlternates(this.tree, this.#resolve)
  }
  get images(): string[] {
    return this.#once('images', () => listImages(this.tree, this.#resolve))
  }
  get controls(): ButtonsAndLinks {
    return this.#once('controls', () => listButtonsAndLinks(this.tree, this.#resolve))
  }
  get html(): string {
    return this.#once('html', () => toCleanHtml(this.content.roots, this.content.cuts, this.#resolve))
  }
  get markdown(): string {
    return this.#once('markdown', () => {
      const ready = this.#reading.markdown
      const { includeTags, removeBase64Images } = this.#choices
      if (ready !== undefined && includeTags.length === 0) return ready
      return toMarkdown({ ...this.content, resolve: this.#resolve, removeBase64Images })
    })
  }
  get mainText(): string {
    return this.#once('mainText', () => {
      const ready = this.#reading.markdown
      if (ready !== undefined) return ready
      const choices = { ...this.#choices, onlyMainContent: true, includeTags: [], excludeTags: [] }
      const content = chooseContent(this.tree, choices, this.#reader.name === 'html', this.#input.url)
      return toMarkdown({ ...content, resolve: this.#resolve, removeBase64Images: true })
    })
  }
  get cuts(): readonly RemovedElement[] {
    return this.#once('cuts', () => listRemovedElements(this.tree, this.content.cuts))
  }
  get warnings(): readonly string[] {
    return this.#known ? this.#reading.warnings : []
  }
}

function withLanguage(metadata: PageMetadata, tree: Document): PageMetadata {
  const language = metadata.language === undefined ? detectLanguage(tree) : undefined
  return language === undefined ? metadata : { ...metadata, language }
}

function baseOf(tree: Document, fetchedFrom: string): string {
  const url = isHttpUrl(fetchedFrom) ? fetchedFrom : (statedAddress(tree) ?? fetchedFrom)
  const element = findElement(tree, ({ name, attribs }) => name === 'base' && attribs.href !== undefined, 20_000)
  const base = element?.attribs.href && toAbsoluteUrl(element.attribs.href.trim(), url)
  return base && isHttpUrl(base) ? base : url
}

/** The canonical or og:url address, for a page that was uploaded as a file. */
function statedAddress(tree: Document): string | undefined {
  const canonical = findElement(tree, ({ name, attribs }) => name === 'link' && attribs.rel === 'canonical', 20_000)
  const shared = findElement(tree, ({ name, attribs }) => name === 'meta' && attribs.property === 'og:url', 20_000)
  return [canonical?.attribs.href, shared?.attribs.content]
    .map((address) => address?.trim() ?? '')
    .find((address) => isHttpUrl(address) && URL.canParse(address))
}
