// What a page or a card is called, where it leads and what it shows, when no label says so: its heading, its link, its
// picture. Each with how sure it is.
import type { Element } from 'domhandler'
import { imageSource } from '../../content/image-source.ts'
import { findElement, flatText, textOf } from '../../content/tree.ts'
import { readLines } from '../facts/lines.ts'
import { dateIn } from '../values/dates.ts'
import { type Candidate, candidate, first, mostOften, type Typed } from './candidate.ts'
import type { Scope, Seen } from './scope.ts'
import { tokensOf } from './words.ts'

const BUTTON =
  /^(?:(?:learn|read|see|view|show|find out) more|details|buy now|shop now|add to (?:cart|bag)|mehr erfahren|download(?: (?:as|the|pdf|now|here).*)?)$/i

/** A heading that shares no word with the page's title may head anything on it. */
function isOfTitle(heading: string, title: string | undefined): boolean {
  const words = new Set(tokensOf(title ?? ''))
  return words.size < 2 || tokensOf(heading).some((word) => words.has(word))
}

export const title: Typed = (scope) => {
  const { headings, elements, isSmall, main, common } = scope
  if (!isSmall) return main ? [candidate(main.text, isOfTitle(main.text, scope.title) ? 0.84 : 0.74)] : []
  const isOwn = (text: string) => /\p{L}{2}|\d/u.test(text) && !common?.has(text) && !BUTTON.test(text)
  const heading = headings.find(({ text }) => isOwn(text) && !isFigure(text))
  if (heading) return [candidate(heading.text, 0.9)]
  const links = elements
    .filter(({ element }) => element.name === 'a')
    .slice(0, MAX_LINKS)
    .filter(({ element }) => /\p{L}{3}/u.test(textOf(element, 200)))
  const names = [...new Set(links.map(({ element }) => firstShown(element)))].filter(isOwn)
  // Of several links nobody can tell which one is the name, unless one is made to stand out.
  const linked = names.slice(0, 1).map((name) => candidate(name, names.length === 1 ? 0.74 : 0.55))
  const strong = elements.find(
    ({ element }) => (element.name === 'strong' || element.name === 'b') && isOwn(flatText(element, 300)),
  )
  return [...linked, ...firstLine(scope), ...(strong ? [candidate(flatText(strong.element, 300), 0.68)] : [])]
}

/** "2,400+", "98%", "6 h" count something that another line names. */
export const isFigure = (text: string): boolean =>
  /^[$€£~<>]?\s?\d[\d.,\s]{0,12}\s?(?:[kKmMbB%x+]|\p{L}{1,2}|million|billion)?\s?\+?$/u.test(text) &&
  !/^(?:19|20)\d{2}$/.test(text)

/** A card with more links than this is not told by one of them. */
const MAX_LINKS = 60

/** What a link says first: a price or a badge may stand in it too. */
const firstShown = (element: Element): string =>
  readLines(element, () => false).lines.find(({ text }) => /\p{L}{3}/u.test(text))?.text ?? ''

/** A card of lines only: the first says what it is. */
function firstLine({ lines, common }: Scope): Candidate[] {
  const [line] = lines.filter(
    ({ text }) => !BUTTON.test(text) && !/(?:\sby|[:：])$/iu.test(text) && !/^[“"«„]/u.test(text) && !isFigure(text),
  )
  const [run, second] = line?.runs ?? []
  // A row of two: what it is and how it is.
  if (
    run &&
    second &&
    lines.length === 1 &&
    line!.runs.length === 2 &&
    /\p{L}{2}/u.test(run.text) &&
    !common?.has(run.text)
  )
    return [candidate(run.text, 0.64)]
  const text = run?.element?.name === 'a' ? run.text : line?.text
  const isName =
    text && lines.length > 1 && text.length <= 100 && /\p{L}{3}/u.test(text) && !common?.has(text) && !dateIn(text)
  return isName ? [candidate(text, 0.63)] : []
}

export const isLink = ({ name, attribs }: Element): boolean =>
  name === 'a' && attribs.href !== undefined && !/^(?:#|javascript:|mailto:|tel:|$)/i.test(attribs.href)

export const link: Typed = ({ elements, headings, isSmall, common }) => {
  if (!isSmall) return []
  const links = elements.filter(({ element }) => isLink(element) && !common?.has(element.attribs.href!))
  const heading = headings.find(({ text }) => !common?.has(text))?.element
  const chosen = (heading && findElement(heading, isLink, 50)) ?? titled(links)
  return chosen?.attribs.href ? [candidate(chosen.attribs.href, 0.86, { href: chosen.attribs.href })] : []
}

/** Where most links of a card lead; the first when they differ: it is the picture or the name. */
function titled(links: readonly Seen[]): Element | undefined {
  const often = mostOften(links.map(({ element }) => element.attribs.href!))
  const most = often && links.find(({ element }) => element.attribs.href === often.value)
  return (most ?? links[0])?.element
}

export const picture: Typed = (scope) => {
  const found = first(scope, ({ name }) => name === 'img')
  const src = found && imageSource(found.element)
  return src && (scope.isSmall || found.isMain) ? [candidate(src, scope.isSmall ? 0.86 : 0.62, { src })] : []
}
