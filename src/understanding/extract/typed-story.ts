// What tells of an article, a post or a card without a label: its title and link, when it was written, what section it
// stands in. Each with how sure it is.
import type { Element } from 'domhandler'
import { imageSource } from '../../content/image-source.ts'
import { findElement, flatText, isElement, textOf } from '../../content/tree.ts'
import { type Line, readLines } from '../facts/lines.ts'
import { findMoney } from '../money.ts'
import { dateIn } from '../values/dates.ts'
import { type Candidate, candidate, first, isNear, mostOften, type Typed } from './candidate.ts'
import { crumbsIn } from './crumbs.ts'
import { markedDate } from './marks.ts'
import { saidIn } from './post-text.ts'
import { firstAt, type Scope, type Seen } from './scope.ts'
import type { Wanted } from './wanted.ts'
import { tokensOf } from './words.ts'

// --- title, link, picture ---------------------------------------------------------------------------------------------

/** A price behind a name is no part of it. */
const PRICED = /\s*(?:[-–|]\s*)?(?:from |now |ab )?[$€£]\s?\d[\d.,]*$|\s(?:see price in cart)$/i
const unpriced = (name: string): string => {
  const bare = name.replace(PRICED, '')
  return bare.split(' ').length > 1 ? bare : name
}

export const title: Typed = (scope, wanted, ground) =>
  titleOf(scope, wanted, ground).map((one) =>
    scope.isSmall && typeof one.value === 'string' ? { ...one, value: unpriced(one.value) } : one,
  )

const BUTTON =
  /^(?:(?:learn|read|see|view|show|find out) more|details|buy now|shop now|add to (?:cart|bag)|mehr erfahren|download(?: (?:as|the|pdf|now|here).*)?)$/i

/** A heading that shares no word with the page's title may head anything on it. */
function isOfTitle(heading: string, title: string | undefined): boolean {
  const words = new Set(tokensOf(title ?? ''))
  return words.size < 2 || tokensOf(heading).some((word) => words.has(word))
}

const titleOf: Typed = (scope) => {
  const { headings, elements, isSmall, main, common } = scope
  if (!isSmall) return main ? [candidate(main.text, isOfTitle(main.text, scope.title) ? 0.84 : 0.74)] : []
  const isOwn = (text: string) => /\p{L}{2}|\d/u.test(text) && !common?.has(text) && !BUTTON.test(text)
  const heading = headings.find(({ text }) => isOwn(text) && !isFigure(text))
  if (heading) return [candidate(heading.text, 0.9)]
  const links = elements
    .filter(({ element }) => element.name === 'a')
    .slice(0, MAX_LINKS)
    .filter(({ element }) => /\p{L}{3}/u.test(textOf(element, 200)) && !isInSentence(element))
  const names = [...new Set(links.map(({ element }) => firstShown(element)))].filter(isOwn)
  // Of several links nobody can tell which one is the name, unless one is made to stand out.
  const linked = names.slice(0, 1).map((name) => candidate(name, names.length === 1 ? 0.74 : 0.55))
  const strong = elements.find(
    ({ element }) =>
      (element.name === 'strong' || element.name === 'b') && isOwn(flatText(element, 300)) && !isInSentence(element),
  )
  return [...linked, ...firstLine(scope), ...(strong ? [candidate(flatText(strong.element, 300), 0.68)] : [])]
}

/** "2,400+", "98%", "6 h" count something that another line names. */
export const isFigure = (text: string): boolean =>
  /^[$€£~<>]?\s?\d[\d.,\s]{0,12}\s?(?:[kKmMbB%x+]|\p{L}{1,2}|million|billion)?\s?\+?$/u.test(text) &&
  !/^(?:19|20)\d{2}$/.test(text)

/** A card with more links than this is not told by one of them. */
const MAX_LINKS = 60

/** Words of a paragraph that begins before them name nothing. */
function isInSentence(element: Element): boolean {
  const { parent } = element
  if (!isElement(parent) || (parent.name !== 'p' && parent.name !== 'li' && parent.name !== 'div')) return false
  const [own, all] = [flatText(element, 200), flatText(parent, 600)]
  return all.length > own.length * 2 && all.indexOf(own) > 15
}

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
  const chosen = (heading && (findElement(heading, isLink, 50) ?? around(heading, links))) ?? titled(links)
  return chosen?.attribs.href ? [candidate(chosen.attribs.href, 0.86, { href: chosen.attribs.href })] : []
}

/** The link that a heading stands in, however deep. */
function around(heading: Element, links: readonly Seen[]): Element | undefined {
  const own = new Set(links.map(({ element }) => element))
  let up = isElement(heading.parent) ? heading.parent : undefined
  for (let steps = 0; up && steps < 8; steps++) {
    if (own.has(up)) return up
    up = isElement(up.parent) ? up.parent : undefined
  }
  return undefined
}

/** Where most links of a card lead; the first when they differ: it is the picture or the name. */
function titled(links: readonly Seen[]): Element | undefined {
  const often = mostOften(links.map(({ element }) => element.attribs.href!))
  const most = often && links.find(({ element }) => element.attribs.href === often.value)
  return (most ?? links[0])?.element
}

const PICTURES = 40
/** A gallery stands before the heading. */
const PICTURE_BEFORE = 60
const PICTURE_AFTER = 140

function pictureOf(scope: Scope, heading: string): string | undefined {
  const words = new Set(tokensOf(heading).filter((word) => word.length > 2))
  const pictures = scope.elements
    .filter(({ element, at }) => element.name === 'img' && isNear(scope, at + PICTURE_BEFORE, PICTURE_AFTER))
    .slice(0, PICTURES)
  const own = pictures.find(({ element }) => {
    const said = tokensOf(element.attribs.alt ?? '').filter((word) => words.has(word))
    return said.length >= Math.min(2, words.size) && words.size > 0
  })
  return own && imageSource(own.element)
}

export const picture: Typed = (scope) => {
  const found = first(scope, ({ name }) => name === 'img')
  const src = found && imageSource(found.element)
  // A picture that is called like the page shows what it is about.
  const own = scope.isSmall || !scope.main ? undefined : pictureOf(scope, scope.main.text)
  if (own) return [candidate(own, 0.74, { src: own })]
  return src && (scope.isSmall || found.isMain) ? [candidate(src, scope.isSmall ? 0.86 : 0.62, { src })] : []
}

// --- when -------------------------------------------------------------------------------------------------------------

const UPDATED =
  /updated|modified|revised|edited|aktualisiert|mis à jour|actualizado|aggiornato|bijgewerkt|обновлено|更新/iu
/** Dates of a later change, a later word, or of the writer. */
const NOT_FIRST = new RegExp(
  `${UPDATED.source}|last (?:post|reply|active|seen|visit)|latest (?:post|reply)|joined`,
  'iu',
)
const IN_ADDRESS = /\/(20\d{2})[/-](\d{2})[/-](\d{2})(?:[/-]|$)/

export const published: Typed = (scope, { shape }, { language }) => {
  const marked = markedDate(scope)
  if (marked) return [candidate(marked, 0.86, { when: marked })]
  const isHere = ({ at, isMain }: Seen) => isMain && (scope.isSmall || isNear(scope, at))
  const times = scope.elements.filter(({ element, isMain }) => isMain && isTime(element))
  const near = times.find(
    (one) =>
      (isHere(one) || (times.length === 1 && (!scope.main || isNear(scope, one.at, 400)))) &&
      !NOT_FIRST.test(aroundText(one.element)),
  )
  if (near) {
    const shown = flatText(near.element, 60)
    const when = near.element.attribs.datetime ?? near.element.attribs.title
    return [candidate(shown || (when ?? ''), 0.78, { when })]
  }
  const dated = scope.lines.filter(
    ({ text, isMain }) => isMain && text.length <= (scope.isSmall ? 200 : 120) && /\d{2}/.test(text),
  )
  const line = scope.isSmall
    ? (dated.find(({ text }) => !NOT_FIRST.test(text) && dateIn(text, language)) ??
      dated.find(({ text }) => dateIn(text, language)))
    : dated.find(({ text, at }) => isNear(scope, at) && !NOT_FIRST.test(text) && dateIn(text, language))
  const date = line && dateIn(line.text, language)
  if (line && date) {
    const exact = shape.format ? line.text : line.text.slice(date.at, date.end)
    return [candidate(exact, scope.isSmall ? 0.75 : 0.68)]
  }
  return [...inAddress(scope), ...onlyDate(scope, language)]
}

const isTime = ({ name, attribs }: Element): boolean =>
  name === 'time' ||
  attribs.datetime !== undefined ||
  (/timeago|date/.test(attribs.class ?? '') && /^\d{4}-\d\d-\d\d/.test(attribs.title ?? ''))

function inAddress({ address }: Scope): Candidate[] {
  const found = IN_ADDRESS.exec(address ?? '')
  return found ? [candidate(`${found[1]}-${found[2]}-${found[3]}`, 0.66)] : []
}

/** Dates far from the heading count when all that stand by themselves are one. */
function onlyDate({ lines, isSmall }: Scope, language: string): Candidate[] {
  if (isSmall) return []
  const short = lines.filter(
    ({ text, isMain }) => isMain && text.length <= 60 && /\d{4}/.test(text) && !UPDATED.test(text),
  )
  const dates = short.slice(0, 50).flatMap(({ text }) => (isDateAlone(text, language) ? [text] : []))
  return new Set(dates).size === 1 ? [candidate(dates[0]!, 0.62)] : []
}

/** A date with a word or two, not a sentence that holds one. */
function isDateAlone(text: string, language: string): boolean {
  const date = dateIn(text, language)
  return date !== undefined && text.length - (date.end - date.at) <= 25 && !text.endsWith('.')
}

export const modified: Typed = ({ elements, lines }, _, { language }) => {
  const time = elements.find(({ element }) => element.name === 'time' && UPDATED.test(aroundText(element)))
  if (time) return [candidate(flatText(time.element, 60), 0.8, { when: time.element.attribs.datetime })]
  const line = lines.find(({ text }) => text.length < 120 && UPDATED.test(text) && dateIn(text, language))
  const at = line ? line.text.search(UPDATED) : 0
  const date = line && (dateIn(line.text.slice(at), language) ?? dateIn(line.text, language))
  return line && date ? [candidate(dateIn(line.text.slice(at), language) ? line.text.slice(at) : line.text, 0.72)] : []
}

const aroundText = (element: Element): string => (isElement(element.parent) ? textOf(element.parent, 120) : '')

// --- what about -------------------------------------------------------------------------------------------------------

const CATEGORY = /\/(?:category|categories|kategorie|categorie|categoria|topics?|sections?)\/|[?&]cat(?:egory)?=/i

/** The section a page stands in: a link that says so, or the last step on the way to it. */
export const section: Typed = (scope) => {
  if (scope.isSmall) return []
  const tagged = scope.elements.find(
    ({ element, isMain, at }) =>
      element.name === 'a' &&
      (/(?:^|\s)category(?:\s|$)/.test(element.attribs.rel ?? '') ||
        (isMain &&
          scope.main !== undefined &&
          at > scope.main.at &&
          isNear(scope, at, 80) &&
          CATEGORY.test(element.attribs.href ?? ''))),
  )
  const named = tagged && flatText(tagged.element, 80)
  const step = crumbsIn(scope).at(-1)
  return [
    ...(named && named.length <= 50 ? [candidate(named, 0.74)] : []),
    ...postedIn(scope),
    ...(step && step.length <= 60 ? [candidate(step, 0.7)] : []),
    ...(step === undefined ? [onTheWay(scope)].flatMap((name) => (name ? [candidate(name, 0.66)] : [])) : []),
  ]
}

/** The one link just before the heading that leads where the page's own address leads through, or to a topic. */
function onTheWay({ elements, main, address }: Scope): string | undefined {
  if (!main || !address || !URL.canParse(address)) return undefined
  const { pathname, origin } = new URL(address)
  const names = new Set<string>()
  for (const { element } of elements.slice(firstAt(elements, main.at - 30), firstAt(elements, main.at))) {
    const href = element.name === 'a' ? element.attribs.href : undefined
    const path = href && URL.canParse(href, origin) ? new URL(href, origin).pathname.replace(/\/?$/, '/') : '/'
    const isWay = path.length > 2 && path !== pathname && (pathname.startsWith(path) || TOPIC.test(path))
    const text = isWay ? flatText(element, 60) : ''
    if (text !== '' && text.length <= 40) names.add(text)
  }
  return names.size === 1 ? [...names][0] : undefined
}

const TOPIC = /^\/(?:tags?|topics?|category|categories|sections?)\/[^/]+\/$/i

/** "May 3, 2024 in Gardening": the link after the word. */
function postedIn(scope: Scope): Candidate[] {
  for (const { runs, at, text } of scope.lines) {
    if (
      text.length > 120 ||
      !isNear(scope, at) ||
      !(dateIn(text) || /posted|filed|published|categor|started/i.test(text))
    )
      continue
    const says = runs.findIndex(
      (run, n) =>
        n < runs.length - 1 && /(?:^|\s)(?:in|under|filed under|posted in|category|categories)[:\s]*$/i.test(run.text),
    )
    const link = says >= 0 ? runs[says + 1] : undefined
    if (link?.element?.name === 'a' && link.text.length <= 50) return [candidate(link.text, 0.73)]
  }
  return []
}

/** "Shop now >". */
const PRESS =
  /^(?:shop|learn|read|view|see|buy|get|order|find|book|start|discover|explore|mehr|weiter|en savoir|leer)\b.{0,20}$/iu

export const description: Typed = ({ lines, isSmall }, _, { money }) => {
  if (!isSmall) return []
  const isProse = ({ text, block }: Line) =>
    text.length > (block?.name === 'p' ? 8 : 30) &&
    !/^h\d$/.test(block?.name ?? '') &&
    !PRESS.test(text) &&
    findMoney(text, money).length === 0
  const [longest] = lines.filter(isProse).sort((a, b) => b.text.length - a.text.length)
  return longest ? [candidate(longest.text, 0.74)] : []
}

const SUBTITLE =
  /(?:^|[-_\s])(?:sub-?(?:title|heading|head|line)|standfirst|dek|deck|tagline|kicker|article-lead|lede)(?:$|[-_\s])/i

/** The line below the heading that is called so, or is a heading of the next level right after it. */
export const subtitle: Typed = (scope, { phrases }) => {
  const { main, elements, headings } = scope
  if (!main) return []
  const named = elements.find(
    ({ element, at }) =>
      at > main.at && at < main.at + 120 && SUBTITLE.test((element.attribs.class ?? '').slice(0, 300)),
  )
  const text = named && flatText(named.element, 400)
  if (text && text.length <= 300) return [candidate(text, 0.76)]
  const below = underHead(scope, phrases)
  if (below) return [candidate(below, 0.72)]
  const next = headings.find(({ at }) => at > main.at)
  return next && next.level === 2 && next.at < main.at + 8 && !/[?？]$/u.test(next.text)
    ? [candidate(next.text, 0.64)]
    : []
}

const LEAD_CLASS = /(?:^|[-_\s])(?:lead|lede|intro|summary|excerpt|sub|hero)(?:$|[-_\s])/i
const MAX_SUBTITLE = 200

/** The line right below the heading, when its class says that it leads in, or the heading is a hero's. */
function underHead({ main, lines }: Scope, phrases: readonly string[]): string | undefined {
  const next = main && lines.find(({ at, text }) => at > main.at && text !== main.text)
  if (!main || !next || next.at > main.at + 8 || next.text.length > MAX_SUBTITLE || next.text.length < 8)
    return undefined
  const isLead = LEAD_CLASS.test((next.block?.attribs.class ?? '').slice(0, 200))
  const isHero = phrases.some((phrase) => /^(?:hero|sub headline|tagline|slogan)/.test(phrase))
  return (isLead || isHero) && /^p$|^h[2-6]$|^div$/.test(next.block?.name ?? '') && !dateIn(next.text)
    ? next.text
    : undefined
}

const LEAD_CHARS = 60

/** The first paragraph after the heading, for a page whose head says nothing of it. */
export const lead = (scope: Scope, { phrases }: Wanted): Candidate[] => {
  const { main, lines } = scope
  const isProse = ({ text, runs, block }: Line) =>
    block?.name !== 'pre' &&
    /^["“'(¿¡]?[\p{Lu}\p{Lo}\d]/u.test(text) &&
    /[.!?。]$/u.test(text) &&
    runs.filter(({ element }) => element?.name === 'a').reduce((sum, run) => sum + run.text.length, 0) < text.length / 2
  if (
    !main ||
    scope.isSmall ||
    !phrases.some((phrase) => /summary|lead|intro|abstract|excerpt|description|overview/.test(phrase))
  )
    return []
  const line = lines.find((line) => line.isMain && line.at > main.at && line.text.length >= LEAD_CHARS && isProse(line))
  return line ? [candidate(line.text, 0.62)] : []
}

/** What a program adds to a post: notices of changes, addresses to share, rows of links. */
const isTold = ({ text, runs }: Line): boolean =>
  !/^https?:\S+$/i.test(text) &&
  !/^(?:last edited|edited by|posted by|more sharing options|link to (?:comment|post)|reactions?:)/i.test(text) &&
  runs.filter(({ element }) => element?.name === 'a').reduce((sum, run) => sum + run.text.length, 0) < text.length * 0.9

export const wholeText: Typed = ({ lines, isSmall }) => {
  const main = lines.filter(({ isMain }) => isMain)
  if (!isSmall)
    return [
      candidate(
        main
          .map(({ text }) => text)
          .join('\n')
          .slice(0, 20_000),
        0.7,
      ),
    ]
  const told = saidIn(lines).filter(isTold)
  if (!told.some(({ text }) => text.length > 40)) {
    // A short reply is still a text: some words that end like a sentence.
    const short = told.find(({ text }) => text.split(' ').length > 2 && /[.!?。)]$/u.test(text))
    return short ? [candidate(short.text, 0.64)] : []
  }
  // The parts of a post beside its text, such as who wrote it, say less than the text does.
  const groups = new Map<unknown, string[]>()
  for (const { block, text } of told) {
    const isWord = text.length <= 20 && !(/[.!?]$/.test(text) && groups.has(block?.parent))
    if (isWord) continue
    const known = groups.get(block?.parent)
    if (known) known.push(text)
    else groups.set(block?.parent, [text])
  }
  const [most] = [...groups.values()]
    .map((texts) => texts.join(' '))
    .filter((text) => text.length >= 100 || /[.!?…]/u.test(text) || !/\d/.test(text))
    .sort((a, b) => b.length - a.length)
  return most ? [candidate(most, 0.7)] : []
}
