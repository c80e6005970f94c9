// Selects the content of a page: removes non-content nodes and applies the caller's include and exclude selectors.

import type { AnyNode, Document, Element } from 'domhandler'
import { Problem } from '../base/problem.ts'
import { setOfWords } from '../base/values.ts'
import { compileSelector } from './compile-selector.ts'
import type { RemovedNodes } from './find-main-content.ts'
import { findMainContent } from './find-main-content.ts'
import { toLettersAndDigits } from './main/find-page-title.ts'
import { isHidden, opensHiddenContent } from './main/hidden-elements.ts'
import {
  collapseSpaces,
  findElement,
  isElement,
  isText,
  nextNode,
  nextNodeAfterSubtree,
  textOfNode,
} from './parse-tree.ts'

export interface ContentOptions {
  onlyMainContent: boolean
  includeTags: readonly string[]
  excludeTags: readonly string[]
  /** Selector of advertising elements; applies to pages, not to files. */
  adParts?: string
  removeBase64Images: boolean
}

export interface ChosenContent {
  roots: AnyNode[]
  cuts: RemovedNodes
  /** The title element, written first; set only if main content was extracted. */
  title?: Element
  /** Written as the title of a page that has no such element. */
  heading?: string
  posts?: ReadonlySet<Element>
}

/** `isPage`: false for files, which are all content. */
export function chooseContent(tree: Document, choices: ContentOptions, isPage: boolean, url?: string): ChosenContent {
  const never = cutNever(tree)
  const { excludeTags, adParts } = choices
  const excluded = select(tree, isPage && adParts ? [...excludeTags, adParts] : excludeTags, 'excludeTags')
  for (const element of excluded) never.set(element, 'excludeTags')
  if (choices.includeTags.length > 0) {
    const included = new Set(select(tree, choices.includeTags, 'includeTags'))
    return { roots: findOutermost(tree, included, never), cuts: never }
  }
  const roots = [body(tree)]
  if (!choices.onlyMainContent || !isPage) return { roots, cuts: never }
  const isNeverRead = (element: Element) => never.has(element)
  const main = findMainContent(tree, { hidden: isNeverRead, ...(url === undefined ? {} : { url }) })
  for (const [node, why] of never) main.cuts.set(node, why)
  // Falls back if all chosen content is hidden: a page with text never yields an empty result.
  if (!hasText(roots, main.cuts)) return { roots, cuts: never }
  const { title, heading, ...chosen } = main
  // The caller left out the heading of the page: neither it nor a title in its place is written.
  const isLeftOut = title
    ? isWithin(title, never)
    : excludeTags.length > 0 && excluded.some(({ name }) => name === 'h1')
  return isLeftOut ? { roots, ...chosen } : { roots, ...main }
}

function isWithin(element: Element, cuts: RemovedNodes): boolean {
  for (let at: AnyNode | null = element; at; at = at.parent) if (cuts.get(at) === 'excludeTags') return true
  return false
}

function hasText(roots: readonly AnyNode[], cuts: RemovedNodes): boolean {
  for (const root of roots) {
    let node: AnyNode | null = root
    while (node) {
      if (isText(node) && !cuts.has(node) && /\S/.test(node.data)) return true
      node = cuts.has(node) ? nextNodeAfterSubtree(node, root) : nextNode(node, root)
    }
  }
  return false
}

const body = (tree: Document): AnyNode => findElement(tree, ({ name }) => name === 'body', 20_000) ?? tree

function select(tree: Document, selectors: readonly string[], option: string): Element[] {
  if (selectors.length === 0) return []
  const tests = selectors.map((selector) => test(selector, option))
  const found: Element[] = []
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    const element = node
    if (isElement(element) && tests.some((matches) => matches(element))) found.push(element)
  }
  return found
}

function test(selector: string, option: string): (element: Element) => boolean {
  const simple = simpleTest(selector)
  if (simple) return simple
  try {
    return compileSelector(selector)
  } catch (cause) {
    throw new Problem('bad_request', {
      because: `\`${selector.slice(0, 200)}\` in \`${option}\` is not a CSS selector that can be used: ${(cause as Error).message.slice(0, 200)}`,
      cause,
    })
  }
}

const NAME = /^([.#]?)([a-z][a-z\d-]*)$/i

/** Fast path for lists of tag names, classes and ids. */
function simpleTest(selector: string): ((element: Element) => boolean) | undefined {
  const tags = new Set<string>()
  const classes = new Set<string>()
  const ids = new Set<string>()
  for (const part of selector.split(',')) {
    const [, mark, name = ''] = NAME.exec(part.trim()) ?? []
    if (mark === undefined) return undefined
    if (mark === '') tags.add(name.toLowerCase())
    else (mark === '.' ? classes : ids).add(name)
  }
  // Pages repeat few class attributes many times.
  const known = new Map<string, boolean>()
  const hasClass = (attribute: string): boolean => {
    let found = known.get(attribute)
    if (found === undefined) {
      found = attribute.split(/\s+/).some((name) => classes.has(name))
      known.set(attribute, found)
    }
    return found
  }
  return ({ name, attribs }) =>
    (attribs.class !== undefined && hasClass(attribs.class)) ||
    (attribs.id !== undefined && ids.has(attribs.id)) ||
    tags.has(name)
}

function findOutermost(tree: Document, wanted: ReadonlySet<Element>, cuts: RemovedNodes): AnyNode[] {
  const roots: AnyNode[] = []
  let node: AnyNode | null = tree
  while (node) {
    if (isElement(node) && wanted.has(node)) {
      if (cuts.get(node) !== 'excludeTags') roots.push(node)
      node = nextNodeAfterSubtree(node, tree)
    } else node = nextNode(node, tree)
  }
  return roots
}

const NEVER = setOfWords(
  'script style noscript head title meta link base object embed applet select option datalist textarea input button svg canvas map param frameset frame colgroup col progress meter',
)
const HIDDEN = 'hidden'
const HIDDEN_BY_STYLE = 'hidden by style'
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)/i
// Rendered formulas beside their source, edit links and non-button elements that act as buttons.
const DECORATION =
  /(?:^|\s)(?:katex-html|MathJax(?:_Preview|_SVG|_CHTML|_Display)?|MJX_Assistive_Placeholder|mw-editsection|mw-cite-backlink|mw-jump-link|printfooter|copy-?(?:btn|button)|btn-copy|copybtn|clipboard-copy|zeroclipboard-container)(?:\s|$)/

/** Some pages hide all content until a script runs: hidden text this many times the visible text counts as content. */
const HIDDEN_TO_VISIBLE_RATIO = 3
const MIN_HIDDEN_CONTENT_CHARS = 1000

function cutNever(tree: Document): RemovedNodes {
  const { cuts, hidden, visible, headings } = cutWhatNeverCounts(tree)
  if (hidden.length === 0) return cuts
  const least = Math.max(MIN_HIDDEN_CONTENT_CHARS, HIDDEN_TO_VISIBLE_RATIO * visible)
  const title = titleOnlyIn(tree, hidden, headings)
  const heldBack = new Set(hidden.filter((element) => element === title || textOfNode(element).length > least))
  return heldBack.size === 0 ? cuts : cutWhatNeverCounts(tree, heldBack).cuts
}

/** The hidden element whose first heading is in the declared title, if no visible heading says the same. */
function titleOnlyIn(tree: Document, hidden: readonly Element[], visibleHeadings: readonly Element[]) {
  const headingTextOf = (heading: Element) => toLettersAndDigits(textOfNode(heading, 400))
  const parts = hidden.flatMap((element) => {
    const heading = findElement(element, ({ name }) => name === 'h1', TITLE_NODES)
    return heading ? [{ element, title: headingTextOf(heading) }] : []
  })
  if (parts.length === 0) return undefined
  const declared = toLettersAndDigits(
    textOfNode(findElement(tree, ({ name }) => name === 'title', TITLE_NODES) ?? tree, 400),
  )
  const isTitle = (title: string) => title.length >= MIN_TITLE_LETTERS && declared.includes(title)
  const shown = visibleHeadings.map(headingTextOf)
  return parts.find(({ title }) => isTitle(title) && !shown.includes(title))?.element
}

const TITLE_NODES = 2000
const MIN_TITLE_LETTERS = 4
const MAX_HEADINGS = 50

function cutWhatNeverCounts(tree: Document, heldBack?: ReadonlySet<Element>) {
  const cuts: RemovedNodes = new Map()
  const hidden: Element[] = []
  const headings: Element[] = []
  let visible = 0
  let node: AnyNode | null = tree
  let heading: Element | undefined
  let headingEnd: AnyNode | null = null
  while (node) {
    if (node === headingEnd) heading = undefined
    if (!isElement(node)) {
      if (isText(node)) visible += node.data.length
      node = nextNode(node, tree)
      continue
    }
    const why = heldBack?.has(node) ? undefined : reasonToCut(node, heading)
    if (why !== undefined) {
      if (why === HIDDEN || why === HIDDEN_BY_STYLE) hidden.push(node)
      cuts.set(node, why)
      node = nextNodeAfterSubtree(node, tree)
      continue
    }
    if (heading === undefined && (HEADINGS.has(node.name) || node.name === 'dt' || node.name === 'summary')) {
      heading = node
      if (headings.length < MAX_HEADINGS) headings.push(node)
      headingEnd = nextNodeAfterSubtree(node, tree)
    }
    node = nextNode(node, tree)
  }
  return { cuts, hidden, visible, headings }
}

function reasonToCut(element: Element, heading: Element | undefined): string | undefined {
  const { name, attribs } = element
  if (name === 'noscript' && !isHidden(element)) return undefined
  // Pages may hide <body> until a script runs.
  if (name === 'body' || name === 'html') return undefined
  if (NEVER.has(name)) {
    if (name === 'button' && (heading || opensHiddenContent(element))) return undefined
    return `<${name}> is not content`
  }
  if (name === 'template') return attribs.shadowrootmode === undefined ? '<template> is not content' : undefined
  if (name === 'mjx-math') return 'drawn formula'
  if (name === 'dialog' && attribs.open === undefined) return 'closed dialog'
  for (const key in attribs) {
    switch (key) {
      case 'hidden':
        if (isHidden(element)) return HIDDEN
        break
      case 'style':
        // Wikipedia hides the MathML behind its formula images.
        if (HIDDEN_STYLE.test(attribs.style!) && isHidden(element) && !/mwe-math-mathml/.test(attribs.class ?? ''))
          return HIDDEN_BY_STYLE
        break
      case 'class':
        if (DECORATION.test(attribs.class!)) return 'decoration'
        break
      case 'aria-hidden':
        if (attribs['aria-hidden'] === 'true' && isIcon(element)) return 'decoration'
        break
    }
  }
  if (heading && name === 'a' && isPermalink(element, heading)) return 'heading anchor'
  return undefined
}

const ICON_NODES = 200
const ICON_CHARS = 2000

/**
 * aria-hidden without letters or digits. Whole pages are aria-hidden below an open dialog, so elements with text are
 * kept.
 */
function isIcon(element: Element): boolean {
  if (element.name === 'img' || element.name === 'math') return false
  if (findElement(element, ({ name }) => name === 'img' || name === 'math', 40)) return false
  // Each text node is checked separately: the white space that begins an indented panel may be longer than ICON_CHARS.
  let node: AnyNode | null = element
  for (let steps = 0; node && steps < ICON_NODES; steps++) {
    if (isText(node) && /[\p{L}\p{N}]/u.test(node.data.slice(0, ICON_CHARS))) return false
    node = nextNode(node, element)
  }
  return node === null
}

const PERMALINK =
  /(?:^|[\s_-])(?:headerlink|anchor(?:js-link|-link)?|hash-?link|header-?(?:anchor|link)|heading-?(?:anchor|link)|perma-?link|direct-link|deep-?link)(?:$|[\s_-])/i

/** The ¶ link beside a heading. */
function isPermalink(element: Element, heading: Element): boolean {
  const { attribs } = element
  const href = attribs.href
  if (href === undefined || !href.includes('#')) return false
  const text = collapseSpaces(textOfNode(element, 100))
  if (!/[\p{L}\p{N}]/u.test(text)) return !findElement(element, ({ name }) => name === 'img', 10)
  if (!PERMALINK.test(attribs.class ?? '')) return false
  return collapseSpaces(textOfNode(heading, 300)) !== text
}
