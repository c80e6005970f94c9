// Reads menus from what a page shows: a dish is the largest block with one price line, its section the heading before.
import type { AnyNode, Element } from 'domhandler'
import { findImageSource } from '../../content/find-image-source.ts'
import { closestElement, collapseSpaces, findElement, isElement, textOfNode } from '../../content/parse-tree.ts'
import { isHttpUrl, type ResolveLink } from '../../content/resolve-links.ts'
import type { MoneyHint } from '../currencies.ts'
import { type LineRun, readVisibleLines, type TextLine } from '../facts/read-visible-lines.ts'
import { findMoney, type Money, parseMoneyAmount } from '../money.ts'
import { parseStockText } from '../shop/parse-stock.ts'
import {
  type DishDraft,
  lowerCaseWords,
  parseCalories,
  parseDietMarks,
  removeCalories,
  type SectionDraft,
  SIZE_WORDS,
} from './dishes-and-menu-words.ts'

const MAX_PRICES = 2000
const MAX_ENTRY_CHARS = 700
const MAX_NAME = 150
const FRAME = new Set(['nav', 'footer', 'form', 'button', 'select'])
const STOP = new Set(['body', 'main', 'html', 'table', 'tbody', 'ul', 'ol', 'dl', 'section'])
const STRONG = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'b', 'dt', 'th'])
/** A price without a currency, at the end of a line: `12`, `12.50`, `8 / 12`. */
const PRICE_WITHOUT_CURRENCY = /(?:^|[\s.·…–—-])(\d{1,3}(?:[.,]\d{1,2})?)(?:\s*[/|]\s*(\d{1,3}(?:[.,]\d{1,2})?))?$/

const isHeading = ({ block }: TextLine): boolean => block !== undefined && /^h[1-6]$|^caption$/.test(block.name)

/** `isNamedMenu`: title or address names a menu, so bare numbers count as prices. */
export function readVisibleSections(
  tree: AnyNode,
  resolve: ResolveLink,
  hint: MoneyHint,
  isNamedMenu: boolean,
): SectionDraft[] {
  const { lines } = readVisibleLines(tree, ({ name }) => FRAME.has(name))
  const shown = lines.filter(({ isMain }) => isMain)
  const prices = new Map<TextLine, Money[]>()
  const below = new Map<Element, number>()
  for (const line of shown) {
    const moneys = isHeading(line) || prices.size >= MAX_PRICES ? [] : moneysIn(line.text, hint, isNamedMenu)
    if (moneys.length === 0) continue
    prices.set(line, moneys)
    for (let one: AnyNode | null | undefined = line.block; isElement(one); one = one.parent)
      below.set(one, (below.get(one) ?? 0) + 1)
  }
  const entries = new Set<Element>()
  for (const { block } of prices.keys()) if (block) entries.add(entryOf(block, below))
  return sectionsOf(shown, prices, entries, resolve)
}

function sectionsOf(
  lines: readonly TextLine[],
  prices: ReadonlyMap<TextLine, Money[]>,
  entries: ReadonlySet<Element>,
  resolve: ResolveLink,
): SectionDraft[] {
  const drafts: SectionDraft[] = []
  let heading = 'Menu'
  const entryAt = ({ block }: TextLine) => block && closestElement(block, 12, (element) => entries.has(element))
  for (let at = 0; at < lines.length; at++) {
    const entry = entryAt(lines[at]!)
    if (!entry) {
      if (isHeading(lines[at]!) && lines[at]!.text.length < 100) heading = lines[at]!.text
      continue
    }
    let end = at
    while (end + 1 < lines.length && entryAt(lines[end + 1]!) === entry) end++
    // In a definition list, the name is the preceding term.
    const from = entry.name === 'dd' && lines[at - 1]?.block?.name === 'dt' ? at - 1 : at
    const own = lines.slice(from, end + 1)
    const dish = dishOf(
      entry,
      own,
      own.flatMap((line) => prices.get(line) ?? []),
      resolve,
    )
    at = end
    if (!dish) continue
    if (drafts.at(-1)?.name !== heading) drafts.push({ name: heading, items: [] })
    drafts.at(-1)!.items.push(dish)
  }
  return drafts
}

function moneysIn(text: string, hint: MoneyHint, isCalled: boolean): Money[] {
  const signed = findMoney(text, hint).slice(0, 6)
  if (signed.length > 0 || !isCalled)
    return signed.map(({ amount, currency, formatted }) => ({ amount, ...(currency ? { currency } : {}), formatted }))
  const bare = text.length < 200 ? PRICE_WITHOUT_CURRENCY.exec(text) : null
  return [bare?.[1], bare?.[2]].flatMap((digits) => {
    const amount = digits && parseMoneyAmount(digits)
    return amount ? [{ amount, ...(hint.currency ? { currency: hint.currency } : {}), formatted: digits }] : []
  })
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

function dishOf(
  entry: Element,
  lines: readonly TextLine[],
  moneys: readonly Money[],
  resolve: ResolveLink,
): DishDraft | undefined {
  const isStrong = ({ element }: LineRun) =>
    element !== undefined && closestElement(element, 4, ({ name }) => STRONG.has(name)) !== undefined
  const runs = lines
    .flatMap((line) => line.runs.map((run) => ({ text: withoutPrices(run.text, moneys), isStrong: isStrong(run) })))
    .filter(({ text }) => /\p{L}{2}/u.test(text))
  const head = runs.find((run) => run.isStrong) ?? runs[0]
  if (!head || head.text.length > MAX_NAME) return undefined
  const whole = lines.map(({ text }) => text).join(' ')
  const calories = parseCalories(whole)
  const { text: name, dietary } = parseDietMarks(removeCalories(head.text))
  const rest = runs.filter((run) => run !== head).map(({ text }) => removeCalories(text))
  const stock = parseStockText(whole.slice(0, 300))
  const image = findElement(entry, (one) => one.name === 'img', 100)
  const url = image && resolve(findImageSource(image))
  const sizes = sizesOf(entry, whole, moneys)
  const isSizes = (text: string) => lowerCaseWords(text).every((word) => word === '' || SIZE_WORDS.has(word))
  const description = rest.filter((text) => /\p{L}{2}/u.test(text) && !isSizes(text)).join(' ')
  if (!name) return undefined
  return {
    name,
    ...(description ? { description: description.replace(/^[-–—]\s*/, '') } : {}),
    ...(moneys[0] ? { price: moneys[0] } : {}),
    ...(calories === undefined ? {} : { calories }),
    images: url && isHttpUrl(url) ? [{ url, ...(image.attribs.alt ? { alt: image.attribs.alt } : {}) }] : [],
    dietary: [...new Set([...dietary, ...parseDietMarks(rest.join(' ')).dietary])],
    ...(stock?.inStock === false ? { availability: { inStock: false, text: stock.text } } : {}),
    ...(moneys.length > 1
      ? {
          optionGroups: [
            {
              name: 'Size',
              options: moneys.map((price, n) => ({ name: sizes[n] ?? price.formatted ?? String(price.amount), price })),
            },
          ],
        }
      : {}),
  }
}

const withoutPrices = (text: string, moneys: readonly Money[]): string => {
  let bare = text
  for (const { formatted } of moneys) if (formatted) bare = bare.replace(formatted, ' ')
  return collapseSpaces(bare).replace(/(?:[.·…_\s]{2,}|\s*[-–—|/])+$|^\s*[-–—|/]\s*/g, '')
}

/** "Small $9 / Large $14", or the heads of the table's columns. */
function sizesOf(entry: Element, whole: string, moneys: readonly Money[]): string[] {
  if (moneys.length < 2) return []
  if (entry.name === 'tr') {
    const table = closestElement(entry, 3, ({ name }) => name === 'table')
    const head = table && findElement(table, ({ name }) => name === 'tr', 50)
    return head
      ? readVisibleLines(head, () => false)
          .lines.map(({ text }) => text)
          .slice(-moneys.length)
      : []
  }
  return moneys.flatMap(({ formatted = '' }) => {
    const word = /\p{L}+(?=[\s:–-]*$)/u.exec(whole.slice(0, whole.indexOf(formatted)))?.[0]
    return word && SIZE_WORDS.has(word.toLowerCase()) ? [word] : []
  })
}
