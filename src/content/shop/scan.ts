// One walk over a page that gathers what can tell of a product: headings, amounts of money with their surroundings,
// buttons, choices, notes on stock, pictures, breadcrumbs. It judges nothing; the other files of this folder do.
import type { AnyNode, Element } from 'domhandler'
import type { MoneyHint } from '../currencies.ts'
import { walk } from '../facts/walk.ts'
import { findMoney, type Money } from '../money.ts'
import { collapse, isElement, isText, nextNode, textOf } from '../tree.ts'

export interface Marked {
  element: Element
  /** Place in document order. */
  at: number
  text: string
  /** Inside the site's frame or among other products. */
  away: boolean
}

export interface Amount extends Marked {
  money: Money & { formatted: string }
  /** Crossed out, or called old. */
  old: boolean
  /** Its element, or one close above it, is called a price. */
  named: boolean
  /** A saving, a rate, a price per kilo: not what the product costs. */
  beside: boolean
}

export interface Scan {
  headings: Marked[]
  amounts: Amount[]
  buttons: (Marked & { disabled: boolean })[]
  choosers: Marked[]
  stock: Marked[]
  pictures: Marked[]
  crumbs: Marked[]
  brands: Marked[]
  numbers: Marked[]
  /** Short texts, as they come. */
  notes: { text: string; at: number }[]
  /** Elements that keep JSON in an attribute, as some shop systems do. */
  holders: Element[]
  labels: Map<string, string>
}

const MAX_AMOUNTS = 2000
const MAX_EACH = 3000
const DARK = new Set(['script', 'style', 'template', 'svg', 'head', 'iframe', 'object'])
const AWAY =
  /(?:^|[\s_-])(?:related|recommend\w*|upsells?|cross-?sells?|similar|recently|also-?(?:like|bought|viewed)|mini-?cart|cart-?(?:drawer|items|preview|widget)|reviews?|site-(?:header|footer|nav)|mega-?menu|main-?nav|newsletter|footer|complementary|suggest\w*|also|product-?(?:card|tile|grid|list)s?|products-(?:grid|list|related|upsell))(?:[\s_-]|$)/i
const ALSO =
  /^\s*(?:you (?:may|might|could|will|'ll)(?: also)? (?:also )?(?:like|love|need)|related|similar|recommended|recently viewed|(?:customers|people|others)(?: who bought this)? also|more (?:from|like)|complete the|pairs well|frequently bought|best ?sellers|das könnte|ähnliche|kunden kauften|zuletzt|passend dazu|vous aimerez|produits (?:similaires|associés)|également|también te|productos relacionados|potrebbe(?:ro)? (?:interessarti|piacerti)|prodotti correlati|aanbevolen|andere bekeken|relaterade|liknande|関連|おすすめ|相关|猜你喜欢)/iu
const PRICE = /price|preis|prix|precio|prezzo|pris(?:$|[\s_-])|cena|\bamount\b|money|cost\b/i
const OLD =
  /(?:^|[\s_-])(?:old|was|before|compare\w*|original|regular|rrp|msrp|list|strike\w*|crossed|previous|non-?sale|rrp|uvp|retail|high)(?:[\s_-]|$)|compare-?at|line-?through|strikethrough|was-?price|old-?price|oldprice|price-?old/i
/** Names that mean the price before even on a box around it. */
const FAR_OLD = /old-?_?price|price-?_?old|was-?price|compare-?at|list-?price|strike/i
const NEW =
  /(?:^|[\s_-])(?:now|sale|current|final|special|new|your|offer|actual|reduced)(?:[\s_-]|$)|sale-?price|final-?price/i
const BESIDE =
  /unit[-_]?price|per[-_]?unit|base[-_]?price|grundpreis|instal?lment|shipping|afterpay|klarna|affirm|paypal|saving|you-save|discount-(?:amount|value)|badge|loyalty|points|deposit|threshold|tooltip/i
const OLD_BEFORE =
  /(?:\b(?:was|rrp|msrp|list(?: price)?|reg(?:ular)?\.?(?: price)?|retail(?: price)?|compare at|originally|original price|statt|uvp|vorher|bisher|prix (?:conseillé|barré|initial)|au lieu de|avant|antes|precio anterior|prezzo (?:pieno|precedente)|prima|van|adviesprijs|ord\.?(?: pris)?|førpris|tidigare(?: pris)?|före|de|cena regularna|původní cena|eredeti ár)|定価|通常価格|原价|原價|정가)\s*[:：]?\s*$/iu
const BESIDE_BEFORE =
  /(?:\b(?:save|saving|you save|spare?n?|sie sparen|ersparnis|économisez|ahorra|risparmi|shipping|delivery|versand(?:kosten)?|livraison|envío|over|above|ab einem|payments? of|instal?lments? of|raten (?:von|à)|or|oder|deposit|from just|as low as|only pay|worth|value of|fee|tax|up to)|[x×*])\s*[:：]?\s*$/iu
const BESIDE_AFTER =
  /^\s*(?:\)?\s*(?:\/|per|pro|je|par|por|al|à|a)\s*(?:\d{1,4}\s*)?(?:mo(?:nth)?|monat|mois|mes|mese|m[åa]ned|kg|g|gr|ml|cl|l|liter|litre|st(?:ück|k)?|unit|oz|fl|lb|m²|m2|m|week|woche|day|tag|night|year|jahr|serving|count|ct)\b|\s*(?:off|rabatt|discount|de descuento|sparen|savings|gratis|shipping|order)\b)/iu

export function scanPage(tree: AnyNode, hint: MoneyHint): Scan {
  const scan: Scan = {
    headings: [],
    amounts: [],
    buttons: [],
    choosers: [],
    stock: [],
    pictures: [],
    crumbs: [],
    brands: [],
    numbers: [],
    notes: [],
    holders: [],
    labels: new Map(),
  }
  const seen: Seen = { priced: new Set(), bare: new Set() }
  let at = 0
  let awayFrom: Element | undefined
  let inMain = 0
  walk(tree, {
    enter(element) {
      at++
      if (DARK.has(element.name) || isHidden(element)) return false
      if (MAIN.has(element.name)) inMain++
      if (!awayFrom && isAway(element, inMain > 0)) awayFrom = element
      // From such a heading on, what its parent holds is about other products.
      if (!awayFrom && /^h[2-6]$/.test(element.name) && isElement(element.parent) && ALSO.test(textOf(element, 80)))
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
        const text = collapse(node.data)
        if (text.length > 3 && text.length <= 50) scan.notes.push({ text, at })
      }
      if (!/\d/.test(node.data) || scan.amounts.length >= MAX_AMOUNTS) return
      const amount = amountAt(node.parent, at, awayFrom !== undefined, hint, seen)
      if (amount) scan.amounts.push(...amount)
    },
  })
  return scan
}

const MAIN = new Set(['main', 'article', 'section', 'form'])
const ROLES_AWAY = new Set(['navigation', 'contentinfo', 'banner', 'search', 'dialog'])

function isAway({ name, attribs }: Element, inMain: boolean): boolean {
  if (name === 'nav' || name === 'footer' || (name === 'header' && !inMain) || name === 'dialog') return true
  if (attribs.role && ROLES_AWAY.has(attribs.role)) return true
  const names = `${attribs.class ?? ''} ${attribs.id ?? ''}`.slice(0, 300)
  return names.length > 1 && name !== 'body' && name !== 'html' && name !== 'main' && AWAY.test(names)
}

/** Only what says so in its own element; style sheets are not read here. */
const isHidden = ({ attribs }: Element): boolean =>
  attribs.hidden !== undefined && attribs.hidden !== 'until-found' && attribs['data-product_variations'] === undefined

const STOCK = /stock|availab|inventory|lagerstand|verfuegbar|verfügbar|dispo|delivery-status|sold-?out|lieferzeit/i
const BRAND = /(?:^|[\s_-])(?:brand|vendor|manufacturer|marke|hersteller|marque)(?:[\s_-]|$)/i
const NUMBER = /(?:^|[\s_-])(?:sku|mpn|reference|item-?(?:no|number)|artikelnummer|product-?code)(?:[\s_-]|$)/i
const HOLDS = [
  'data-product_variations',
  'data-product',
  'data-product-json',
  'data-variants',
  'data-product-variants',
] as const

function note(element: Element, at: number, away: boolean, scan: Scan): void {
  const { name, attribs } = element
  const add = (list: Marked[], max = 300): void => {
    if (list.length < MAX_EACH) list.push({ element, at, text: collapse(textOf(element, max)), away })
  }
  if (/^h[1-4]$/.test(name)) add(scan.headings)
  else if (name === 'img')
    scan.pictures.length < MAX_EACH && scan.pictures.push({ element, at, text: attribs.alt ?? '', away })
  else if (name === 'select' || attribs.role === 'radiogroup' || attribs.role === 'listbox' || name === 'fieldset')
    add(scan.choosers, 0)
  else if (name === 'input' && attribs.type === 'radio') add(scan.choosers, 0)
  else if (
    name === 'button' ||
    (name === 'input' && /^(submit|button)$/.test(attribs.type ?? '')) ||
    isButtonLink(element)
  ) {
    const text = collapse(textOf(element, 120)) || attribs.value || attribs['aria-label'] || ''
    const disabled =
      attribs.disabled !== undefined ||
      attribs['aria-disabled'] === 'true' ||
      /(?:^|\s)disabled(?:\s|$)/.test(attribs.class ?? '')
    if (scan.buttons.length < MAX_EACH) scan.buttons.push({ element, at, text, away, disabled })
  }
  if (name === 'label' && attribs.for && scan.labels.size < MAX_EACH) {
    const text = collapse(textOf(element, 200))
    if (text) scan.labels.set(attribs.for, text)
  }
  for (const key of HOLDS) if (attribs[key] !== undefined && scan.holders.length < 50) scan.holders.push(element)
  const names =
    `${attribs.class ?? ''} ${attribs.id ?? ''} ${attribs['data-testid'] ?? ''} ${attribs['data-hook'] ?? ''}`.slice(
      0,
      400,
    )
  if (names.length < 4 && attribs.itemprop === undefined && attribs['aria-label'] === undefined) return
  if (/bread-?crumb/i.test(names) || /breadcrumb/i.test(attribs['aria-label'] ?? '')) add(scan.crumbs, 0)
  if (STOCK.test(names)) add(scan.stock, 200)
  if (BRAND.test(names) || attribs.itemprop === 'brand') add(scan.brands, 100)
  if (NUMBER.test(names) || attribs.itemprop === 'sku') add(scan.numbers, 100)
}

const isButtonLink = ({ name, attribs }: Element): boolean =>
  name === 'a' &&
  (attribs.role === 'button' || /(?:^|[\s_-])(?:btn|button|add-?to-?cart)(?:[\s_-]|$)/i.test(attribs.class ?? ''))

/** Elements whose text was looked at: those that hold money, and those that do not. */
interface Seen {
  priced: Set<Element>
  bare: Set<Element>
}

/** The amounts that the text of an element, or of one close above it, holds: `<span>$</span><b>19</b><sup>99</sup>`. */
function amountAt(
  parent: AnyNode | null,
  at: number,
  away: boolean,
  hint: MoneyHint,
  { priced, bare }: Seen,
): Amount[] | undefined {
  let element = parent
  for (let up = 0; up < 3 && isElement(element); up++, element = element.parent) {
    if (priced.has(element)) return undefined
    // Looked at before, for another text in it: a page can put a million texts into one element.
    if (bare.has(element)) continue
    bare.add(element)
    const text = priceText(element)
    if (text.length > (up === 0 ? 2000 : 60)) break
    const found = findMoney(text, hint)
    if (found.length === 0) continue
    // `19` of `19<sup>99</sup> €` is money only together with what follows.
    if (up === 0 && isSplit(element) && isElement(element.parent)) continue
    priced.add(element)
    const context = contextOf(element)
    return found.slice(0, 20).map((money) => {
      const { before, after } = surroundings(element as Element, text, money)
      return {
        element: element as Element,
        at,
        text,
        away,
        money: {
          amount: money.amount,
          formatted: money.formatted,
          ...(money.currency ? { currency: money.currency } : {}),
        },
        named: PRICE.test(context.names),
        old: context.struck || OLD_BEFORE.test(before) || (OLD.test(context.own) && !NEW.test(context.own)),
        beside: BESIDE.test(context.names) || BESIDE_BEFORE.test(before) || BESIDE_AFTER.test(after),
      }
    })
  }
  return undefined
}

const isSplit = (element: Element): boolean =>
  isElement(element.next) &&
  (element.next.name === 'sup' || /cent|fraction|decimal/i.test(element.next.attribs.class ?? ''))

/** Text in which raised cents are told from the rest of the number. */
function priceText(element: Element): string {
  let text = ''
  let node: AnyNode | null = element
  for (let steps = 0; node && text.length < 2100 && steps < 300; steps++) {
    if (isText(node)) {
      const { parent, data } = node
      const raised =
        isElement(parent) && (parent.name === 'sup' || /cent|fraction|decimal/i.test(parent.attribs.class ?? ''))
      text += raised && /\d\s*$/.test(text.slice(-3)) && /^\s*\d{2}\s*$/.test(data) ? `${'.'}${data.trim()}` : data
    }
    node = nextNode(node, element)
  }
  return collapse(text)
}

/** How an element and those close above it are called, and whether one of them is crossed out. */
function contextOf(element: Element): { names: string; own: string; struck: boolean } {
  let names = ''
  let own = ''
  let struck = false
  let one: AnyNode | null = element
  for (let up = 0; up < 5 && isElement(one); up++, one = one.parent) {
    const { name, attribs } = one
    const called =
      ` ${attribs.class ?? ''} ${attribs.id ?? ''} ${attribs['data-testid'] ?? ''} ${attribs.itemprop ?? ''} ${attribs['data-hook'] ?? ''} ${attribs['data-price-type'] ?? ''}`.slice(
        0,
        300,
      )
    if (up < 4) names += called
    if (up < 2) own += called
    else if (up < 4 && FAR_OLD.test(called) && !NEW.test(called)) struck = true
    if (up < 3 && (/^(del|s|strike)$/.test(name) || /line-through/.test(attribs.style ?? ''))) struck = true
    if (name === 'li' || name === 'td' || name === 'form' || name === 'section') break
  }
  return { names, own, struck }
}

function surroundings(
  element: Element,
  text: string,
  money: { at: number; end: number },
): { before: string; after: string } {
  const before = text.slice(Math.max(0, money.at - 40), money.at)
  const after = text.slice(money.end, money.end + 30)
  if (before.trim() && after.trim()) return { before, after }
  const wide = isElement(element.parent) ? priceText(element.parent) : ''
  const from = wide.indexOf(text)
  if (from === -1 || wide.length > 300) return { before: before || labelOf(element), after }
  return {
    before: before.trim() ? before : wide.slice(Math.max(0, from + money.at - 40), from + money.at) || labelOf(element),
    after: after.trim() ? after : wide.slice(from + money.end, from + money.end + 30),
  }
}

/** The words of the element just before, when they are few: `<span>RRP</span> <span>$20</span>`. */
function labelOf(element: Element): string {
  let before = element.prev
  while (before && !isElement(before)) before = before.prev
  const text = before ? collapse(textOf(before, 60)) : ''
  return text.length < 40 && !/\d/.test(text) ? text : ''
}
