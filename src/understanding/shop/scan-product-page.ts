// Collects everything about a product in one walk over the page: headings, amounts with context, buttons, stock notes,
// images, breadcrumbs.
import type { AnyNode, Element } from 'domhandler'
import { collapseSpaces, isElement, isText, textOfNode } from '../../content/parse-tree.ts'
import type { MoneyHint } from '../currencies.ts'
import { walkTree } from '../facts/walk-tree.ts'
import { type ExaminedElements, findAmountAt, type PageAmount, type PlacedElement } from './find-amounts.ts'

export interface ProductScan {
  headings: PlacedElement[]
  amounts: PageAmount[]
  buttons: (PlacedElement & { disabled: boolean })[]
  stock: PlacedElement[]
  pictures: PlacedElement[]
  breadcrumbs: PlacedElement[]
  brands: PlacedElement[]
  numbers: PlacedElement[]
  /** Short texts in document order. */
  notes: { text: string; at: number }[]
  /** Elements with JSON in an attribute, as some shop systems have. */
  holders: Element[]
}

const MAX_AMOUNTS = 2000
const MAX_EACH = 3000
const DARK = new Set(['script', 'style', 'template', 'svg', 'head', 'iframe', 'object'])
const AWAY =
  /(?:^|[\s_-])(?:related|recommend\w*|upsells?|cross-?sells?|similar|recently|also-?(?:like|bought|viewed)|mini-?cart|cart-?(?:drawer|items|preview|widget)|reviews?|site-(?:header|footer|nav)|mega-?menu|main-?nav|newsletter|footer|complementary|suggest\w*|also|product-?(?:card|tile|grid|list)s?|products-(?:grid|list|related|upsell))(?:[\s_-]|$)/i
const ALSO =
  /^\s*(?:you (?:may|might|could|will|'ll)(?: also)? (?:also )?(?:like|love|need)|related|similar|recommended|recently viewed|(?:customers|people|others)(?: who bought this)? also|more (?:from|like)|complete the|pairs well|frequently bought|best ?sellers|das könnte|ähnliche|kunden kauften|zuletzt|passend dazu|vous aimerez|produits (?:similaires|associés)|également|también te|productos relacionados|potrebbe(?:ro)? (?:interessarti|piacerti)|prodotti correlati|aanbevolen|andere bekeken|relaterade|liknande|関連|おすすめ|相关|猜你喜欢)/iu
export function scanProductPage(tree: AnyNode, hint: MoneyHint): ProductScan {
  const scan: ProductScan = {
    headings: [],
    amounts: [],
    buttons: [],
    stock: [],
    pictures: [],
    breadcrumbs: [],
    brands: [],
    numbers: [],
    notes: [],
    holders: [],
  }
  const seen: ExaminedElements = { priced: new Set(), bare: new Set() }
  let at = 0
  let awayFrom: Element | undefined
  let inMain = 0
  walkTree(tree, {
    enter(element) {
      at++
      if (DARK.has(element.name) || isHidden(element)) return false
      if (MAIN.has(element.name)) inMain++
      if (!awayFrom && isOutsideProduct(element, inMain > 0)) awayFrom = element
      // After such a heading, the rest of its parent is about other products.
      if (!awayFrom && /^h[2-6]$/.test(element.name) && isElement(element.parent) && ALSO.test(textOfNode(element, 80)))
        awayFrom = element.parent
      note(element, at, awayFrom !== undefined, scan)
      return true
    },
    leave(element) {
      if (MAIN.has(element.name)) inMain--
      if (awayFrom === element) awayFrom = undefined
    },
    other(node) {
      if (!isText(node)) return
      const isNote = isElement(node.parent) && !/^(?:option|button|label|a)$/.test(node.parent.name)
      if (!awayFrom && isNote && node.data.length < 80 && scan.notes.length < MAX_EACH) {
        const text = collapseSpaces(node.data)
        if (text.length > 3 && text.length <= 50 && !isTuckedAway(node.parent as Element)) scan.notes.push({ text, at })
      }
      if (!/\d/.test(node.data) || scan.amounts.length >= MAX_AMOUNTS) return
      const amount = findAmountAt(node.parent, at, awayFrom !== undefined, hint, seen)
      if (amount) scan.amounts.push(...amount)
    },
  })
  return scan
}

const MAIN = new Set(['main', 'article', 'section', 'form'])
const ROLES_AWAY = new Set(['navigation', 'contentinfo', 'banner', 'search', 'dialog'])

export function isOutsideProduct({ name, attribs }: Element, inMain: boolean): boolean {
  if (name === 'nav' || name === 'footer' || (name === 'header' && !inMain) || name === 'dialog') return true
  if (attribs.role && ROLES_AWAY.has(attribs.role)) return true
  const names = `${attribs.class ?? ''} ${attribs.id ?? ''}`.slice(0, 300)
  return names.length > 1 && name !== 'body' && name !== 'html' && name !== 'main' && AWAY.test(names)
}

/** Only by its own attributes; style sheets are not read here. */
const isHidden = ({ attribs }: Element): boolean =>
  attribs.hidden !== undefined && attribs.hidden !== 'until-found' && attribs['data-product_variations'] === undefined

const TUCKED = /(?:^|[\s_:-])(?:hidden|hide|d-none|invisible|visually-?hidden|sr-only|screen-reader-text)(?:$|[\s_-])/i

/** Themes include a hidden badge in every page and show it when it applies. */
function isTuckedAway(element: Element): boolean {
  let one: Element | undefined = element
  for (let up = 0; one && up < 4; up++) {
    const { class: classes = '', style = '' } = one.attribs
    if (TUCKED.test(classes.slice(0, 300)) || one.attribs['aria-hidden'] === 'true') return true
    if (/display:\s*none|visibility:\s*hidden/i.test(style)) return true
    one = isElement(one.parent) ? one.parent : undefined
  }
  return false
}

const STOCK = /stock|availab|inventory|lagerstand|verfuegbar|verfügbar|dispo|delivery-status|sold-?out|lieferzeit/i
const BRAND = /(?:^|[\s_-])(?:brand|vendor|manufacturer|marke|hersteller|marque|byline-?info)(?:[\s_-]|$)/i
const NUMBER = /(?:^|[\s_-])(?:sku|mpn|reference|item-?(?:no|number)|artikelnummer|product-?code)(?:[\s_-]|$)/i
/** Attributes with a product as JSON. */
export const HOLDS = 'data-product data-product-json data-variants data-product-variants data-product_variations'.split(
  ' ',
)

function note(element: Element, at: number, away: boolean, scan: ProductScan): void {
  const { name, attribs } = element
  const add: Add = (list, max = 300) => {
    if (list.length < MAX_EACH) list.push({ element, at, text: collapseSpaces(textOfNode(element, max)), away })
  }
  if (/^h[1-4]$/.test(name)) add(scan.headings)
  else if (name === 'img') {
    if (scan.pictures.length < MAX_EACH) scan.pictures.push({ element, at, text: attribs.alt ?? '', away })
  } else if (isButton(element) && scan.buttons.length < MAX_EACH) {
    const text = collapseSpaces(textOfNode(element, 120)) || attribs.value || attribs['aria-label'] || ''
    scan.buttons.push({ element, at, text, away, disabled: isDisabled(element) })
  }
  for (const key of HOLDS) if (attribs[key] !== undefined && scan.holders.length < 50) scan.holders.push(element)
  noteNamed(element, scan, add)
}

type Add = (list: PlacedElement[], max?: number) => void

function noteNamed(element: Element, scan: ProductScan, add: Add): void {
  const { attribs } = element
  const own = ['class', 'id', 'data-testid', 'data-hook'].map((name) => attribs[name] ?? '')
  const names = own.join(' ').slice(0, 400)
  if (names.length < 4 && attribs.itemprop === undefined && attribs['aria-label'] === undefined) return
  if (/bread-?crumb/i.test(`${names} ${attribs['aria-label'] ?? ''}`)) add(scan.breadcrumbs, 0)
  if (STOCK.test(names) && !isTuckedAway(element)) add(scan.stock, 200)
  if (BRAND.test(names) || attribs.itemprop === 'brand') add(scan.brands, 100)
  if (NUMBER.test(names) || attribs.itemprop === 'sku') add(scan.numbers, 100)
}

const isButton = (element: Element): boolean =>
  element.name === 'button' ||
  (element.name === 'input' && /^(submit|button)$/.test(element.attribs.type ?? '')) ||
  isButtonLink(element)

const isDisabled = ({ attribs }: Element): boolean =>
  attribs.disabled !== undefined ||
  attribs['aria-disabled'] === 'true' ||
  /(?:^|\s)disabled(?:\s|$)/.test(attribs.class ?? '')

const isButtonLink = ({ name, attribs }: Element): boolean =>
  name === 'a' &&
  (attribs.role === 'button' || /(?:^|[\s_-])(?:btn|button|add-?to-?cart)(?:[\s_-]|$)/i.test(attribs.class ?? ''))
