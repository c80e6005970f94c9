// Whether a page's text gives orders to whoever reads it for a caller. The text is taken block by block, so that no tag parts a
// sentence, and made normal; hidden parts, what pictures are called, descriptions and comments are read too. A page that merely
// writes about the subject is left alone.
import type { AnyNode, Document, Element } from 'domhandler'
import { isElement, isText } from '../../content/tree.ts'
import { type InspectedBlock, misplacedIn } from './misplaced.ts'
import { normal } from './normal.ts'
import { signIn } from './rules.ts'

export interface Injection {
  /** How sure it is, from 0 to 1. */
  score: number
  /** Where it stands. */
  place: 'text' | 'hidden text' | 'description' | 'comment'
  isHidden: boolean
  /** What was found, shortened: for looking at, never for an answer. */
  quote: string
}

/** From here on a page is refused. */
export const REFUSED = 0.7
const MAX_CHARS = 2_000_000
const MAX_BLOCK = 20_000
const MAX_COMMENTS = 200
/** A page about such orders shows some; only a hidden one is still an order there. */
const ABOUT = /prompt[- ]?injections?|jailbreak|adversarial prompt|system prompt leak/gi
const MANY = 2
const DISCOUNT = 0.4

export interface InjectionSource {
  tree: Document
  /** The page as it came, for its comments. */
  rawHtml?: string
}

/** The surest order on the page, if there is one that is sure enough. */
export function findInjection(source: InjectionSource): Injection | undefined {
  const found = lookForInjection(source)
  return found && found.score >= REFUSED ? found : undefined
}

export function lookForInjection({ tree, rawHtml }: InjectionSource): Injection | undefined {
  const blocks = blocksOf(tree)
  const about = blocks.reduce((sum, { text }) => sum + (text.match(ABOUT)?.length ?? 0), 0) >= MANY
  let best: Injection | undefined
  const offer = (text: string, score: number, place: Injection['place'], at: number) => {
    const isHidden = place !== 'text'
    const worth = about && !isHidden ? score - DISCOUNT : score
    if (!best || worth > best.score) best = { score: worth, place, isHidden, quote: text.slice(at, at + 120) }
  }
  for (const { text, place } of blocks) {
    const sign = signIn(text)
    if (sign) offer(text, sign.score, place, sign.at)
    if (best && best.score >= 1) return best
  }
  for (const comment of commentsIn(rawHtml ?? '')) {
    const sign = signIn(comment)
    // Comments are full of markup and of notes to other people; only what is surely an order counts.
    if (sign && sign.score >= 0.9) offer(comment, sign.score, 'comment', sign.at)
  }
  if (!best || best.score < REFUSED) {
    const prose = blocks.filter(({ place }) => place !== 'description')
    const misplaced = misplacedIn(prose)
    if (misplaced) offer(prose[misplaced.index]!.text, misplaced.score, prose[misplaced.index]!.place, 0)
  }
  return best
}

interface PlacedBlock extends InspectedBlock {
  place: Injection['place']
}

/** Scripts are not read, and code shows rather than says. */
const PASSED = new Set(['script', 'style', 'code', 'pre', 'noscript', 'template', 'svg'])
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr label'.split(
    ' ',
  ),
)
/** Parts whose text is no running text of the page. */
const LABELS = new Set(
  'a button label option select summary legend th h1 h2 h3 h4 h5 h6 dt nav header footer form figcaption title'.split(
    ' ',
  ),
)

function blocksOf(tree: Document): PlacedBlock[] {
  const blocks: PlacedBlock[] = []
  let chars = 0
  let text = ''
  let linked = 0
  let isHidden = false
  let isLabel = false
  const flush = () => {
    const whole = normal(text.slice(0, MAX_BLOCK))
    if (whole.length > 10)
      blocks.push({
        text: whole,
        place: isHidden ? 'hidden text' : 'text',
        isProse: !isLabel && linked * 2 < text.length,
      })
    chars += text.length
    text = ''
    linked = 0
  }
  const walk = (node: AnyNode, state: { hidden: boolean; label: boolean; link: boolean }): void => {
    if (chars > MAX_CHARS) return
    if (isText(node)) {
      if (text === '') {
        isHidden = state.hidden
        isLabel = state.label
      }
      text += node.data
      if (state.link) linked += node.data.length
      return
    }
    if (!isElement(node)) {
      if ('children' in node) for (const child of node.children) walk(child, state)
      return
    }
    if (PASSED.has(node.name)) return
    for (const said of spoken(node)) {
      const whole = normal(said)
      chars += said.length
      if (whole.length > 10) blocks.push({ text: whole, place: 'description', isProse: false })
    }
    const inline = INLINE.has(node.name)
    if (!inline) flush()
    const inner = {
      hidden: state.hidden || isUnseen(node),
      label: state.label || (LABELS.has(node.name) && !inline),
      link: state.link || node.name === 'a' || node.name === 'button',
    }
    for (const child of node.children) walk(child, inner)
    if (!inline) flush()
  }
  walk(tree as AnyNode, { hidden: false, label: false, link: false })
  flush()
  return blocks
}

/** Text that readers meet beside the text: alternatives, titles, labels, descriptions. */
const spoken = ({ name, attribs }: Element): string[] =>
  [
    attribs.alt,
    attribs.title,
    attribs['aria-label'],
    attribs['aria-description'],
    name === 'meta' ? attribs.content : '',
  ]
    .filter((value): value is string => value !== undefined && value.length > 15)
    .map((value) => value.slice(0, 5000))

const UNSEEN =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|em)?\s*(?:;|$)|opacity\s*:\s*0(?:\.0\d*)?\s*(?:;|$)|(?:left|top|text-indent)\s*:\s*-\d{3,}|color\s*:\s*(?:transparent|#fff(?:fff)?\b|white)|height\s*:\s*[01](?:px)?\s*(?:;|$)/i

const isUnseen = ({ attribs }: Element): boolean =>
  attribs.hidden !== undefined || attribs['aria-hidden'] === 'true' || UNSEEN.test(attribs.style ?? '')

function commentsIn(html: string): string[] {
  const found: string[] = []
  let at = 0
  let chars = 0
  while (found.length < MAX_COMMENTS && chars < MAX_CHARS) {
    const start = html.indexOf('<!--', at)
    if (start < 0) break
    const end = html.indexOf('-->', start + 4)
    const stop = end < 0 ? html.length : end
    const inside = html.slice(start + 4, Math.min(stop, start + 4 + MAX_BLOCK))
    chars += inside.length
    if (inside.length > 15 && !/^\[if|^\s*<[a-z]/i.test(inside)) found.push(normal(inside))
    at = stop + 3
  }
  return found
}
