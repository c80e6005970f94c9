// Reads menus from plain lists: a dish is the largest block with one line of prices, its section the heading before.
import type { AnyNode, Element } from 'domhandler'
import { findImageSource } from '../../content/find-image-source.ts'
import { closestElement, collapseSpaces, findElement, isElement, textOfNode } from '../../content/parse-tree.ts'
import { isHttpUrl, type ResolveLink } from '../../content/resolve-links.ts'
import type { MoneyHint } from '../currencies.ts'
import { readVisibleLines, type TextLine } from '../facts/read-visible-lines.ts'
import { findMoney, type Money } from '../money.ts'
import { type DishDraft, parseCalories, parseDietMarks, removeCalories, type SectionDraft } from './menu-types.ts'

const MAX_PRICES = 2000
const MAX_ENTRY_CHARS = 700
const MAX_NAME = 150
const FRAME = new Set(['nav', 'footer', 'form', 'button', 'select'])
const STOP = new Set(['body', 'main', 'html', 'table', 'tbody', 'ul', 'ol', 'dl', 'section'])

const isHeading = ({ block }: TextLine): boolean => block !== undefined && /^h[1-6]$|^caption$/.test(block.name)

export function readVisibleSections(tree: AnyNode, resolve: ResolveLink, hint: MoneyHint): SectionDraft[] {
  const { lines } = readVisibleLines(tree, ({ name }) => FRAME.has(name))
  const prices = new Map<TextLine, Money>()
  const below = new Map<Element, number>()
  for (const line of lines) {
    const [money] = !line.isMain || isHeading(line) || prices.size >= MAX_PRICES ? [] : findMoney(line.text, hint)
    if (!money) continue
    const { amount, currency, formatted } = money
    prices.set(line, { amount, ...(currency ? { currency } : {}), formatted })
    for (let one: AnyNode | null | undefined = line.block; isElement(one); one = one.parent)
      below.set(one, (below.get(one) ?? 0) + 1)
  }
  const entries = new Set([...prices.keys()].flatMap(({ block }) => (block ? [entryOf(block, below)] : [])))
  const sections: SectionDraft[] = []
  let heading = 'Menu'
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const entry = line.block && closestElement(line.block, 12, (element) => entries.has(element))
    if (!entry && isHeading(line) && line.text.length < 100) heading = line.text
    if (!entry) continue
    // In a definition list, the name is the term before.
    const own = entry.name === 'dd' && lines[at - 1]?.block?.name === 'dt' ? [lines[at - 1]!, line] : [line]
    while (lines[at + 1]?.block && closestElement(lines[at + 1]!.block, 12, (one) => one === entry))
      own.push(lines[++at]!)
    const price = own.map((one) => prices.get(one)).find((one) => one !== undefined)
    const dish = price && dishOf(entry, own, price, resolve)
    if (!dish) continue
    if (sections.at(-1)?.name !== heading) sections.push({ name: heading, items: [] })
    sections.at(-1)!.items.push(dish)
  }
  return sections
}

/** The largest block around a price with no other price. */
function entryOf(block: Element, below: ReadonlyMap<Element, number>): Element {
  let entry = block
  for (let up = 0; up < 12; up++) {
    const { parent } = entry
    if (!isElement(parent) || STOP.has(parent.name)) break
    // The cells of a row belong together, however many of them are prices.
    if (entry.name !== 'td' && below.get(parent) !== below.get(entry)) break
    if (textOfNode(parent, MAX_ENTRY_CHARS + 1).length > MAX_ENTRY_CHARS) break
    entry = parent
  }
  return entry
}

/** The first text is the name, the others the description. */
function dishOf(entry: Element, lines: readonly TextLine[], price: Money, resolve: ResolveLink): DishDraft | undefined {
  const [head = '', ...rest] = lines
    .flatMap(({ runs }) => runs.map(({ text }) => removeCalories(withoutPrice(text, price))))
    .filter((text) => /\p{L}{2}/u.test(text))
  const { text: name, dietary } = parseDietMarks(head)
  if (name === '' || name.length > MAX_NAME) return undefined
  const calories = parseCalories(lines.map(({ text }) => text).join(' '))
  const image = findElement(entry, (one) => one.name === 'img', 100)
  const url = image && resolve(findImageSource(image))
  return {
    name,
    ...(rest.length > 0 ? { description: rest.join(' ').replace(/^[-–—]\s*/, '') } : {}),
    price,
    ...(calories === undefined ? {} : { calories }),
    images: url && isHttpUrl(url) ? [{ url, ...(image.attribs.alt ? { alt: image.attribs.alt } : {}) }] : [],
    dietary,
  }
}

const withoutPrice = (text: string, { formatted = '' }: Money): string =>
  collapseSpaces(text.replace(formatted, ' ')).replace(/(?:[.·…_\s]{2,}|\s*[-–—|/])+$|^\s*[-–—|/]\s*/g, '')
