// Who wrote an article, a post or a card, when no label says so: a mark, a byline, a link to a profile, a name beside a
// date. Whoever wrote last or changed it did not write it.
import type { AnyNode, Element } from 'domhandler'
import { collapse, flatText, isElement, isText } from '../../../content/tree.ts'
import type { Line } from '../../facts/lines.ts'
import { dateIn } from '../../values/dates.ts'
import type { Candidate, Data, FieldContext, Head, Rows, ValueFinder } from '../asking.ts'
import { candidate, first, isNear, shownAs } from '../candidate.ts'
import { markedAuthor } from '../marks.ts'
import type { PagePart } from '../page-part.ts'
import { isPerson, personIn } from '../person.ts'
import { isData } from '../things.ts'
import { isLink } from './naming.ts'
import { isInWords } from './texts.ts'

/** Addresses of people: /author/ann, /members/ann, /u/ann. */
const PROFILE =
  /\/(?:authors?|users?|members?|profiles?|people|person|contributors?|staff|writers?|team|by|u|@[\w.-]+)(?:\/|$|\?|-)|[?&](?:author|user|uid|u)=|action=profile|memberlist/i
const WRITTEN = /^(?:published|written|posted|authored|reviewed) by$|^(?:about the )?authors?$|^über den autor$/i

function author(scope: PagePart): Candidate[] {
  const { lines, isSmall } = scope
  const isHere = ({ isMain, at }: { isMain: boolean; at: number }) => isSmall || (isMain && at > -1)
  const marked = personIn(markedAuthor(scope) ?? '')
  if (marked) return [candidate(marked, 0.88)]
  const byRel = first(scope, ({ name, attribs }) => name === 'a' && /(?:^|\s)author(?:\s|$)/.test(attribs.rel ?? ''))
  const named = byRel && personIn(flatText(byRel.element, 100))
  if (named) return [candidate(named, 0.84, { href: byRel.element.attribs.href })]
  const signed: { name: string; at: number }[] = []
  for (const line of lines) {
    if (!isHere(line) || line.text.length > 160 || signed.length > 20) continue
    const name = bylineIn(line)
    if (name) signed.push({ name, at: line.at })
  }
  const [opening] = signed
  // Many names under one heading are those of other texts, unless one stands right below it.
  const isList = !isSmall && new Set(signed.map(({ name }) => name)).size > 1
  if (opening && (!isList || isNear(scope, opening.at, 20)))
    return [candidate(opening.name, isSmall || isNear(scope, opening.at) ? 0.79 : 0.7)]
  const profile = profileLink(scope)
  if (profile) return [profile]
  return [...underHeading(scope), ...besideDate(scope)]
}

const BYLINE =
  /^(?:(?:written|posted|article|story|words|started|asked|created|opened|submitted|published|reported|authored|uploaded)\s+by|by|von|par|por|di|door|автор:?|文\/)[:\s]+/iu

/** "Posted on 4 March by Ann Lee". */
const LATE_BY =
  /^(?:posted|published|written|submitted|reviewed|added)\s(?:on|in|at)\s.{3,40}?\sby\s(\p{Lu}[\p{L}\s.'’-]{1,50})$/iu

/** "By Ann Lee | 3 May": the name ends where its element does, or where a date or a mark follows. */
function bylineIn({ text, runs }: Line): string | undefined {
  const late = LATE_BY.exec(text)?.[1]
  if (late && isPerson(late)) return late
  const lead = BYLINE.exec(text)?.[0]
  if (lead === undefined) return undefined
  const [one, next] = runs
  const alone = one && BYLINE.test(`${one.text} `) && `${one.text} `.length <= lead.length + 1 ? next?.text : undefined
  const name = personIn(alone ?? text.slice(lead.length))
  // In other languages the word is also a common one: `door` in English, `par` in golf.
  const isPlain = /by\b/i.test(lead)
    ? /^[\p{Lu}\p{Lo}@\d]/u.test(name ?? '') || alone !== undefined
    : name !== undefined && isPerson(name)
  return isPlain ? name : undefined
}

function profileLink(scope: PagePart): Candidate | undefined {
  const near = scope.elements.filter(
    ({ element, at, isMain }) =>
      isLink(element) && (scope.isSmall || (isMain && isNear(scope, at, 80))) && PROFILE.test(element.attribs.href!),
  )
  for (const { element } of near.slice(0, 10)) {
    const text = flatText(element, 80)
    const isLater = isElement(element.parent) && LATER.test(textBefore(element))
    const isFurniture =
      (scope.common?.has(text) && !isPerson(text)) ||
      /\b(?:channel|youtube|newsletter|podcast|subscribe|follow)\b/i.test(text)
    const name = text && !isLater && !isFurniture && text.length <= 60 ? personIn(text) : undefined
    if (name) return candidate(withOthers(name, element), scope.isSmall ? 0.82 : 0.72, { href: element.attribs.href })
  }
  return undefined
}

const AND = /^\s*(?:,|&|and|und|et|y|e|,\s*and)\s*$/i
const MAX_AUTHORS = 6

/** "Ann Lee and Bo Li": links side by side that only a word joins name one text's writers. */
function withOthers(name: string, link: Element): string {
  let said = name
  let node = link.nextSibling
  for (let count = 1; node && isText(node) && AND.test(node.data) && count < MAX_AUTHORS; count++) {
    const next: AnyNode | null = node.nextSibling
    const other =
      next && isElement(next) && isLink(next) && PROFILE.test(next.attribs.href!)
        ? personIn(flatText(next, 80))
        : undefined
    if (!other || !next) break
    said += `${node.data.includes(',') ? ', ' : ` ${collapse(node.data)} `}${other}`
    node = next.nextSibling
  }
  return said
}

/** Whoever wrote last or changed it did not write it. */
const LATER = /(?:last (?:post|reply|edited)|edited|updated|modified|reply|replied)(?: by| from)?[:\s]*$/i
const BEFORE = 300

/** What stands before an element in its box. */
const textBefore = (element: Element): string => {
  const all = flatText(element.parent as Element, BEFORE)
  const own = flatText(element, 80)
  return own === '' ? '' : all.slice(0, Math.max(0, all.indexOf(own)))
}

/** "Published by" as a heading, the name below it. */
function underHeading({ headings, lines }: PagePart): Candidate[] {
  const says = headings.find(({ text }) => WRITTEN.test(text))
  const below = says && lines.find(({ at, text }) => at > says.at + 1 && text !== says.text)
  return below && below.at < says.at + 30 && isPerson(below.text) ? [candidate(below.text, 0.7)] : []
}

/** A name alone in its line, a date alone in the next: nobody else signs like that. */
function besideDate(scope: PagePart): Candidate[] {
  const { lines, isSmall } = scope
  for (const [n, line] of lines.entries()) {
    if (!isSmall && !isNear(scope, line.at, 60)) continue
    const before = beforeDate(line)
    if (before) return [candidate(before, 0.66)]
    if (line.text.length > 60 || line.text === scope.main?.text || !isPerson(line.text)) continue
    const beside = [lines[n + 1], lines[n - 1]]
    if (beside.some((other) => other && other.text.length <= 40 && dateIn(other.text)))
      return [candidate(line.text, 0.66)]
  }
  return []
}

/** "Ann Lee • Jan 26, 2026": what stands alone before the date. */
function beforeDate({ text, runs }: Line): string | undefined {
  const date = text.length <= 80 ? dateIn(text) : undefined
  const lead = date && text.slice(0, date.at).trim()
  const [run] = runs
  if (!lead || !/[•·|–—,]$/u.test(lead) || !run) return undefined
  const name = personIn(lead)
  return name && (isPerson(name) || (run.element?.name === 'a' && run.text.trim().replace(/^@/, '') === name))
    ? name
    : undefined
}

/** "@rosalind" alone in its line. */
const handle: ValueFinder = (scope, { phrases }) =>
  phrases.some((phrase) => /^(?:username|user name|handle|screen name|nickname)$/.test(phrase))
    ? shownAs(scope, /^@([\w.-]{2,30})$/, 0.76, 40)
    : []

const BY = /^(?:(?:written|posted|article|story|words|photo)?\s?by|von|par|por|di|door|автор:?)\s+/iu

/** Sites that name themselves as the author of everything: whom the page names is more likely. */
const isOfSite = ({ author: by }: Data): boolean => isData(by) && String(by['@type']).includes('Organization')

/** The name of the site, or of its address, is nobody's. */
const isHouse = (value: string, { url, maker }: Head, ground: FieldContext): boolean =>
  ground.phrase(value) === ground.phrase(maker ?? '') ||
  (URL.canParse(url) && new URL(url).hostname.split('.').includes(value.toLowerCase().replace(/\W/g, '')))

export const AUTHOR: Rows = {
  author: {
    find: (scope, wanted, ground) => [...handle(scope, wanted, ground), ...author(scope)],
    accept: (said) => !/^https?:|^www\./i.test(said) && isInWords(said),
    take: (said, { isData: isOfData }) =>
      (isOfData ? said : personIn(said))?.replace(BY, '').slice(0, 200) || undefined,
    trust: (_, data) => (isOfSite(data) ? 0.8 : 1),
    acceptHead: (value, head, ground) => !isHouse(value, head, ground),
    isSignature: true,
    isOfPage: true,
    isOfAnyPage: true,
    isOfAnything: true,
    isOfPost: true,
  },
}
