// An opened page: every output derives lazily from one parse and is cached.
import type { Document } from 'domhandler'
import { Problem } from '../base/problem.ts'
import { absolute, isWeb, resolver } from './address.ts'
import { decode } from './charset.ts'
import { type Choices, type Content, chooseContent } from './clean.ts'
import { toCleanHtml } from './clean-html.ts'
import { type Controls, controlsOf } from './controls.ts'
import { type Cut, describeCuts } from './cut-report.ts'
import { imagesOf } from './images.ts'
import { detectLanguage } from './language.ts'
import { linksOf } from './links.ts'
import { toMarkdown } from './markdown/render.ts'
import { sniffType } from './media-type.ts'
import { type Metadata, metadataOf } from './metadata.ts'
import { readers } from './readers/index.ts'
import type { Reader } from './readers/reader.ts'
import { findElement } from './tree.ts'

export type { Choices } from './clean.ts'

interface PageInput {
  bytes: Uint8Array
  contentType: string | undefined
  url: string
}

/**
 * Fields are computed on first read. For unsupported types, text fields throw `unsupported_file`, and metadata and
 * warnings are empty.
 */
export interface Page {
  readonly url: string
  /** Reader name: html, text, json, xml, feed. */
  readonly kind: string
  readonly charset: string
  readonly rawHtml: string
  readonly tree: Document
  readonly base: string
  readonly content: Content
  readonly metadata: Metadata
  readonly links: string[]
  readonly images: string[]
  readonly controls: Controls
  readonly html: string
  readonly markdown: string
  /** The main content as markdown, whatever the choices: the text that the page is found by. */
  readonly mainText: string
  readonly cuts: readonly Cut[]
  readonly warnings: readonly string[]
}

export const openPage = (input: PageInput, choices: Choices): Page => new OpenPage(input, choices)

// A class, because object literals with getters outlive their use (see page-delegate.ts).
class OpenPage implements Page {
  readonly #input: PageInput
  readonly #choices: Choices
  readonly #kept: Partial<Record<string, unknown>> = {}

  constructor(input: PageInput, choices: Choices) {
    this.#input = input
    this.#choices = choices
  }

  #once<Value>(name: string, make: () => Value): Value {
    if (!(name in this.#kept)) this.#kept[name] = make()
    return this.#kept[name] as Value
  }

  get #type(): string {
    return this.#once('type', () => sniffType(this.#input.bytes, this.#input.contentType))
  }
  get #decoded() {
    return this.#once('decoded', () => decode(this.#input.bytes, this.#input.contentType))
  }
  get #known(): Reader | undefined {
    return this.#once('known', () => {
      const head = this.#decoded.text.slice(0, 4096)
      return readers.find((one) => one.reads(this.#type, head))
    })
  }
  get #reader(): Reader {
    const found = this.#known
    if (!found) throw new Problem('unsupported_file', { because: `${this.#type}, and this build has no reader for it` })
    return found
  }
  get #reading() {
    return this.#once('reading', () => this.#reader.read(this.#decoded.text, this.#type))
  }
  get #resolve() {
    return this.#once('resolve', () => resolver(this.base))
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
  get content(): Content {
    const isPage = this.#reader.name === 'html'
    return this.#once('content', () => chooseContent(this.tree, this.#choices, isPage, this.#input.url))
  }
  get metadata(): Metadata {
    return this.#once('metadata', () =>
      this.#known ? withLanguage(metadataOf(this.tree, this.#resolve), this.tree) : {},
    )
  }
  get links(): string[] {
    return this.#once('links', () => linksOf(this.tree, this.#resolve, this.#input.url))
  }
  get images(): string[] {
    return this.#once('images', () => imagesOf(this.tree, this.#resolve))
  }
  get controls(): Controls {
    return this.#once('controls', () => controlsOf(this.tree, this.#resolve))
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
  get cuts(): readonly Cut[] {
    return this.#once('cuts', () => describeCuts(this.tree, this.content.cuts))
  }
  get warnings(): readonly string[] {
    return this.#known ? this.#reading.warnings : []
  }
}

function withLanguage(metadata: Metadata, tree: Document): Metadata {
  const language = metadata.language === undefined ? detectLanguage(tree) : undefined
  return language === undefined ? metadata : { ...metadata, language }
}

function baseOf(tree: Document, url: string): string {
  const element = findElement(tree, ({ name, attribs }) => name === 'base' && attribs.href !== undefined, 20_000)
  const base = element?.attribs.href && absolute(element.attribs.href.trim(), url)
  return base && isWeb(base) ? base : url
}
