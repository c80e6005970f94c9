// What a page tells: the section it stands in, what it is about, and its text.
import { flatText } from '../../../content/tree.ts'
import type { Line } from '../../facts/lines.ts'
import { findMoney } from '../../money.ts'
import { dateIn } from '../../values/dates.ts'
import type { Candidate, FieldContext, Head, Rows, ValueFinder } from '../asking.ts'
import { agreed, candidate, isNear, shownAs } from '../candidate.ts'
import { crumbsIn } from '../crumbs.ts'
import { firstAt, type PagePart } from '../page-part.ts'
import { saidIn } from '../post-text.ts'
import { isInWords } from './texts.ts'

// --- section, tags ----------------------------------------------------------------------------------------------------

const IN_SECTION = /\/(?:category|categories|kategorie|categorie|categoria|topics?|sections?)\/|[?&]cat(?:egory)?=/i

/** The section a page stands in: a link that says so, or the last step on the way to it. */
const section: ValueFinder = (scope) => {
  if (scope.isSmall) return []
  const tagged = scope.elements.find(
    ({ element, isMain, at }) =>
      element.name === 'a' &&
      (/(?:^|\s)category(?:\s|$)/.test(element.attribs.rel ?? '') ||
        (isMain &&
          scope.main !== undefined &&
          at > scope.main.at &&
          isNear(scope, at, 80) &&
          IN_SECTION.test(element.attribs.href ?? ''))),
  )
  const named = tagged && flatText(tagged.element, 80)
  const step = crumbsIn(scope).at(-1)
  return [
    ...(named && named.length <= 50 ? [candidate(named, 0.74)] : []),
    ...postedIn(scope),
    ...(step && step.length <= 60 ? [candidate(step, 0.7)] : []),
    ...(step === undefined ? onTheWay(scope) : []),
  ]
}

/** The one link just before the heading that leads where the page's own address leads through, or to a topic. */
function onTheWay({ elements, main, address }: PagePart): Candidate[] {
  if (!main || !address || !URL.canParse(address)) return []
  const { pathname, origin } = new URL(address)
  const names: string[] = []
  for (const { element } of elements.slice(firstAt(elements, main.at - 30), firstAt(elements, main.at))) {
    const href = element.name === 'a' ? element.attribs.href : undefined
    const path = href && URL.canParse(href, origin) ? new URL(href, origin).pathname.replace(/\/?$/, '/') : '/'
    const isWay = path.length > 2 && path !== pathname && (pathname.startsWith(path) || TOPIC.test(path))
    const text = isWay ? flatText(element, 60) : ''
    if (text !== '' && text.length <= 40) names.push(text)
  }
  return agreed(names, 0.66)
}

const TOPIC = /^\/(?:tags?|topics?|category|categories|sections?)\/[^/]+\/$/i

/** "May 3, 2024 in Gardening": the link after the word. */
function postedIn(scope: PagePart): Candidate[] {
  for (const { runs, at, text } of scope.lines) {
    if (text.length > 120 || !isNear(scope, at)) continue
    if (!dateIn(text) && !/posted|filed|published|categor|started/i.test(text)) continue
    const says = runs.findIndex(
      (run, n) =>
        n < runs.length - 1 && /(?:^|\s)(?:in|under|filed under|posted in|category|categories)[:\s]*$/i.test(run.text),
    )
    const link = says >= 0 ? runs[says + 1] : undefined
    if (link?.element?.name === 'a' && link.text.length <= 50) return [candidate(link.text, 0.73)]
  }
  return []
}

const MAX_LINKS = 30

/** Links of the article that say so in `rel`, else those whose address does. */
const linksTo =
  (rel: string, address: RegExp) =>
  ({ elements }: PagePart): string[] | undefined => {
    const links = elements.filter(({ element }) => element.name === 'a')
    const related = links.filter(({ element }) => (element.attribs.rel ?? '').split(' ').includes(rel))
    const chosen =
      related.length > 0
        ? related
        : links.filter(({ element, isMain }) => isMain && address.test(element.attribs.href ?? ''))
    const texts = [...new Set(chosen.map(({ element }) => flatText(element, 80).replace(/^#/, '')))].filter(Boolean)
    return texts.length > 0 && texts.length <= MAX_LINKS ? texts : undefined
  }

const categories = linksTo('category', /\/(?:category|categories|kategorie|categorie|categoria|topics?)\//i)
const tags = linksTo('tag', /\/tags?\/|[?&]tag=/i)

// --- description ------------------------------------------------------------------------------------------------------

/** "Shop now >". */
const PRESS =
  /^(?:shop|learn|read|view|see|buy|get|order|find|book|start|discover|explore|mehr|weiter|en savoir|leer)\b.{0,20}$/iu

const description: ValueFinder = ({ lines, isSmall }, _, { money }) => {
  if (!isSmall) return []
  const isProse = ({ text, block }: Line) =>
    text.length > (block?.name === 'p' ? 8 : 30) &&
    !/^h\d$/.test(block?.name ?? '') &&
    !PRESS.test(text) &&
    findMoney(text, money).length === 0
  const [longest] = lines.filter(isProse).sort((a, b) => b.text.length - a.text.length)
  return longest ? [candidate(longest.text, 0.74)] : []
}

const LEAD_CHARS = 60

/** The first paragraph after the heading, for a page whose head says nothing of it. */
const lead: ValueFinder = (scope, { phrases }) => {
  const { main, lines } = scope
  const isProse = ({ text, runs, block }: Line) =>
    block?.name !== 'pre' &&
    /^["“'(¿¡]?[\p{Lu}\p{Lo}\d]/u.test(text) &&
    /[.!?。]$/u.test(text) &&
    linkedChars(runs) < text.length / 2
  if (
    !main ||
    scope.isSmall ||
    !phrases.some((phrase) => /summary|lead|intro|abstract|excerpt|description|overview/.test(phrase))
  )
    return []
  const line = lines.find((line) => line.isMain && line.at > main.at && line.text.length >= LEAD_CHARS && isProse(line))
  return line ? [candidate(line.text, 0.62)] : []
}

const linkedChars = (runs: Line['runs']): number =>
  runs.filter(({ element }) => element?.name === 'a').reduce((sum, run) => sum + run.text.length, 0)

/** "March 6, 2026 • Teens are not sleeping enough": when it was said is no part of it. */
function undated(said: string, { language }: FieldContext): string {
  const date = dateIn(said.slice(0, 60), language)
  const rest = date?.at === 0 ? said.slice(date.end) : ''
  return /^\s*[•·|–—-]\s/u.test(rest) ? rest.replace(/^\s*[•·|–—-]\s*/u, '') : said
}

const MAX_BUTTON = 40

/** Sentences up to the first short line that is none: what can be pressed, tags. */
function sentencesOf(text: string): string {
  const lines = text.split('\n')
  const isSaid = (line: string) => /[.!?…"”)]$/u.test(line)
  const end = lines.findIndex((line, n) => n > 0 && isSaid(lines[n - 1]!) && line.length <= MAX_BUTTON && !isSaid(line))
  return (end < 0 ? lines : lines.slice(0, end)).join('\n')
}

const MAX_SLOGAN = 80

/** A short text that shares no word with the titles but the name of the site is said of every page. */
function isSlogan(text: string, { titles, maker }: Head, ground: FieldContext): boolean {
  if (text.length > MAX_SLOGAN || titles.length === 0) return false
  const site = new Set(ground.phrase(maker ?? '').split(' '))
  const own = new Set(titles.flatMap((title) => ground.phrase(title).split(' ')).filter((word) => !site.has(word)))
  const words = ground.phrase(text).split(' ')
  return own.size > 0 && !words.some((word) => own.has(word))
}

// --- whole texts ------------------------------------------------------------------------------------------------------

/** What a program adds to a post: notices of changes, addresses to share, rows of links. */
const isReported = ({ text, runs }: Line): boolean =>
  !/^https?:\S+$/i.test(text) &&
  !/^(?:last edited|edited by|posted by|more sharing options|link to (?:comment|post)|reactions?:)/i.test(text) &&
  linkedChars(runs) < text.length * 0.9

function wholeText({ lines, isSmall }: PagePart): Candidate[] {
  if (!isSmall) {
    const main = lines.filter(({ isMain }) => isMain).map(({ text }) => text)
    return [candidate(main.join('\n').slice(0, 20_000), 0.7)]
  }
  const told = saidIn(lines).filter(isReported)
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

/** A row of buttons below a post. */
const PRESSED =
  /(?:\s(?:Save|Share|Reply|Quote|Like|Report|Edit|Flag|Follow|Upvote|Downvote|Permalink|Award|Copy link)){2,}$/u

/** What stands in quotes was said. */
const QUOTED = /^[“"«„].{8,}$/su

const PROSE = { isLong: true, isProse: true, isOfAnything: true } as const

export const STORY: Rows = {
  section: { find: section, accept: isInWords, isPartOfSite: true },
  category: { find: section, findMany: categories, accept: isInWords, isOfFrame: true, isOfAnything: true },
  tags: { findMany: tags, mostWordsEach: 8, isUnsureAsClass: true },
  keywords: { findMany: tags },
  language: { hasForm: true, isOfPage: true, isOfAnyPage: true, isUnsureAsClass: true, isOneInHead: true },
  description: {
    find: (scope, wanted, ground) => [...description(scope, wanted, ground), ...lead(scope, wanted, ground)],
    under: sentencesOf,
    clean: (said, _, ground) => undated(said, ground),
    acceptHead: (value, head, ground) => !isSlogan(value, head, ground) || head.isSaid(value),
    ...PROSE,
    isOfFrame: true,
    isOfPage: true,
    isOfMaker: true,
    isMoreThanName: true,
    isSplitByLine: true,
  },
  body: {
    find: wholeText,
    accept: (said) => /\p{L}{2}/u.test(said),
    clean: (said) => said.replace(PRESSED, ''),
    ...PROSE,
    tellsApart: true,
  },
  reviewText: {
    find: (scope) => (scope.isSmall ? [...shownAs(scope, QUOTED, 0.82, 600), ...wholeText(scope)] : []),
    ...PROSE,
  },
  question: { isQuestion: true, isOfAnything: true },
  answer: { isLong: true, isOfAnything: true },
  features: { isNeverAlone: true },
}
