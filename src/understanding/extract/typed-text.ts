// What a page or a card says of itself at length, and under which section it stands, when no label says so.
import { flatText } from '../../content/tree.ts'
import type { Line } from '../facts/lines.ts'
import { findMoney } from '../money.ts'
import { candidate, isNear, type Typed } from './candidate.ts'
import { crumbsIn } from './crumbs.ts'
import { saidIn } from './post-text.ts'

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
    ...(step && step.length <= 60 ? [candidate(step, 0.7)] : []),
  ]
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
export const subtitle: Typed = ({ main, elements, headings }) => {
  if (!main) return []
  const named = elements.find(
    ({ element, at }) =>
      at > main.at && at < main.at + 120 && SUBTITLE.test((element.attribs.class ?? '').slice(0, 300)),
  )
  const text = named && flatText(named.element, 400)
  if (text && text.length <= 300) return [candidate(text, 0.76)]
  const next = headings.find(({ at }) => at > main.at)
  return next && next.level === 2 && next.at < main.at + 8 && !/[?？]$/u.test(next.text)
    ? [candidate(next.text, 0.64)]
    : []
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
