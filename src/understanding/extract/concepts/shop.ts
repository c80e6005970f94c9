// What something costs, whether it is to be had, who makes it and how it is rated, where a page shows it without naming it:
// amounts near the heading, a struck price, "4.5 out of 5".
import type { Element } from 'domhandler'
import { closest } from '../../../content/tree.ts'
import type { MoneyHint } from '../../currencies.ts'
import { currencyIn, findMoney } from '../../money.ts'
import type { Candidate, Raw, Rows, ValueFinder } from '../asking.ts'
import { agreed, candidate, firstNear, isNear, linesNear, shownAs } from '../candidate.ts'
import type { PagePart } from '../page-part.ts'
import { bareHouse, isInWords } from './texts.ts'

// --- price ------------------------------------------------------------------------------------------------------------

const STRUCK =
  /(?:^|[-_\s])(?:old|was|strike|striked|line-through|strike-through|strikethrough|original|compare|regular|rrp|list-?price|price-?list|before|crossed|msrp|previous)(?:$|[-_\s])/i
/** What is taken off, paid monthly or asked for free shipping is not what the thing costs. */
const NOT_PRICE =
  /\b(?:save|savings?|off|instant|over|orders?|shipping|delivery|per month|\/\s?mo|installments?|payments? of|spare|sparen|versand|ab einem|livraison|envío|gift card|cash ?back|points|billion|million|trillion|bn|revenue|under|below|less than|up to)\b/iu
const MAX_LINES = 400
/** An amount in a longer line is told about, not asked for. */
const MAX_PRICE_LINE = 60
/** Further from the heading than this an amount is the price of something else. */
const FAR = 400

interface Amount {
  text: string
  at: number
  line: string
}

/** Amounts of money in the order of reading, those struck out apart. */
function amounts(scope: PagePart, money: MoneyHint): { plain: Amount[]; struck: Amount[] } {
  const plain: Amount[] = []
  const struck: Amount[] = []
  for (const line of scope.lines.filter(({ isMain }) => isMain).slice(0, MAX_LINES)) {
    if (!/\d/.test(line.text) || line.text.length > 300 || line.text === scope.main?.text) continue
    let found = false
    for (const run of line.runs) {
      for (const { formatted, at } of findMoney(run.text, money).slice(0, 4)) {
        found = true
        const into = isStruck(run.element) ? struck : plain
        const near = run.text.slice(Math.max(0, at - 25), at + formatted.length + 15)
        if (into === struck || !(NOT_PRICE.test(near) || isHuge(line.text, formatted)))
          into.push({ text: formatted, at: line.at, line: line.text })
      }
    }
    // The sign and the digits may stand in two elements.
    if (!found && line.runs.length > 1)
      for (const { formatted } of findMoney(line.text, money).slice(0, 2))
        if (!NOT_PRICE.test(line.text)) plain.push({ text: formatted, at: line.at, line: line.text })
  }
  return { plain, struck }
}

/** "$1.21T", "$10.5 billion": sums that are told, not asked. */
const isHuge = (line: string, amount: string): boolean =>
  /^\s?(?:[TBM]\b|bn\b|billion|million|trillion)/i.test(line.slice(line.indexOf(amount) + amount.length))

const strikes = ({ name, attribs }: Element): boolean =>
  name === 'del' || name === 's' || name === 'strike' || STRUCK.test((attribs.class ?? '').slice(0, 200))
export const isStruck = (element: Element | undefined): boolean => closest(element, 4, strikes) !== undefined

/** What a page that sells something offers to press. */
const BUYING =
  /^(?:add to (?:cart|bag|basket)|buy(?: it)?(?: now)?|order(?: now)?|shop now|book(?: now)?|reserve(?: now)?|pre-?order|checkout|enroll?(?: now| today)?|register(?: now)?|get tickets|in den (?:warenkorb|einkaufswagen)|jetzt (?:kaufen|buchen)|ajouter au panier|acheter|añadir (?:al carrito|a la cesta)|comprar|aggiungi al carrello|in winkelwagen|notify me|sold out|out of stock|カートに入れる)\b/iu

const sells = (scope: PagePart): boolean =>
  scope.memo('sells', () =>
    scope.lines.some(
      ({ text, isMain, runs }) => text.length <= 40 && isMain && runs.some((run) => BUYING.test(run.text)),
    ),
  )

/** Names that any amount on any page would answer. */
const BARE = new Set(['price', 'cost', 'amount', 'fee'])

const price: ValueFinder = (scope, { phrases }, { money }) => {
  if (!scope.isSmall && BARE.has(phrases[0] ?? '') && !sells(scope)) return costing(scope)
  const { plain } = amounts(scope, money)
  const short = scope.isSmall ? plain : plain.filter(({ line }) => line.length <= MAX_PRICE_LINE)
  const distinct = new Set(short.map(({ text }) => text))
  const [one] = short
  if (!one) return scope.isSmall ? [...barePrice(scope), ...shownAs(scope, FREE, 0.74, 40)] : []
  const lowered = scope.isSmall ? loweredIn(plain, money) : undefined
  if (lowered) return [candidate(lowered.now, 0.74)]
  if (scope.isSmall) return [candidate(one.text, distinct.size === 1 ? 0.86 : 0.72)]
  const near = short.find(({ at }) => isNear(scope, at))
  if (near) return [candidate(near.text, distinct.size === 1 ? 0.74 : 0.68)]
  const alone = distinct.size === 1 && (!scope.main || isNear(scope, one.at, FAR))
  return alone ? [candidate(one.text, 0.66)] : []
}

const FREE = /^(?:free|gratis|kostenlos|gratuit|gratuito|free (?:of charge|entry|admission))$/i

/** "6.5" alone in its line, the only number of the card: menus leave out the sign. */
function barePrice({ lines }: PagePart): Candidate[] {
  const numbers = lines.filter(({ text }) => /\d/.test(text))
  const [only] = numbers
  return only && numbers.length === 1 && /^\d{1,3}(?:[.,]\d{1,2})?$/.test(only.text) ? [candidate(only.text, 0.66)] : []
}

/** "$499 $199": of two amounts side by side in a card the first, when higher, is what it was. */
function loweredIn(plain: readonly Amount[], money: MoneyHint): { was: string; now: string } | undefined {
  const [was, now, ...more] = [...new Map(plain.map((one) => [one.text, one])).values()]
  if (!was || !now || more.length > 0 || now.at - was.at > SIDE_BY_SIDE) return undefined
  const [before, after] = [was, now].map(({ text }) => findMoney(text, money)[0]?.amount ?? 0) as [number, number]
  return before > after && after > before * 0.1 ? { was: was.text, now: now.text } : undefined
}

const SIDE_BY_SIDE = 12

const listPrice: ValueFinder = (scope, _, { money }) => {
  const { struck, plain } = amounts(scope, money)
  const lowered = scope.isSmall && struck.length === 0 ? loweredIn(plain, money) : undefined
  if (lowered) return [candidate(lowered.was, 0.74)]
  const near = scope.isSmall ? struck[0] : struck.find(({ at }) => isNear(scope, at, 200))
  return near ? [candidate(near.text, 0.82)] : []
}

const currency: ValueFinder = (scope, wanted, ground) => [
  ...price(scope, wanted, ground).map((one) => ({ ...one, score: one.score - 0.02 })),
  ...onlyCurrency(scope, ground.money),
]

const MAX_TOLD = 300

/** The currency of every amount in the content, when there is but one. */
function onlyCurrency(scope: PagePart, money: MoneyHint): Candidate[] {
  if (scope.isSmall) return []
  const told = scope.lines
    .slice(0, MAX_LINES)
    .filter(({ text, isMain }) => isMain && text.length <= MAX_TOLD && /\d/.test(text))
    .flatMap(({ text }) => findMoney(text, money).map(({ currency: one }) => one ?? ''))
  return agreed(told, 0.66)
}

const COSTS =
  /\b(?:it|this|(?:an?|the|each|every) \p{L}{3,20}) costs?\s(?:only\s|just\s)?(\p{Sc}\s?\d[\d.,]{0,12}|\d[\d.,]{0,12}\s?(?:\p{Sc}|[A-Z]{3}\b))/iu

/** "It costs £32.70": told once, of what the page is about. */
const costing = ({ lines }: PagePart): Candidate[] =>
  agreed(
    lines
      .slice(0, MAX_LINES)
      .flatMap(({ text, isMain }) =>
        isMain && text.length <= MAX_TOLD ? (COSTS.exec(text)?.[1]?.replace(/[.,]$/, '') ?? []) : [],
      ),
    0.7,
  )

const OFF =
  /(?:save|spare|sparen sie|économisez|ahorra|you save)\s?(?:up to\s)?[^\d%]{0,14}(\d{1,2})\s?%|[-–−](\d{1,2})\s?%|(\d{1,2})\s?%\s?(?:off|rabatt|günstiger|de réduction|de descuento|di sconto|korting)/iu

const discount: ValueFinder = (scope) => firstNear(scope, OFF, 0.74, 60)

// --- number, stock ----------------------------------------------------------------------------------------------------

const NUMBERED =
  /(?:^|\s)(?:item|sku|model|part|product|art(?:icle|ikel)?|style|r[ée]f(?:[ée]rence)?)\.?\s?(?:#|no\.?|nr\.?|number|code|id)?\s?[#:]?\s*([A-Z\d][A-Z\d./-]{2,24})(?=$|[\s,;|)])/iu

/** "Item # J755020": a number that is told to be one, near the heading. */
const sku: ValueFinder = (scope) => {
  for (const { text } of linesNear(scope, 80, 300)) {
    const found = NUMBERED.exec(text)
    if (found && /\d/.test(found[1]!) && /#|no\.?|nr|number|sku|code|\bid\b|r[ée]f/i.test(found[0]))
      return [candidate(found[1]!, 0.72)]
  }
  return []
}

const STOCK =
  /^(?:\W{0,3}\s*)?(?:in stock|out of stock|sold out|available|unavailable|currently unavailable|temporarily out of stock|only \d+ left|auf lager|sofort lieferbar|ausverkauft|nicht verfügbar|en stock|rupture de stock|agotado|disponible|op voorraad|uitverkocht|esaurito|disponibile|pre-?order|в наличии|нет в наличии|在庫あり|在庫切れ)(?!\p{L})/iu

const stock: ValueFinder = (scope) => {
  const lines = scope.lines.filter(({ text, isMain }) => isMain && text.length <= 80 && STOCK.test(text))
  const line = scope.isSmall ? lines[0] : (lines.find(({ at }) => isNear(scope, at, 300)) ?? only(lines))
  return line ? [candidate(/^only \d+ left/i.test(line.text) ? 'In stock' : line.text, 0.78)] : []
}

const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined)

// --- rating -----------------------------------------------------------------------------------------------------------

const RATING =
  /(\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|von|sur|de|su|van|из)\s?(5|10|100)(?!\d)(?!\/)|[★⭐]\s?(\d(?:[.,]\d{1,2})?)(?!\d)|(\d[.,]\d{1,2})\s?[★⭐]|(\d[.,]\d{1,2})[\s-](?:stars?|sterne|étoiles|estrellas|stelle)\b|^(\d(?:[.,]\d{1,2})?)\s(?:based on|from)\s\d/iu
/** A rating on its scale; none at all is not a rating. */
function ratingIn(text: string): string | undefined {
  const [, value, scale, ...others] = RATING.exec(text) ?? []
  const given = value ?? others.find(Boolean)
  const number = Number(given?.replace(',', '.'))
  return given !== undefined && number > 0 && number <= Number(scale ?? 10) ? given : undefined
}

const rating: ValueFinder = (scope) => {
  const { elements, lines, isSmall } = scope
  const found: { text: string; at: number }[] = []
  for (const { element, isMain, at } of elements) {
    if (!isMain || found.length > 40) continue
    const said = element.attribs['aria-label'] ?? element.attribs.title ?? element.attribs.alt ?? ''
    const value = said.length > 0 && said.length < 100 ? ratingIn(said) : undefined
    const given = element.attribs['data-rating'] ?? element.attribs['data-score']
    if (value) found.push({ text: value, at })
    else if (given && /^\d(?:[.,]\d+)?$/.test(given)) found.push({ text: given, at })
  }
  for (const { text, isMain, at, block } of lines) {
    const isReported = isMain && block?.name !== 'pre' && (text.length < 60 || isSmall || isNear(scope, at))
    const value = isReported && text.length < 200 && found.length < 80 ? ratingIn(text) : undefined
    if (value) found.push({ text: value, at })
  }
  return chosen(found, scope, isSmall)
}

const AFTER_RATING =
  /(?:^|\s|[★⭐])\d(?:[.,]\d{1,2})?\s?(?:\/\s?(?:5|10))?\s?\((\d{1,3}(?:[.,]\d{3})+|\d{1,7}\s?[kK]?)(?:\s\p{L}+)?\)/u

/** "4.5 (88)": how many rated. */
const ratingCount: ValueFinder = (scope) => firstNear(scope, AFTER_RATING, 0.76, 60)

/** Of many ratings the one near the heading is that of the page; those of single reviews differ. */
function chosen(found: readonly { text: string; at: number }[], scope: PagePart, isSmall: boolean): Candidate[] {
  const [one] = found.toSorted((a, b) => a.at - b.at)
  if (!one) return []
  const near = isSmall ? one : found.find(({ at }) => isNear(scope, at))
  if (near) return [candidate(near.text, 0.8)]
  return new Set(found.map(({ text }) => text)).size === 1 ? [candidate(one.text, 0.72)] : []
}

/** A code is short and has a digit; data may call anything one. */
const isCode = (said: string, { isData }: Raw): boolean =>
  isData === true || (/\d/.test(said) && said.length <= 40 && said.split(' ').length <= 3)

export const SHOP: Rows = {
  price: { find: price, emptyAtZero: 'shown', isOfFrame: true, isOfAnything: true },
  listPrice: { find: listPrice },
  discount: { find: discount },
  currency: {
    find: currency,
    take: (said, _, { money }) => currencyIn(said, money) ?? (/^\p{L}[\p{L} .]{2,30}$/u.test(said) ? said : undefined),
    hasForm: true,
    isKnownByHead: true,
  },
  inStock: { find: stock },
  sku: { find: sku, accept: isCode, hasForm: true, isOfAnything: true, isOfSeller: true },
  gtin: { accept: isCode, hasForm: true },
  mpn: { accept: isCode, hasForm: true, isOfSeller: true },
  brand: { accept: isInWords, clean: bareHouse, mostWords: 5 },
  // A weight without its unit says nothing.
  weight: { accept: (said) => !/^[\d.,\s]+$|\d\s?[x×]\s?\d/i.test(said) },
  rating: {
    find: rating,
    // Nobody rates by thousands.
    acceptNumber: (value, said) => value <= 10 || /100|%/.test(said),
    isOfFrame: true,
    isOfAnything: true,
  },
  reviewCount: {
    find: ratingCount,
    countedAs: ['review', 'rating', 'bewertung', 'avis', 'recension', 'opinion', 'vote'],
  },
}
