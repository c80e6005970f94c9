// What a thing is called, what it looks like, where it lives, and the button that its page wants pressed.
import type { Element } from 'domhandler'
import { imageSource } from '../../../content/image-source.ts'
import { closest, findElement, flatText, isElement, textOf } from '../../../content/tree.ts'
import { readLines } from '../../facts/lines.ts'
import { dateIn } from '../../values/dates.ts'
import type { Candidate, Data, FieldContext, Rows, ValueFinder } from '../asking.ts'
import { candidate, first, isNear, mostOften } from '../candidate.ts'
import type { PagePart, SeenElement } from '../page-part.ts'
import { isFrame } from '../things.ts'
import { ORGANISATION } from '../vocabulary.ts'
import { tokensOf } from '../words.ts'

// --- name -------------------------------------------------------------------------------------------------------------

/** A price behind a name is no part of it. */
const PRICED = /\s*(?:[-–|]\s*)?(?:from |now |ab )?[$€£]\s?\d[\d.,]*$|\s(?:see price in cart)$/i
const unpriced = (name: string): string => {
  const bare = name.replace(PRICED, '')
  return bare.split(' ').length > 1 ? bare : name
}

export const title = (scope: PagePart): Candidate[] =>
  titleOf(scope).map((one) =>
    scope.isSmall && typeof one.value === 'string' ? { ...one, value: unpriced(one.value) } : one,
  )

const BUTTON =
  /^(?:(?:learn|read|see|view|show|find out) more|details|buy now|shop now|add to (?:cart|bag)|mehr erfahren|download(?: (?:as|the|pdf|now|here).*)?)$/i

/** A heading that shares no word with the page's title may head anything on it. */
function isOfTitle(heading: string, title: string | undefined): boolean {
  const words = new Set(tokensOf(title ?? ''))
  return words.size < 2 || tokensOf(heading).some((word) => words.has(word))
}

function titleOf(scope: PagePart): Candidate[] {
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
function firstLine({ lines, common }: PagePart): Candidate[] {
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

/** "Title: On Swifts": the label stands in the heading itself. */
const TITLE_SAID = /^(?:title|titel|titre|título|titolo)\s?[:：]\s*/iu
/** "GEO 214: Rivers": the code is asked for apart. */
const COURSE_CODE = /^[A-Z]{2,5}[\s-]?\d{2,4}[A-Z]?\s?[:–—-]\s/u

/** How surely a name in data is that of what the page is about, not of its site or of something else on it. */
function ownership(value: unknown, data: Data, heading: string | undefined, ground: FieldContext): number {
  const types = data['@type']
  if (Array.isArray(types) && types.length === 1 && types[0] === 'WebSite') return 0.7
  if (heading === undefined || typeof value !== 'string') return 1
  // A name that neither the heading nor the title shows is that of the house, or of something else on the page.
  const [own, shown] = [ground.phrase(value), ground.phrase(heading)]
  if (own === '' || shown.length <= 3 || shown.includes(own) || own.includes(shown)) return 1
  return isFrame(data) ? 0.7 : 0.85
}

// --- subtitle ---------------------------------------------------------------------------------------------------------

const SUBTITLE =
  /(?:^|[-_\s])(?:sub-?(?:title|heading|head|line)|standfirst|dek|deck|tagline|kicker|article-lead|lede)(?:$|[-_\s])/i

/** The line below the heading that is called so, or is a heading of the next level right after it. */
const subtitle: ValueFinder = (scope, { phrases }) => {
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
function underHead({ main, lines }: PagePart, phrases: readonly string[]): string | undefined {
  const next = main && lines.find(({ at, text }) => at > main.at && text !== main.text)
  if (!main || !next || next.at > main.at + 8 || next.text.length > MAX_SUBTITLE || next.text.length < 8)
    return undefined
  const isLead = LEAD_CLASS.test((next.block?.attribs.class ?? '').slice(0, 200))
  const isHero = phrases.some((phrase) => /^(?:hero|sub headline|tagline|slogan)/.test(phrase))
  return (isLead || isHero) && /^p$|^h[2-6]$|^div$/.test(next.block?.name ?? '') && !dateIn(next.text)
    ? next.text
    : undefined
}

// --- links and pictures -----------------------------------------------------------------------------------------------

export const isLink = ({ name, attribs }: Element): boolean =>
  name === 'a' && attribs.href !== undefined && !/^(?:#|javascript:|mailto:|tel:|$)/i.test(attribs.href)

function link({ elements, headings, isSmall, common }: PagePart): Candidate[] {
  if (!isSmall) return []
  const links = elements.filter(({ element }) => isLink(element) && !common?.has(element.attribs.href!))
  const heading = headings.find(({ text }) => !common?.has(text))?.element
  const chosen = (heading && (findElement(heading, isLink, 50) ?? around(heading, links))) ?? titled(links)
  return chosen?.attribs.href ? [candidate(chosen.attribs.href, 0.86, { href: chosen.attribs.href })] : []
}

/** The link that a heading stands in, however deep. */
function around(heading: Element, links: readonly SeenElement[]): Element | undefined {
  const own = new Set(links.map(({ element }) => element))
  return closest(heading.parent, 8, (up) => own.has(up))
}

/** Where most links of a card lead; the first when they differ: it is the picture or the name. */
function titled(links: readonly SeenElement[]): Element | undefined {
  const often = mostOften(links.map(({ element }) => element.attribs.href!))
  const most = often && links.find(({ element }) => element.attribs.href === often.value)
  return (most ?? links[0])?.element
}

const PICTURES = 40
/** A gallery stands before the heading. */
const PICTURE_BEFORE = 60
const PICTURE_AFTER = 140

function pictureOf(scope: PagePart, heading: string): string | undefined {
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

const picture: ValueFinder = (scope) => {
  const found = first(scope, ({ name }) => name === 'img')
  const src = found && imageSource(found.element)
  // A picture that is called like the page shows what it is about.
  const own = scope.isSmall || !scope.main ? undefined : pictureOf(scope, scope.main.text)
  if (own) return [candidate(own, 0.74, { src: own })]
  return src && (scope.isSmall || found.isMain) ? [candidate(src, scope.isSmall ? 0.86 : 0.62, { src })] : []
}

/** Where a post lives is not the website of anybody. */
const isWebsite = (value: unknown, { '@type': types }: Data): boolean =>
  !URL.canParse(String(value)) ||
  new URL(String(value)).pathname.length <= 1 ||
  (Array.isArray(types) && types.some((type) => ORGANISATION.test(String(type)) || type === 'Person'))

// --- what the page wants pressed --------------------------------------------------------------------------------------

const BUTTON_CLASS = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i
const URGES =
  /^(?:get|start|try|sign|book|buy|order|join|request|schedule|contact|apply|register|subscribe|download|shop|talk|see|learn|watch|explore|claim|reserve|donate|create|jetzt|kostenlos|mehr|essayer|commencer|réserver|prueba|empieza|reserva|prova|inizia)(?!\p{L})/iu
const NOT_CTA = /^(?:copy|share|print|menu|search|close|play|pause|next|previous|log ?in|sign ?in|accept|\p{N})/iu
const MAX_CTA = 40
const NEAR_CTA = 60

/** The first button or urging link after the main heading; in a card the one that urges. */
function buttonIn(scope: PagePart): { element: Element; text: string } | undefined {
  return scope.memo('cta', () => {
    const isHere = ({ at }: SeenElement) =>
      scope.isSmall || (scope.main !== undefined && at > scope.main.at && isNear(scope, at, NEAR_CTA))
    for (const seen of scope.elements) {
      const { element } = seen
      if ((element.name !== 'a' && element.name !== 'button') || !isHere(seen)) continue
      const text = flatText(element, MAX_CTA * 2)
      if (text === '' || text.length > MAX_CTA || NOT_CTA.test(text)) continue
      if (BUTTON_CLASS.test((element.attribs.class ?? '').slice(0, 300)) || URGES.test(text)) return { element, text }
    }
    return undefined
  })
}

const callToAction: ValueFinder = (scope, { kind }) => {
  const button = buttonIn(scope)
  const href = button?.element.attribs.href
  if (!button || (kind === 'url' && (!href || href.startsWith('#')))) return []
  return [candidate(kind === 'url' ? href! : button.text, 0.74, { href })]
}

export const NAMING: Rows = {
  name: {
    find: title,
    clean: (said, { name }) =>
      TITLE_SAID.test(said)
        ? said.replace(TITLE_SAID, '')
        : /^course/i.test(name)
          ? said.replace(COURSE_CODE, '')
          : undefined,
    trust: ownership,
    isName: true,
    isOfFrame: true,
    isOfAnything: true,
    tellsApart: true,
  },
  subtitle: { find: subtitle, isOfAnything: true },
  url: { find: link, isPageAddress: true, isOfFrame: true, isOfAnything: true, tellsApart: true },
  website: {
    find: (scope) => link(scope).map((one) => ({ ...one, score: 0.65 })),
    trust: (value, data) => (isWebsite(value, data) ? 1 : 0),
    isOfAnything: true,
  },
  image: { find: picture, isOfFrame: true, isOfPage: true, isOfAnything: true, isOfMaker: true },
  logo: { isOfAnything: true },
  cta: { find: callToAction },
}
