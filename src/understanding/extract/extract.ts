// JSON out of a page without a model: the entry. A schema says what is wanted; a prompt alone is read for the fields it
// names; with neither, the page's main facts are told. Null rather than a guess, and what is missing is named.

import type { Element } from 'domhandler'
import { emptyRecord } from '../../base/table.ts'
import { resolver } from '../../content/address.ts'
import type { Page } from '../../content/page.ts'
import { closest } from '../../content/tree.ts'
import { factsOf } from '../facts/facts.ts'
import type { FieldContext } from './asking.ts'
import { openTestContext } from './context.ts'
import { fillObject } from './fill.ts'
import type { Report } from './filling.ts'
import { mainFacts } from './generic.ts'
import { listFor } from './lists.ts'
import { hostOf, type Maker, makerOf } from './maker.ts'
import { type Heading, openScope, type PagePart } from './page-part.ts'
import type { ExtractPageContext, Places } from './places.ts'
import { shapeFromWords } from './prompt.ts'
import { type Shape, shapeOf } from './shape.ts'
import { dataIn } from './state-lists.ts'
import { subjectsOf } from './things.ts'
import { phraseOf } from './words.ts'

export interface Extraction {
  value: unknown
  warnings: string[]
  /** Where each value came from, by its path: for the explain record. */
  sources: Record<string, string>
}

export type ExtractPage = Pick<Page, 'url' | 'base' | 'tree' | 'content' | 'metadata'>

const MAX_NAMED = 20

export function extractJson(page: ExtractPage, schema: unknown, prompt: string | undefined): Extraction {
  const warnings: string[] = []
  const { ground, place } = openPlace(page)
  const given = schema === undefined ? undefined : shapeOf(schema)
  const isEmpty = given?.kind === 'any' && !given.choices
  if (isEmpty) warnings.push('The schema names no fields.')
  const asked = isEmpty ? undefined : given
  const shape = asked ?? (prompt ? shapeFromWords(prompt) : undefined)
  if (!shape) {
    if (prompt) warnings.push('The prompt names no fields that could be looked for.')
    if (warnings.length > 0) warnings.push('The main facts of the page were extracted instead.')
    return { value: mainFacts(place, ground), warnings, sources: {} }
  }
  const report: Report = { missing: [], sources: emptyRecord() }
  const value = fillRoot(shape, place, ground, report)
  if (report.missing.length > 0) {
    const named = report.missing.slice(0, MAX_NAMED).join(', ')
    const more = report.missing.length > MAX_NAMED ? ` and ${report.missing.length - MAX_NAMED} more` : ''
    warnings.push(`Not found on the page, though the schema requires it: ${named}${more}.`)
  }
  return { value, warnings, sources: report.sources }
}

function fillRoot(
  shape: Shape,
  place: Omit<Places, 'data'> & { page: ExtractPageContext },
  ground: FieldContext,
  report: Report,
): unknown {
  if (shape.kind === 'array') {
    const wanted = ground.wanted('items', shape)
    return (
      listFor(
        fillObject,
        wanted,
        { ...place, data: subjects(shape.items ?? shape, place.page, ground) },
        ground,
        '',
        report,
        shape,
      ) ?? []
    )
  }
  if (shape.kind === 'object') {
    const data = subjects(shape, place.page, ground)
    return fillObject(shape, { ...place, data }, ground, '', report).value
  }
  return fillObject(
    { ...shape, kind: 'object', fields: [{ name: shape.description || 'value', isRequired: true, shape }] },
    { ...place, data: subjects(shape, place.page, ground) },
    ground,
    '',
    report,
  ).value[shape.description || 'value']
}

/** What the page is about, for a shape: its own objects, then what its scripts hold. */
function subjects(shape: Shape, { facts, titles }: ExtractPageContext, ground: FieldContext) {
  const own = subjectsOf(facts.things, shape.fields.length === 1 ? unwrapped(shape) : shape, titles, ground)
  const state = dataIn(facts.states, shape, titles, ground)
  return state ? [...own.slice(0, 1), state, ...own.slice(1)] : own
}

/** `{product: {name, price}}` asks for a product. */
const unwrapped = (shape: Shape): Shape => (shape.fields[0]?.shape.kind === 'object' ? shape.fields[0].shape : shape)

function openPlace(page: ExtractPage): {
  ground: FieldContext
  place: Omit<Places, 'data'> & { page: ExtractPageContext }
} {
  const { tree, base, content, metadata, url } = page
  const language = [metadata.language].flat()[0] ?? ''
  const ground = openTestContext(language, hostOf(url), resolver(base))
  const { cuts } = content
  const title = [metadata.ogTitle ?? metadata.title].flat()[0]
  const site = [metadata.ogSiteName].flat()[0]
  const scope = openScope(tree, {
    isCut: (element) => cuts.has(element),
    main: (headings, lines) => mainHeading(headings, lines, [title, [metadata.title].flat()[0]], hostOf(url), site),
    address: url,
    classes: ground.classes,
    title: [metadata.title].flat()[0],
  })
  const heading = scope.main
  const maker = makerOf(title, site, scope)
  const titles = [heading?.text, title && (ownTitle(title, maker, url) ?? bareTitle(title, site))].filter(
    (text) => text !== undefined && text !== '',
  )
  return {
    ground,
    place: {
      scope,
      around: [],
      page: { root: tree, url, metadata, facts: factsOf(page), titles: titles as string[], maker },
    },
  }
}

/** The heading that the title repeats, else the first of the top level: some sites put their logo there, and some pages
 * have no heading but the line that says what the title says. */
function mainHeading(
  headings: PagePart['headings'],
  lines: PagePart['lines'],
  titles: readonly (string | undefined)[],
  host: string,
  site = '',
): Heading | undefined {
  const tops = headings.filter(({ level, element }) => level === 1 && !isAside(element))
  const first = tops.find(({ isMain }) => isMain) ?? tops[0]
  const said = [...new Set(titles.filter((title) => title !== undefined))]
  // What a page calls itself where it is shared may be the site's slogan: then its own title decides.
  const rated = said.flatMap((title) => titled(headings, title, site, first, host) ?? [])
  const best = rated.find(({ score }) => score >= 3) ?? rated[0]
  // What is only the end of a title is the name of the site, when a line says the rest.
  if (best && best.score >= 3) return best.heading
  const isSite = first && said[0] !== undefined && isHost(phraseOf(first.text), host)
  // A lesser heading that shares some words with the title does not stand over the one of the top.
  if (best && best.heading.level > 1 && first?.isMain && !isSite && first.at < best.heading.at) return first
  return lineOfTitle(lines, said[0] ?? '') ?? best?.heading ?? (isSite ? undefined : first)
}

/** Boxes that lie over the page until they are shut. */
const isOverlay = ({ name, attribs }: Element): boolean =>
  name === 'dialog' ||
  /dialog$/.test(attribs.role ?? '') ||
  /(?:^|[\s_-])(?:modal|overlay|popup|dialog)(?:$|[\s_-])/i.test(attribs.class ?? '')
const isAside = (element: Element): boolean => closest(element.parent, 12, isOverlay) !== undefined

function isHost(phrase: string, host: string): boolean {
  const own = phrase.replaceAll(' ', '')
  return host
    .split('.')
    .some((label) => label.length > 3 && (own.includes(label) || (own.length > 5 && label.includes(own))))
}

/** The heading that says what a title says, or a part of it, and how surely it is the page's own. */
function titled(headings: PagePart['headings'], title: string, site: string, first: Heading | undefined, host: string) {
  const [said = '', ...parts] = partsOf(title)
  const owner = phraseOf(site)
  let best: { heading: Heading; score: number } | undefined
  for (const heading of headings.slice(0, MAX_HEADINGS)) {
    const own = heading.level <= 3 ? phraseOf(heading.text) : ''
    const part = own === '' ? -1 : parts.indexOf(own)
    if (own === '' || !(part >= 0 || own === said || (heading.text.length > 5 && said.includes(own)))) continue
    // A few words of a long title may be the name of the site.
    if (part < 0 && own.length < said.length * 0.3) continue
    // What a title ends with and the address begins with is the name of the site.
    if (part > 0 && part === parts.length - 1 && (heading !== first || isHost(own, host))) continue
    const score =
      (own === said ? 4 : part === 0 ? 3 : part > 0 ? 1 : 2) +
      (heading === first ? 1 : heading.level === 1 ? 0.9 : 0) +
      (heading.isMain ? 0.5 : 0) -
      (own === owner ? 4 : 0)
    if (!best || score > best.score) best = { heading, score }
  }
  return best
}

const MAX_HEADINGS = 300

const partsOf = (title: string): string[] => [title, ...title.split(/\s+[|–—·•:»-]\s+/u)].map(phraseOf)

const LINES_OF_TITLE = 1500

function lineOfTitle(lines: PagePart['lines'], title: string): Heading | undefined {
  const parts = partsOf(title).filter((part) => part.split(' ').length > 2)
  const found = lines
    .slice(0, LINES_OF_TITLE)
    .filter(({ text, block }) => block && text.length <= 300 && parts.includes(phraseOf(text)))
  // The last of them: those before stand in the way to the page.
  const line = found.filter(({ isMain }) => isMain)[0] ?? found.at(-1)
  return line?.block && { element: line.block, at: line.at, isMain: line.isMain, level: 1, text: line.text }
}

/** The front page of a house is called by its name. */
function ownTitle(title: string, maker: Maker | undefined, url: string): string | undefined {
  if (!maker) return undefined
  const isFront = URL.canParse(url) && new URL(url).pathname === '/'
  const isNamed = maker.isSure && isFront && title.startsWith(maker.name)
  return isNamed || /^(?:home|homepage|welcome|startseite|accueil|inicio)\s*(?:[|–—:-]|$)/i.test(title)
    ? maker.name
    : undefined
}

/** A title without the name of its site. */
function bareTitle(title: string, site: string | undefined): string {
  const parts = title.split(/\s+[|–—·•:-]\s+/u)
  if (parts.length < 2) return title
  const last = parts.at(-1)!
  const isSite = site !== undefined && last.toLowerCase().includes(site.toLowerCase().slice(0, 30))
  return isSite || parts[0]!.length >= last.length ? parts.slice(0, -1).join(' - ') : title
}
