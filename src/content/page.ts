// One page, opened: everything that can be said about it is made from one parse, at most once, and only when asked for.
// It knows bytes, a type and an address; it does not know how they were fetched or who asks.
import type { Document } from 'domhandler'
import { Problem } from '../base/problem.ts'
import { absolute, isWeb, resolver } from './address.ts'
import { decode } from './charset.ts'
import { type Choices, type Content, chooseContent } from './clean.ts'
import { toCleanHtml } from './clean-html.ts'
import { type Cut, describeCuts } from './cut-report.ts'
import { type Facts, factsOf } from './facts/facts.ts'
import { imagesOf } from './images.ts'
import { detectLanguage } from './language.ts'
import { linksOf } from './links.ts'
import { toMarkdown } from './markdown/render.ts'
import { sniffType } from './media-type.ts'
import { type Metadata, metadataOf } from './metadata.ts'
import { readers } from './readers/index.ts'
import { findElement } from './tree.ts'

export type { Choices } from './clean.ts'
export type { Cut } from './cut-report.ts'

export interface PageInput {
  bytes: Uint8Array
  contentType: string | undefined
  /** Final address, after redirects. */
  url: string
}

/** Every field is made when first read, and kept. For a type nobody reads, the fields made of text throw
 * `unsupported_file` when read; metadata and warnings are then empty. */
export interface Page {
  /** Final address, after redirects. */
  readonly url: string
  /** Name of the reader: html, text, json, xml, feed. */
  readonly kind: string
  readonly charset: string
  /** The text exactly as received. */
  readonly rawHtml: string
  /** Never changed by anyone. */
  readonly tree: Document
  /** What relative addresses are relative to. */
  readonly base: string
  /** What counts as content, by the caller's choices. */
  readonly content: Content
  /** What the page says in data and in shapes that mean something: objects, state, tables, pairs, cards. */
  readonly facts: Facts
  readonly metadata: Metadata
  readonly links: string[]
  readonly images: string[]
  readonly html: string
  readonly markdown: string
  /** What was left out and why, biggest first. */
  readonly cuts: readonly Cut[]
  readonly warnings: readonly string[]
}

export function openPage(input: PageInput, choices: Choices): Page {
  const { bytes, contentType, url } = input
  const type = once(() => sniffType(bytes, contentType))
  const decoded = once(() => decode(bytes, contentType))
  const known = once(() => {
    const head = decoded().text.slice(0, 4096)
    return readers.find((one) => one.reads(type(), head))
  })
  const reader = once(() => {
    const found = known()
    if (!found) throw new Problem('unsupported_file', { because: `${type()}, and this build has no reader for it` })
    return found
  })
  const reading = once(() => reader().read(decoded().text, type()))
  const base = once(() => baseOf(reading().tree, url))
  const resolve = once(() => resolver(base()))
  const content = once(() => chooseContent(reading().tree, choices, reader().name === 'html', url))
  const metadata = once(() => (known() ? withLanguage(metadataOf(reading().tree, resolve()), reading().tree) : {}))
  const links = once(() => linksOf(reading().tree, resolve(), url))
  const images = once(() => imagesOf(reading().tree, resolve()))
  const facts = once(() => factsOf({ tree: reading().tree, base: base(), content }))
  const html = once(() => toCleanHtml(content().roots, content().cuts, resolve()))
  const cuts = once(() => describeCuts(reading().tree, content().cuts))
  const markdown = once(() => {
    const ready = reading().markdown
    if (ready !== undefined && choices.includeTags.length === 0) return ready
    const { roots, cuts } = content()
    return toMarkdown({ roots, cuts, resolve: resolve(), removeBase64Images: choices.removeBase64Images })
  })
  return {
    url,
    get kind() {
      return reader().name
    },
    get charset() {
      return decoded().charset
    },
    get rawHtml() {
      reader()
      return decoded().text
    },
    get tree() {
      return reading().tree
    },
    get base() {
      return base()
    },
    get content() {
      return content()
    },
    get facts() {
      return facts()
    },
    get metadata() {
      return metadata()
    },
    get links() {
      return links()
    },
    get images() {
      return images()
    },
    get html() {
      return html()
    },
    get markdown() {
      return markdown()
    },
    get cuts() {
      return cuts()
    },
    get warnings() {
      return known() ? reading().warnings : []
    },
  }
}

/** A page that does not say which language it is in is listened to. */
function withLanguage(metadata: Metadata, tree: Document): Metadata {
  const language = metadata.language === undefined ? detectLanguage(tree) : undefined
  return language === undefined ? metadata : { ...metadata, language }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The first <base href>, when it leads to the web. */
function baseOf(tree: Document, url: string): string {
  const element = findElement(tree, ({ name, attribs }) => name === 'base' && attribs.href !== undefined, 20_000)
  const base = element?.attribs.href && absolute(element.attribs.href.trim(), url)
  return base && isWeb(base) ? base : url
}
