// Finds when a page was published and changed: kinds of places in order of trust, from declared metadata to the line
// beside the heading. A visible date counts only near the heading, before the first card that links elsewhere.

import type { AnyNode, Document, Element } from 'domhandler'
import { parseDate, toIsoDate, toIsoDateTime, toTimestamp } from '../base/parse-dates.ts'
import { setOfWords } from '../base/values.ts'
import {
  closestElement,
  collapsedTextOf,
  findElement,
  isElement,
  isText,
  nextNode,
  nextNodeAfterSubtree,
} from './parse-tree.ts'

type PageDates = { published?: string; modified?: string }

interface DeclaredDates {
  /** The values of meta elements by name. */
  metas: ReadonlyMap<string, readonly string[]>
  /** Dates of JSON-LD objects that describe the page. */
  jsonLd: PageDates
  url: string
  language: string
  title: string
}

type ParsedDate = NonNullable<ReturnType<typeof parseDate>>
type ReadDate = (text: string | undefined) => ParsedDate | undefined

/** Names in metadata, microdata and JSON, in lower case and with letters only. */
const PUBLISHED_NAME =
  /publi(?:sh|cat|cdate)|issued|pubdate|pubtime|firstpub|releasedate|origdate|uploaddate|posted|creat(?:ed|ion)?(?:at|date|time|on)?$|datecreat|^(?:dc|dcterms|article|og|sailthru|parsely)?date$/
const MODIFIED_NAME = /modif|updat|lastmod|revis|edited/
/** Dates of something else, and names of publishers. */
const OTHER_NAME =
  /expir|comment|registr|valid|copyright|available|end|start|event|cache|build|publisher|publication(?:name|type|title)/

const MIN_YEAR = 1990
const DAY_MS = 86_400_000
const JSON_DATE =
  /\\?"([a-zA-Z_-]{4,40})\\?"\s{0,9}:\s{0,9}\\?"(\d{4}[-/\\]{1,2}\d{1,2}[-/\\]{1,2}\d{1,2}[^"\\]{0,30})\\?"/g
const MAX_JSON_DATES = 20
const ADDRESS_DATE = /(?<!\d)((?:19|20)\d{2})([-_/.]?)(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d{1,5}(?:\D|$))/

export function findPageDates(tree: Document, { metas, jsonLd, url, language, title }: DeclaredDates): PageDates {
  const latest = Date.now() + 2 * DAY_MS
  const read: ReadDate = (text) => {
    const date = text === undefined ? undefined : parseDate(text, language)
    return date && date.year >= MIN_YEAR && dayOf(date) <= latest ? date : undefined
  }
  const visible = findVisibleDates(tree, read, title)
  const readDatesOf = (kind: DateKind) =>
    [...metas].flatMap(([name, [value]]) => (kindOfName(name) === kind ? [read(value)] : []))
  const inAddress = read(addressDate(url))
  const published = [
    ...readDatesOf('published'),
    read(jsonLd.published),
    ...visible.declared,
    inAddress,
    ...visible.shown,
    ...jsonDates(visible.scripts).map(read),
  ].filter((date) => date !== undefined)
  const [modified] = [...readDatesOf('modified'), read(jsonLd.modified), ...visible.modified].filter(Boolean)
  const [first] = published
  return {
    ...(first ? { published: write(onDayOfSite(first, inAddress ?? visible.beside, published)) } : {}),
    ...(modified ? { modified: write(modified) } : {}),
  }
}

type DateKind = 'published' | 'modified' | undefined

function kindOfName(name: string): DateKind {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  if (OTHER_NAME.test(letters)) return undefined
  return MODIFIED_NAME.test(letters) ? 'modified' : PUBLISHED_NAME.test(letters) ? 'published' : undefined
}

const dayOf = ({ year, month, day }: ParsedDate): number => Date.UTC(year, month - 1, day)

/** Without a stated zone the local time is written without one. */
function write(date: ParsedDate): string {
  if (date.time === undefined) return toIsoDate(date)
  const full = toIsoDateTime(date)
  return date.zone === undefined ? full.slice(0, -1) : full
}

/** A UTC stamp may be on the day before or after that of the site: the same moment in its zone, or else its day. */
function onDayOfSite(date: ParsedDate, site: ParsedDate | undefined, all: readonly ParsedDate[]): ParsedDate {
  const isUtc = date.time !== undefined && (date.zone === undefined || /^(?:Z|[+-]00:?00)$/i.test(date.zone))
  if (!site || !isUtc || Math.abs(dayOf(site) - dayOf(date)) !== DAY_MS) return date
  const isSameMoment = (one: ParsedDate) =>
    one.zone !== undefined && dayOf(one) === dayOf(site) && Math.abs(toTimestamp(one) - toTimestamp(date)) < 60_000
  return all.find(isSameMoment) ?? site
}

function addressDate(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname + new URL(url).search : ''
  const match = ADDRESS_DATE.exec(path)
  return match ? `${match[1]}-${match[3]}-${match[4]}` : path
}

/** Shops state when they created a product, which is not when the page was published. */
function jsonDates(scripts: readonly string[]): string[] {
  const dates: string[] = []
  for (const script of scripts)
    for (const [, name, value] of script.matchAll(JSON_DATE)) {
      if (kindOfName(name!) === 'published' && !/^creat/i.test(name!)) dates.push(value!.replaceAll('\\', ''))
      if (dates.length >= MAX_JSON_DATES) return dates
    }
  return dates
}

interface VisibleDates {
  /** By microdata. */
  declared: ParsedDate[]
  modified: ParsedDate[]
  /** The best first. */
  shown: ParsedDate[]
  /** The one directly after the heading. */
  beside: ParsedDate | undefined
  scripts: string[]
}

interface DatedPlace {
  date: ParsedDate
  /** Words of the page before it. */
  words: number
  /** Headings before it that link to other pages, since the main heading. */
  cards: number
  /** In a `time` element, in one named after dates, or nearly alone in its line. */
  isMarked: boolean
}

const SKIPPED = setOfWords('nav footer aside form select style script template svg')
const DATE_CLASS =
  /(?:^|[-_\s])(?:date|datum|time|timestamp|published|pub-?date|posted|meta|byline|created|fecha|data|dateline|info)(?:$|[-_\s])|(?:Date|Time|date|time)$/
const MODIFIED_WORD =
  /updat|modif|edited|revis|aktualisi|ge[äa]ndert|mis(?:e)? à jour|actualiz|atualiz|aggiorna|bijgewerkt|обновл|изменен|zaktualiz|güncell|更新|수정/i
const LIKE_DATE = /\d{4}|\d[./-]\d|[٠-٩۰-۹०-९๐-๙]{4}/
/** `(18.01.2018) Text`, `Berlin, 18 January 2018 – text`. */
const DATELINE = /^((?=[^(]{0,30}\d)[^()]{4,50}\s[–—-]|\([^()]{4,40}\))\s/
const MAX_CHARS_BESIDE_DATE = 25
const MAX_LINE = 160
const MAX_LINES = 1000
const MAX_PLACES = 40
const MAX_SCRIPT_CHARS = 1_000_000
const WORDS_BESIDE_HEADING = 80
const MAX_WORDS_FROM_HEADING = 500
/** For a date in a line of other text. */
const MAX_WORDS_UNMARKED = 12

function findVisibleDates(tree: Document, read: ReadDate, title: string): VisibleDates {
  const declared: ParsedDate[] = []
  const modified: ParsedDate[] = []
  const scripts: string[] = []
  const places: DatedPlace[] = []
  const done = new Set<Element>()
  let [words, cards, scriptChars, lines] = [0, 0, 0, 0]
  // Counted when a date or heading needs them: most text stands behind the last one.
  const uncounted: string[] = []
  const wordsBefore = (): number => {
    for (const text of uncounted) words += countSpaces(text)
    uncounted.length = 0
    return words
  }
  const heading = { fit: 0, words: 0 }
  const note = (date: ParsedDate | undefined, before: string, isMarked: boolean): void => {
    if (date && MODIFIED_WORD.test(before)) modified.push(date)
    else if (date && places.length < MAX_PLACES)
      places.push({ date, words: wordsBefore() + countSpaces(before), cards, isMarked })
  }
  let next: AnyNode | null = tree
  while (next) {
    const node: AnyNode = next
    next = nextNode(node, tree)
    if (isText(node)) {
      const { parent } = node
      if (lines < MAX_LINES && isElement(parent) && !done.has(parent) && LIKE_DATE.test(node.data)) {
        lines++
        const own = node.data.trim()
        const line = own.length <= MAX_LINE && read(own) ? own : lineAround(parent, own)
        const date = read(line)
        if (line !== undefined && date) {
          done.add(parent)
          const isAlone = line.length - (date.end - date.at) < MAX_CHARS_BESIDE_DATE
          note(date, line.slice(0, date.at), isAlone || hasDateClass(parent))
        }
      }
      uncounted.push(node.data)
      continue
    }
    if (!isElement(node)) continue
    const { name, attribs } = node
    const [text] = node.children
    if (name === 'script' && text && 'data' in text && scriptChars + text.data.length < MAX_SCRIPT_CHARS) {
      scriptChars += text.data.length
      scripts.push(text.data)
    }
    if (SKIPPED.has(name)) next = nextNodeAfterSubtree(node, tree)
    else if (name === 'h1' || name === 'h2' || name === 'h3') {
      const said = collapsedTextOf(node, 300)
      const fit = said === '' ? 0 : title.includes(said) ? said.length : name === 'h1' ? 1 : 0
      if (fit > heading.fit) {
        Object.assign(heading, { fit, words: wordsBefore() })
        cards = 0
      } else if (isLinked(node)) cards++
    } else if (attribs.itemprop && kindOfName(attribs.itemprop)) {
      const date = read(attribs.content ?? attribs.datetime ?? collapsedTextOf(node, 100))
      if (date) (kindOfName(attribs.itemprop) === 'modified' ? modified : declared).push(date)
      done.add(node)
    } else if (name === 'time') {
      const before = node.prev && isText(node.prev) ? node.prev.data.slice(-60) : ''
      note(read(attribs.datetime) ?? read(collapsedTextOf(node, 100)), `${attribs.class ?? ''} ${before}`, true)
      done.add(node)
    }
  }
  const near = places
    .map((one) => ({ ...one, far: (one.words - heading.words) * (one.words < heading.words ? -2 : 1) }))
    .filter((one) => one.cards === 0 && one.far <= (one.isMarked ? MAX_WORDS_FROM_HEADING : MAX_WORDS_UNMARKED))
    .sort((a, b) => a.far - b.far)
  const marked = places.filter(({ isMarked }) => isMarked).map(({ date }) => date)
  const isOnlyDate = new Set(marked.map(toIsoDate)).size === 1
  return {
    declared,
    modified,
    scripts,
    beside: near.find((one) => one.words >= heading.words && one.far <= WORDS_BESIDE_HEADING)?.date,
    shown: [...near.map(({ date }) => date), ...(isOnlyDate ? marked : [])],
  }
}

/** Runs of white space, without a string for each word. */
function countSpaces(text: string): number {
  let count = 0
  let isInside = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSpace = code <= 32 || code === 0xa0 || code === 0x3000
    if (isSpace && !isInside) count++
    isInside = isSpace
  }
  return count
}

const isLinked = (heading: Element): boolean =>
  closestElement(heading, 4, ({ name }) => name === 'a') !== undefined ||
  findElement(heading, ({ name }) => name === 'a', 20) !== undefined

const hasDateClass = (element: Element): boolean =>
  closestElement(element, 2, ({ attribs }) => DATE_CLASS.test(`${attribs.class ?? ''} ${attribs.id ?? ''}`)) !==
  undefined

/** The text of the smallest block around a text; of running text, only the dateline it opens with. */
function lineAround(parent: Element, own: string): string | undefined {
  if (own.length > MAX_LINE) return DATELINE.exec(own)?.[1]
  let line = own
  for (let one: AnyNode | null = parent, n = 0; isElement(one) && n < 3; one = one.parent, n++) {
    const text = collapsedTextOf(one, MAX_LINE + 1)
    if (text.length > MAX_LINE) break
    line = text
  }
  return line
}
