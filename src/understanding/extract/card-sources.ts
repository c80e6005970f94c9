// Places on the page that show many of a kind: cards, rows of tables, questions with their answers, sections under headings
// of one level. Each item becomes the places its fields may lie in; who asks tries them.
import type { Element } from 'domhandler'
import { elementChildren, flatText, isElement, textOf } from '../../content/tree.ts'
import type { FieldContext, WantedField } from './asking.ts'
import { fieldThat } from './context.ts'
import { hoursData, hoursIn } from './hours-list.ts'
import { isNamed, nameOf, saysName } from './list-names.ts'
import { headingsOver } from './overhead.ts'
import { type Heading, openPart, type PagePart, slice } from './page-part.ts'
import { type Places, placesIn } from './places.ts'
import { questionsIn } from './questions.ts'
import type { Shape } from './shape.ts'
import type { ItemSource, RankedSource } from './source.ts'
import { ofTables } from './table-sources.ts'
import { tokensOf } from './words.ts'

const MAX_SOURCES = 30
const SAMPLE = 3
const MAX_SECTIONS = 500

export function shownLists(wanted: WantedField, items: Shape, { scope }: Places, ground: FieldContext): ItemSource[] {
  if (!scope || scope.isSmall) return []
  const all = [
    ...ofCards(scope, wanted, ground),
    ...ofTables(scope, wanted, items, ground),
    ...ofQuestions(scope, items, ground),
    ...ofHours(scope, wanted),
    ...ofDefinitions(scope, wanted, ground),
    ...ofSections(scope, wanted, ground),
  ]
  return all
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MAX_SOURCES)
    .map((source) => {
      const less = (source.cards && holdsMany(source.cards) ? 0.3 : 0) + (source.isPart?.() ? PART : 0)
      return less > 0 ? { ...source, bonus: source.bonus - less } : source
    })
}

// --- cards ------------------------------------------------------------------------------------------------------------

function ofCards(scope: PagePart, wanted: WantedField, ground: FieldContext): RankedSource[] {
  const places = scope.memo('places', () => new Map(scope.elements.map((seen) => [seen.element, seen])))
  const isOther = (item: Element) => places.get(item)?.isMain === false
  return scope
    .memo('sized groups', () => scope.groups().map((group) => ({ ...group, size: sizeOf(group.items) })))
    .filter(({ items, size }) => items.length >= 2 && size > 8)
    .map(({ items: all, parent, isMain, at, size }): RankedSource => {
      // A few boxes beside the content that are built like those in it are not of the list.
      const others = isMain ? all.filter(isOther).length : 0
      const items = others > 0 && others <= all.length * FEW_ASIDE ? all.filter((item) => !isOther(item)) : all
      const says =
        isNamed(scope, { element: parent, at, isMain }, wanted, ground) || nameOf(items[0]!, wanted, ground, isMain)
      const over = headingsOver(scope, items, (item) => places.get(item)?.at ?? 0)
      let common: ReadonlySet<string> | undefined
      return {
        items: items.map((item) => () => {
          common ??= commonIn(items)
          return placesIn({ scope: openPart(item, ground.classes, common), under: over.group(item) })
        }),
        bonus: (says ? 0.25 : 0) + (isMain ? 0.1 : 0) + manyBonus(items.length),
        isPart: over.isPart,
        isNamed: says,
        isData: false,
        isMain,
        cards: items,
        rank: (says ? 1e6 : 0) + (isMain ? 1e5 : 0) + Math.min(99_999, size * Math.sqrt(items.length)),
      }
    })
}

/** A few boxes of so many may stand beside the content by chance. */
const FEW_ASIDE = 0.1
/** What boxes lose that are parts of what a heading names. */
const PART = 0.4

/** The more boxes are built alike, the likelier they are the list. */
const manyBonus = (count: number): number => Math.min(0.12, 0.025 * Math.log2(count))

/** Boxes with several headings or many links in each are parts of the page, not items of a list. */
function holdsMany(items: readonly Element[]): boolean {
  return items.slice(0, SAMPLE).some((item) => {
    let headings = 0
    const links = new Set<string>()
    const open: Element[] = [item]
    for (let looked = 0; open.length > 0 && looked < 400; looked++) {
      const element = open.pop()!
      if (/^h[1-6]$/.test(element.name)) headings += 1
      if (element.name === 'a' && element.attribs.href) links.add(element.attribs.href)
      for (const child of element.children) if (isElement(child)) open.push(child)
    }
    return headings > 3 || links.size > 12
  })
}

function sizeOf(items: readonly Element[]): number {
  const sample = items.slice(0, SAMPLE).map((item) => textOf(item, 300).trim().length)
  return (sample.reduce((sum, size) => sum + size, 0) / sample.length) * Math.min(items.length, 50)
}

const COMPARED = 6

/** Headings, link texts and addresses that all of the first cards share: "View details" is no name. */
function commonIn(items: readonly Element[]): ReadonlySet<string> {
  const compared = items.slice(0, COMPARED)
  const counts = new Map<string, number>()
  for (const item of compared) {
    const own = new Set<string>()
    const open: Element[] = [item]
    for (let looked = 0; open.length > 0 && looked < 300; looked++) {
      const element = open.pop()!
      if (element.name === 'a' || element.name === 'strong' || element.name === 'b' || /^h[1-6]$/.test(element.name)) {
        own.add(flatText(element, 300))
        if (element.attribs.href) own.add(element.attribs.href)
      }
      for (const child of element.children) if (isElement(child)) open.push(child)
    }
    for (const text of own) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  if (compared.length < 3) return new Set()
  return new Set([...counts].filter(([, count]) => count >= compared.length).map(([text]) => text))
}

// --- hours ------------------------------------------------------------------------------------------------------------

function ofHours(scope: PagePart, { phrases, rules }: WantedField): RankedSource[] {
  const isAsked = rules.isHours || phrases.some((phrase) => /\bhours?$/.test(phrase))
  const rows = isAsked ? hoursIn(scope) : []
  if (rows.length === 0) return []
  return [
    {
      items: rows.map((row) => () => placesIn({ data: [hoursData(row)] })),
      bonus: 0.2,
      isNamed: true,
      // A day that is closed has no hours, and is a row all the same.
      isData: true,
      isMain: true,
      rank: 3e6,
    },
  ]
}

// --- questions --------------------------------------------------------------------------------------------------------

/** Asked for by the items: they have a question. */
function ofQuestions(scope: PagePart, items: Shape, ground: FieldContext): RankedSource[] {
  const found = fieldThat('isQuestion', items.fields, ground) ? questionsIn(scope) : []
  if (found.length === 0) return []
  return [
    {
      items: found.map((one) => () => placesIn({ data: [{ ...one }] })),
      bonus: 0.2,
      isNamed: true,
      isData: false,
      isMain: true,
      rank: 3e6,
    },
  ]
}

// --- definitions ------------------------------------------------------------------------------------------------------

const MAX_DEFINITIONS = 20

/** Terms and what is said of them, under a heading that names them. */
function ofDefinitions(scope: PagePart, wanted: WantedField, ground: FieldContext): RankedSource[] {
  return scope.elements
    .filter(({ element }) => element.name === 'dl')
    .slice(0, MAX_DEFINITIONS)
    .flatMap(({ element, at, isMain }): RankedSource[] => {
      const says = isMain && isNamed(scope, { element, at, isMain }, wanted, ground)
      const terms = says ? termsIn(element) : []
      if (terms.length < 2) return []
      const items = terms.map((one) => () => placesIn({ data: [one] }))
      return [{ items, bonus: 0.25, isNamed: true, isData: false, isMain, rank: 2e6 }]
    })
}

function termsIn(list: Element): { name: string; description: string; value: string; definition: string }[] {
  const parts = elementChildren(list).flatMap((child) => (child.name === 'div' ? elementChildren(child) : [child]))
  return parts.flatMap((part, n) => {
    const said = parts[n + 1]
    if (part.name !== 'dt' || said?.name !== 'dd') return []
    const description = flatText(said, 1000)
    return [{ name: flatText(part, 200), description, value: description, definition: description }]
  })
}

// --- sections ---------------------------------------------------------------------------------------------------------

/** Headings of one level, side by side: each with what stands under it is an item. */
function ofSections(scope: PagePart, wanted: WantedField, ground: FieldContext): RankedSource[] {
  const runs: Heading[][] = []
  let run: Heading[] = []
  for (const heading of scope.headings) {
    if (!heading.isMain || heading.level === 1) continue
    const [last] = run.slice(-1)
    if (last && heading.level > last.level) continue
    if (last && heading.level === last.level) run.push(heading)
    else {
      if (run.length > 1) runs.push(run)
      run = [heading]
    }
  }
  if (run.length > 1) runs.push(run)
  return [...runs, ...below(scope)].slice(0, 10).map((headings): RankedSource => {
    const [first] = headings
    const over = scope.headings.filter(({ at, level }) => at < first!.at && level < first!.level).at(-1)
    const says =
      over !== undefined &&
      (over.level > 1 || headings.length > 2) &&
      (over.level > 1 ? saysName(over.text, wanted, ground, true) : titleCounts(over.text, wanted))
    return {
      items: headings.slice(0, MAX_SECTIONS).map((heading, n) => () => {
        const end = headings[n + 1]?.at ?? endOf(scope, heading)
        return placesIn({ scope: slice(scope, heading.at, end, ground.classes) })
      }),
      bonus: (says ? 0.25 : 0) + 0.05,
      isNamed: says,
      isData: false,
      isMain: true,
      rank: says ? 1.5e6 : 1e4,
    }
  })
}

/** "5 quiet beaches": the title of a page that is its list. */
const titleCounts = (title: string, { phrases }: WantedField): boolean => {
  const [, rest = ''] = /(?:^|\s)(?:\d{1,3}|best|top)\s(.+)$/i.exec(title) ?? []
  return tokensOf(rest).some((word) => word === phrases[0])
}

/** Headings under each heading of the level above: services under "Our services". */
function below({ headings }: PagePart): Heading[][] {
  const runs = new Map<Heading, Heading[]>()
  const path: Heading[] = []
  for (const heading of headings) {
    while (path.length > 0 && path.at(-1)!.level >= heading.level) path.pop()
    const over = path.at(-1)
    if (over && heading.isMain) {
      const run = runs.get(over)
      if (run) run.push(heading)
      else runs.set(over, [heading])
    }
    path.push(heading)
  }
  return [...runs.values()].filter((run) => run.length > 1)
}

const endOf = ({ headings }: PagePart, { at, level }: Heading): number =>
  headings.find((next) => next.at > at && next.level <= level)?.at ?? Number.POSITIVE_INFINITY
