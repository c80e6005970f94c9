// Reads menus from visible lists, tables and cards. An entry is the largest element around one price; its section is
// the heading before it.
import type { AnyNode, Element } from 'domhandler'
import { isWeb, type ResolveLink } from '../../content/address.ts'
import { imageSource } from '../../content/image-source.ts'
import { collapse, elementChildren, findElement, isElement, isText, nextNode, textOf } from '../../content/tree.ts'
import type { MoneyHint } from '../currencies.ts'
import { walk } from '../facts/walk.ts'
import { amountOf, findMoney, type Money } from '../money.ts'
import { stockWords } from '../shop/stock.ts'
import { caloriesOf, type DishDraft, dietOf, type SectionDraft, withoutCalories } from './dish.ts'

const MAX_PRICES = 2000
const MAX_ENTRY_CHARS = 700
const DARK = new Set([
  'script',
  'style',
  'template',
  'svg',
  'head',
  'nav',
  'footer',
  'noscript',
  'form',
  'iframe',
  'select',
  'button',
])
const HEADING = /^h[1-6]$/
const SECTION_NAME =
  /(?:^|[\s_-])(?:(?:menu-?)?(?:section|category|group)[-_]*(?:title|name|heading|header))(?:[\s_-]|$)/i
const PRICE_NAME = /price|preis|prix|precio|prezzo|cena|\bpris\b/i
// A price without a currency (`12`, `12.50`, `8 / 12`), at the end of an entry or in a price element.
const BARE = /^(\d{1,3}(?:[.,]\d{1,2})?)(?:\s*[/|]\s*(\d{1,3}(?:[.,]\d{1,2})?))?$/
const TRAILING = /(?:[.·…\s]{3,}|\s[-–—]\s*|\s{1,3})(\d{1,3}(?:[.,]\d{1,2}))$/

interface Priced {
  element: Element
  moneys: Money[]
  at: number
}

interface Headed {
  element: Element
  name: string
  level: number
  at: number
}

/** `isCalled`: title or address names a menu, so bare numbers count as prices. */
export function listedSections(
  tree: AnyNode,
  resolve: ResolveLink,
  hint: MoneyHint,
  isCalled: boolean,
): SectionDraft[] {
  const { priced, heads } = gather(tree, hint, isCalled)
  const count = countBelow(priced)
  const used = new Set<Element>()
  const entries: { entry: Element; moneys: Money[]; at: number }[] = []
  for (const { element, moneys, at } of priced) {
    const entry = entryOf(element, count)
    if (!entry || used.has(entry)) {
      const known = entry && entries.find((one) => one.entry === entry)
      if (known && known.moneys.length < 6) known.moneys.push(...moneys)
      continue
    }
    used.add(entry)
    entries.push({ entry, moneys: [...moneys], at })
  }
  // A heading inside an entry is the dish's name.
  const sections = heads.filter(({ element }) => !isInside(element, used))
  const drafts: SectionDraft[] = []
  let next = 0
  let open: Headed | undefined
  let draft: SectionDraft | undefined
  for (const { entry, moneys, at } of entries) {
    while (next < sections.length && sections[next]!.at < at) open = sections[next++]
    const dish = dishOf(entry, moneys, resolve)
    if (!dish) continue
    const name = open?.name ?? 'Menu'
    if (draft?.name !== name) {
      draft = { name, items: [] }
      drafts.push(draft)
    }
    draft.items.push(dish)
  }
  return drafts
}

function gather(tree: AnyNode, hint: MoneyHint, isCalled: boolean): { priced: Priced[]; heads: Headed[] } {
  const priced: Priced[] = []
  const heads: Headed[] = []
  const known = new Set<Element>()
  let at = 0
  walk(tree, {
    enter(element) {
      at++
      if (DARK.has(element.name) || element.attribs.hidden !== undefined) return false
      const isHead = HEADING.test(element.name)
      if (
        (isHead || SECTION_NAME.test(element.attribs.class ?? '') || element.name === 'caption') &&
        heads.length < MAX_PRICES
      ) {
        const name = collapse(textOf(element, 120))
        if (name && name.length < 100) heads.push({ element, name, level: isHead ? Number(element.name[1]) : 3, at })
      }
      return true
    },
    other(node) {
      if (!isText(node) || !/\d/.test(node.data) || priced.length >= MAX_PRICES) return
      const { parent } = node
      if (!isElement(parent) || known.has(parent)) return
      known.add(parent)
      const text = collapse(textOf(parent, 400))
      const moneys = moneysIn(text, parent, hint, isCalled ? collapse(node.data) : '')
      if (moneys.length > 0) priced.push({ element: parent, moneys, at })
    },
  })
  return { priced, heads }
}

/** `alone`: part of the text that may be a bare price. */
function moneysIn(text: string, element: Element, hint: MoneyHint, alone: string): Money[] {
  const signed = findMoney(text, hint).slice(0, 4)
  if (signed.length > 0)
    return signed.map(({ amount, currency, formatted }) => ({ amount, ...(currency ? { currency } : {}), formatted }))
  const named = PRICE_NAME.test(
    `${element.attribs.class ?? ''} ${isElement(element.parent) ? (element.parent.attribs.class ?? '') : ''}`,
  )
  const lastCell = element.name === 'td' && !hasNext(element)
  const bare = (named || lastCell || element.name === 'dd' ? BARE.exec(text) : null) ?? BARE.exec(alone)
  const found = bare ? [bare[1], bare[2]] : [TRAILING.exec(text.slice(-60))?.[1]]
  return found.flatMap((digits) => {
    const amount = digits === undefined ? undefined : amountOf(digits)
    return amount === undefined || amount === 0
      ? []
      : [{ amount, ...(hint.currency ? { currency: hint.currency } : {}), formatted: digits as string }]
  })
}

function hasNext(element: Element): boolean {
  for (let next = element.next; next; next = next.next) if (isElement(next)) return true
  return false
}

function countBelow(priced: readonly Priced[]): Map<Element, number> {
  const count = new Map<Element, number>()
  for (const { element } of priced)
    for (let one: AnyNode | null = element; isElement(one); one = one.parent) count.set(one, (count.get(one) ?? 0) + 1)
  return count
}

const STOP = new Set(['body', 'main', 'html', 'table', 'tbody', 'ul', 'ol', 'dl', 'section', 'article'])

/** The largest element with only this price; with several sizes, the one with the name. */
function entryOf(price: Element, count: ReadonlyMap<Element, number>): Element | undefined {
  let entry = price
  for (let up = 0; up < 12; up++) {
    const { parent } = entry
    if (!isElement(parent)) break
    const nameless = !hasName(entry)
    const alone = count.get(parent) === count.get(entry)
    if (!alone && !(nameless && (count.get(parent) ?? 0) <= 4)) break
    if (STOP.has(parent.name) && !(parent.name === 'article' && alone)) break
    if (textOf(parent, MAX_ENTRY_CHARS + 1).length > MAX_ENTRY_CHARS) break
    entry = parent
  }
  // In a definition list, the name is the preceding term.
  if (entry.name === 'dd' || !hasName(entry)) return entry.name === 'dd' ? entry : undefined
  return entry
}

/** More letters than a size or unit. */
const hasName = (element: Element): boolean =>
  (textOf(element, 300).match(/\p{L}/gu)?.length ?? 0) >= 3 &&
  !/^\W*(?:small|medium|large|half|full|glass|bottle|regular|klein|gro(?:ß|ss)|mittel)\W*[\d.,€$£]*\W*$/iu.test(
    textOf(element, 60),
  )

function isInside(element: Element, entries: ReadonlySet<Element>): boolean {
  for (let one: AnyNode | null = element; isElement(one); one = one.parent) if (entries.has(one)) return true
  return false
}

const NAME_CLASS = /(?:^|[\s_-])(?:name|title|heading|dish)(?:[\s_-]|$)/i

function dishOf(entry: Element, moneys: readonly Money[], resolve: ResolveLink): DishDraft | undefined {
  const pieces = piecesOf(entry)
  const shown = new Set(moneys.map(({ formatted }) => formatted ?? ''))
  const stripped = pieces
    .map(({ text, strong }) => ({ text: strip(text, shown), strong }))
    .filter(({ text }) => /\p{L}/u.test(text))
  const head = stripped.find(({ strong }) => strong) ?? stripped[0]
  if (!head || head.text.length > 150) return undefined
  const rest = stripped.filter((piece) => piece !== head).map(({ text }) => text)
  const whole = pieces.map(({ text }) => text).join(' ')
  const calories = caloriesOf(whole)
  const { text: name, dietary } = dietOf(withoutCalories(head.text))
  const marks = dietOf(rest.join(' '))
  const gone = stockWords(whole.slice(0, 300))
  const [price, ...more] = moneys
  const sizeNames = more.length > 0 ? sizesBefore(whole, moneys) : []
  const sizes = sizeNames.length > 0 ? sizeNames : more.length > 0 ? columnNames(entry).slice(-moneys.length) : []
  const description = rest
    .map((text) => withoutSizes(withoutCalories(text), sizeNames))
    .filter((text) => /\p{L}{2}/u.test(text) && !isMarks(text))
    .join(' ')
  if (!name) return undefined
  return {
    name,
    ...(description ? { description } : {}),
    ...(price ? { price } : {}),
    ...(calories === undefined ? {} : { calories }),
    images: imagesIn(entry, resolve),
    dietary: [...new Set([...dietary, ...marks.dietary])],
    ...(gone?.inStock === false ? { availability: { inStock: false, text: gone.text } } : {}),
    ...(more.length > 0
      ? {
          optionGroups: [
            {
              name: 'Size',
              options: moneys.map((one, n) => ({ name: sizes[n] ?? one.formatted ?? String(one.amount), price: one })),
            },
          ],
        }
      : {}),
  }
}

const SIZE =
  /(?<!\p{L})((?:extra )?(?:small|medium|large)|half|full|glass|bottle|carafe|pint|cup|bowl|regular|single|double|kids?|adult|klein|mittel|gro(?:ß|ss)|petite?|moyenne?|grande?|xs|s|m|l|xl|\d{1,4}(?:[.,]\d)?\s?(?:cl|ml|l|oz|cm|"|inch|pcs?|pieces))\s*[:–-]?\s*$/iu

/** "Small $9 / Large $14": the size before each price, if all have one. */
function sizesBefore(whole: string, moneys: readonly Money[]): string[] {
  const sizes: string[] = []
  let from = 0
  for (const { formatted = '' } of moneys) {
    const at = formatted ? whole.indexOf(formatted, from) : -1
    const size = at < 0 ? undefined : SIZE.exec(whole.slice(Math.max(from, at - 30), at))?.[1]
    if (size === undefined) return []
    sizes.push(size)
    from = at + formatted.length
  }
  return sizes
}

/** Removes the sizes that remain without prices: "Small / Large". */
const withoutSizes = (text: string, sizes: readonly string[]): string =>
  sizes.length > 0 && text.endsWith(sizes.at(-1)!)
    ? text.slice(0, Math.max(0, text.lastIndexOf(sizes[0]!, text.length - sizes.at(-1)!.length))).trim()
    : text

/** Runs per entry, so the nodes visited are bounded. */
const MAX_BEFORE_ROWS = 200
const MAX_HEAD_NODES = 60

/** Column heads, if the entry is a table row with as many cells. */
function columnNames(entry: Element): string[] {
  if (entry.name !== 'tr') return []
  let table: AnyNode | null = entry.parent
  while (isElement(table) && table.name !== 'table') table = table.parent
  const head = isElement(table) ? findElement(table, ({ name }) => name === 'tr', MAX_BEFORE_ROWS) : undefined
  if (!head || head === entry || head.children.length > MAX_HEAD_NODES) return []
  const cells = elementChildren(head)
  const isHead = cells.length > 0 && cells.every(({ name }) => name === 'th')
  return isHead && cells.length === elementChildren(entry).length ? cells.map((cell) => collapse(textOf(cell, 60))) : []
}

const isMarks = (text: string): boolean => dietOf(`(${text})`).text === '' && text.length < 20

const strip = (text: string, shown: ReadonlySet<string>): string => {
  let bare = text
  for (const price of shown) if (price) bare = bare.replace(price, ' ')
  return collapse(bare)
    .replace(/[.·…_\s]{2,}$|\s*[-–—|/]\s*$|^\s*[-–—|/]\s*/g, '')
    .trim()
}

interface Piece {
  text: string
  strong: boolean
}

const INLINE = new Set('a abbr b bdi cite code em i mark q small span strong sub sup u del s ins font'.split(' '))
const STRONG = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'b', 'dt', 'th'])

/** Texts of an entry, one per block or emphasised run; for a definition, the term is first. */
function piecesOf(entry: Element): Piece[] {
  const pieces: Piece[] = []
  const push = (text: string, strong: boolean): void => {
    const tidy = collapse(text)
    if (tidy && pieces.length < 40) pieces.push({ text: tidy, strong })
  }
  if (entry.name === 'dd') {
    let before = entry.prev
    while (before && !(isElement(before) && before.name === 'dt')) before = before.prev
    if (before) push(textOf(before, 200), true)
  }
  let run = ''
  let runStrong = false
  const flush = (): void => {
    push(run, runStrong)
    run = ''
    runStrong = false
  }
  let node: AnyNode | null = entry
  for (let steps = 0; node && steps < 2000; steps++) {
    if (isText(node)) {
      const strong = isStrong(node, entry)
      if (run.trim() && strong !== runStrong) flush()
      runStrong = strong
      run += node.data
    } else if (
      isElement(node) &&
      node !== entry &&
      (!INLINE.has(node.name) || node.attribs.class || node.name === 'br')
    )
      flush()
    else if (isElement(node) && (node.name === 'script' || node.name === 'style')) flush()
    const leaves = node
    node = nextNode(node, entry)
    // Leaving a block ends the run.
    if (isText(leaves) && node && leaves.parent !== node.parent) flush()
  }
  flush()
  return pieces
}

function isStrong(node: AnyNode, entry: Element): boolean {
  for (let one: AnyNode | null = node.parent; isElement(one) && one !== entry; one = one.parent)
    if (STRONG.has(one.name) || NAME_CLASS.test(one.attribs.class ?? '')) return true
  return false
}

function imagesIn(entry: Element, resolve: ResolveLink): { url: string; alt?: string }[] {
  const images: { url: string; alt?: string }[] = []
  let node: AnyNode | null = entry
  for (let steps = 0; node && steps < 500 && images.length < 5; steps++, node = nextNode(node, entry)) {
    if (!isElement(node) || node.name !== 'img') continue
    const url = resolve(imageSource(node))
    const alt = collapse(node.attribs.alt ?? '').slice(0, 300)
    if (url && isWeb(url)) images.push({ url, ...(alt ? { alt } : {}) })
  }
  return images
}
