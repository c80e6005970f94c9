// Amounts of money on a page with their context: named a price, struck through, or a saving, rate or unit price, which
// is not the product's price.
import type { AnyNode, Element } from 'domhandler'
import { collapseSpaces, isElement, isText, nextNode, textOfNode } from '../../content/parse-tree.ts'
import type { MoneyHint } from '../currencies.ts'
import { findMoney, type Money } from '../money.ts'

export interface PlacedElement {
  element: Element
  /** Position in document order. */
  at: number
  text: string
  /** Inside the site's frame or among other products. */
  away: boolean
}

export interface PageAmount extends PlacedElement {
  money: Money & { formatted: string }
  /** Struck through, or named old. */
  old: boolean
  /** Its element or a close ancestor is named a price. */
  named: boolean
  /** A saving, rate or unit price: not the product's price. */
  beside: boolean
}

const PRICE = /price|preis|prix|precio|prezzo|pris(?:$|[\s_-])|cena|\bamount\b|money|cost\b/i
const OLD =
  /(?:^|[\s_-])(?:old|was|before|compare\w*|original|regular|rrp|msrp|list|strike\w*|crossed|previous|non-?sale|rrp|uvp|retail|high)(?:[\s_-]|$)|compare-?at|line-?through|strikethrough|was-?price|old-?price|oldprice|price-?old/i
/** Names that mean the previous price even on a surrounding box. */
const PREVIOUS_PRICE_NAME = /old-?_?price|price-?_?old|was-?price|compare-?at|list-?price|strike/i
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

/** Elements whose text was examined: with and without money. */
export type ExaminedElements = { priced: Set<Element>; bare: Set<Element> }

/** Amounts in the text of an element or a close ancestor: `<span>$</span><b>19</b><sup>99</sup>`. */
export function findAmountAt(
  parent: AnyNode | null,
  at: number,
  away: boolean,
  hint: MoneyHint,
  { priced, bare }: ExaminedElements,
): PageAmount[] | undefined {
  let element = parent
  for (let up = 0; up < 3 && isElement(element); up++, element = element.parent) {
    if (priced.has(element)) return undefined
    // Already examined for another text in it: a page can put a million texts into one element.
    if (bare.has(element)) continue
    bare.add(element)
    const text = priceText(element)
    if (text.length > (up === 0 ? 2000 : 60)) break
    const found = findMoney(text, hint)
    if (found.length === 0) continue
    // `19` of `19<sup>99</sup> €` is an amount only together with what follows.
    if (up === 0 && isSplit(element) && isElement(element.parent)) continue
    priced.add(element)
    const context = contextOf(element)
    return found.slice(0, 20).map((money) => {
      const { amount, formatted, currency } = money
      const { before, after } = surroundings(element as Element, text, money)
      return {
        element: element as Element,
        at,
        text,
        away,
        money: { amount, formatted, ...(currency ? { currency } : {}) },
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

/** Text that separates raised cents from the rest of the number. */
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
  return collapseSpaces(text)
}

const NAMES = ['class', 'id', 'data-testid', 'itemprop', 'data-hook', 'data-price-type']
const ROW = new Set(['li', 'td', 'form', 'section'])

function contextOf(element: Element): { names: string; own: string; struck: boolean } {
  let [names, own, struck] = ['', '', false]
  let one: AnyNode | null = element
  for (let up = 0; up < 5 && isElement(one); up++, one = one.parent) {
    const { attribs } = one
    const called = ` ${NAMES.map((name) => attribs[name] ?? '').join(' ')}`.slice(0, 300)
    if (up < 4) names += called
    if (up < 2) own += called
    else if (up < 4 && PREVIOUS_PRICE_NAME.test(called) && !NEW.test(called)) struck = true
    if (up < 3 && isCrossedOut(one)) struck = true
    if (ROW.has(one.name)) break
  }
  return { names, own, struck }
}

const isCrossedOut = ({ name, attribs }: Element): boolean =>
  /^(del|s|strike)$/.test(name) || /line-through/.test(attribs.style ?? '') || attribs['data-a-strike'] === 'true'

function surroundings(element: Element, text: string, money: { at: number; end: number }) {
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

/** The text of the preceding element, if short: `<span>RRP</span> <span>$20</span>`. */
function labelOf(element: Element): string {
  let before = element.prev
  while (before && !isElement(before)) before = before.prev
  const text = before ? collapseSpaces(textOfNode(before, 60)) : ''
  return text.length < 40 && !/\d/.test(text) ? text : ''
}
