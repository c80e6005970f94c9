// Values that show what they are without a label: the main heading, a telephone link, a struck price, "4.5 out of 5",
// "3 bedrooms". Each with how sure it is.
import type { Element } from 'domhandler'
import type { MoneyHint } from '../currencies.ts'
import { imageSource } from '../image-source.ts'
import { findMoney } from '../money.ts'
import { collapse, findElement, isElement, textOf } from '../tree.ts'
import { dateIn } from '../values/dates.ts'
import type { Candidate } from './find.ts'
import type { Ground } from './ground.ts'
import type { Scope, Seen } from './scope.ts'
import type { Wanted } from './wanted.ts'
import { tokensOf } from './words.ts'

type Typed = (scope: Scope, wanted: Wanted, ground: Ground) => Candidate[]

export function typed(scope: Scope, wanted: Wanted, ground: Ground): Candidate[] {
  const ids = wanted.concepts.slice(0, 2).map(({ id }) => id)
  const found = ids.flatMap((id, n) =>
    (BY_CONCEPT[id]?.(scope, wanted, ground) ?? []).map((one) => ({ ...one, score: one.score - n * 0.1 })),
  )
  if (wanted.kind === 'count' || wanted.kind === 'number')
    found.push(...counted(scope, wanted), ...measured(scope, wanted))
  if (wanted.kind === 'url') found.push(...linkNamed(scope, wanted))
  if (wanted.kind === 'text' && wanted.shape.kind === 'string' && scope.isSmall && ids.length === 0)
    found.push(...mentioned(scope, wanted))
  if (wanted.shape.kind === 'boolean' && ids.length === 0) found.push(...claimed(scope, wanted))
  if (wanted.kind === 'clock' && scope.isSmall)
    found.push(
      ...scope.lines
        .filter(({ text }) => /\d[:h]\d\d|\d\s?[ap]m/i.test(text))
        .slice(0, 1)
        .map(({ text }) => candidate(text, 0.72)),
    )
  if (scope.isSmall && wanted.phrases.includes('day')) found.push(...weekday(scope))
  return found
}

const candidate = (value: string, score: number, more: Partial<Candidate> = {}): Candidate => ({
  value,
  score,
  source: 'pattern',
  ...more,
})

const first = (scope: Scope, test: (element: Element) => boolean): Seen | undefined =>
  scope.elements.find(({ element, isMain }) => isMain && test(element)) ??
  scope.elements.find(({ element }) => test(element))

const title: Typed = ({ headings, elements, isSmall, main }) => {
  if (isSmall) {
    const heading = headings[0]
    if (heading) return [candidate(heading.text, 0.9)]
    const links = elements.filter(({ element }) => element.name === 'a' && /\p{L}{3}/u.test(textOf(element, 200)))
    const names = [...new Set(links.map(({ element }) => collapse(textOf(element, 300))))]
    // Of several links nobody can tell which one is the name.
    const linked = names.slice(0, 1).map((name) => candidate(name, names.length === 1 ? 0.72 : 0.55))
    const strong = elements.find(({ element }) => element.name === 'strong' || element.name === 'b')
    return [...linked, ...(strong ? [candidate(collapse(textOf(strong.element, 300)), 0.66)] : [])]
  }
  return main ? [candidate(main.text, 0.84)] : []
}

const link: Typed = ({ elements, headings, isSmall }) => {
  if (!isSmall) return []
  const heading = headings[0]?.element
  const within = heading && findElement(heading, ({ name, attribs }) => name === 'a' && attribs.href !== undefined, 50)
  const around = heading && isElement(heading.parent) && heading.parent.name === 'a' ? heading.parent : undefined
  const any = elements.find(
    ({ element: { name, attribs } }) =>
      name === 'a' && attribs.href && !/^(?:#|javascript:|mailto:|tel:)/i.test(attribs.href),
  )
  const chosen = within ?? around ?? any?.element
  return chosen?.attribs.href ? [candidate(chosen.attribs.href, 0.86, { href: chosen.attribs.href })] : []
}

const picture: Typed = (scope) => {
  const found = first(scope, ({ name }) => name === 'img')
  const src = found && imageSource(found.element)
  return src && (scope.isSmall || found.isMain) ? [candidate(src, scope.isSmall ? 0.86 : 0.62, { src })] : []
}

const hrefOf =
  (scheme: string): Typed =>
  (scope) => {
    const found = first(
      scope,
      ({ name, attribs }) => name === 'a' && attribs.href?.toLowerCase().startsWith(scheme) === true,
    )
    if (!found) return []
    const shown = collapse(textOf(found.element, 80))
    const target = decoded(found.element.attribs.href!.slice(scheme.length).split('?', 1)[0]!)
    return [candidate(scheme === 'tel:' && /\d{2}/.test(shown) ? shown : target, 0.86)]
  }

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const STRUCK =
  /(?:^|[-_\s])(?:old|was|strike|striked|strikethrough|original|compare|regular|rrp|list|before|crossed|msrp|previous)(?:$|[-_\s])/i
const MAX_LINES = 400

/** Amounts of money in the order of reading, those struck out apart. */
function amounts(scope: Scope, money: MoneyHint) {
  const plain: { text: string; at: number; line: string }[] = []
  const struck: { text: string; at: number }[] = []
  for (const line of scope.lines.filter(({ isMain }) => isMain).slice(0, MAX_LINES)) {
    if (!/\d/.test(line.text) || line.text.length > 300) continue
    for (const run of line.runs) {
      for (const { formatted } of findMoney(run.text, money).slice(0, 4)) {
        if (isStruck(run.element)) struck.push({ text: formatted, at: line.at })
        else plain.push({ text: formatted, at: line.at, line: line.text })
      }
    }
    if (line.runs.length > 1 && !line.runs.some((run) => findMoney(run.text, money).length > 0))
      for (const { formatted } of findMoney(line.text, money).slice(0, 2))
        plain.push({ text: formatted, at: line.at, line: line.text })
  }
  return { plain, struck }
}

function isStruck(element: Element | undefined): boolean {
  let at = element
  for (let steps = 0; at && steps < 3; steps++) {
    if (
      at.name === 'del' ||
      at.name === 's' ||
      at.name === 'strike' ||
      STRUCK.test((at.attribs.class ?? '').slice(0, 200))
    )
      return true
    at = isElement(at.parent) ? at.parent : undefined
  }
  return false
}

const price: Typed = (scope, _, { money }) => {
  const { plain } = amounts(scope, money)
  const distinct = new Set(plain.map(({ text }) => text))
  const [one] = plain
  if (!one) return []
  if (distinct.size === 1) return [candidate(one.text, scope.isSmall ? 0.86 : 0.72)]
  if (scope.isSmall) return [candidate(one.text, 0.72)]
  const main = scope.main
  const after = main && plain.find(({ at, line }) => at > main.at && at < main.at + 150 && line.length <= 40)
  return after ? [candidate(after.text, 0.64)] : []
}

const listPrice: Typed = (scope, _, { money }) => {
  const { struck } = amounts(scope, money)
  const main = scope.main
  const near = scope.isSmall ? struck[0] : struck.find(({ at }) => main !== undefined && Math.abs(at - main.at) < 200)
  return near ? [candidate(near.text, 0.82)] : []
}

const currency: Typed = (scope, wanted, ground) =>
  price(scope, wanted, ground).map((one) => ({ ...one, score: one.score - 0.02 }))

const STOCK =
  /^(?:\W{0,3}\s*)?(?:in stock|out of stock|sold out|available|unavailable|currently unavailable|only \d+ left|auf lager|sofort lieferbar|ausverkauft|nicht verfügbar|en stock|rupture de stock|agotado|disponible|op voorraad|uitverkocht|esaurito|disponibile|pre-?order|в наличии|нет в наличии|在庫あり|在庫切れ)\b/iu

const stock: Typed = ({ lines }) => {
  const line = lines.find(({ text, isMain }) => isMain && text.length <= 80 && STOCK.test(text))
  return line ? [candidate(/^only \d+ left/i.test(line.text) ? 'In stock' : line.text, 0.78)] : []
}

const RATING =
  /(\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|von|sur|de|su|van|из)\s?(5|10|100)(?!\d)(?!\/)|[★⭐]\s?(\d(?:[.,]\d{1,2})?)(?!\d)|(\d[.,]\d{1,2})\s?[★⭐]/iu

const rating: Typed = ({ elements, lines }) => {
  for (const { element, isMain } of elements) {
    if (!isMain) continue
    const said = element.attribs['aria-label'] ?? element.attribs.title ?? element.attribs.alt ?? ''
    const found = said.length < 100 ? RATING.exec(said) : null
    if (found) return [candidate(found[1] ?? found[3] ?? found[4] ?? '', 0.8)]
    const value = element.attribs['data-rating'] ?? element.attribs['data-score']
    if (value && /^\d(?:[.,]\d+)?$/.test(value)) return [candidate(value, 0.8)]
  }
  for (const { text, isMain } of lines) {
    const found = isMain && text.length < 120 ? RATING.exec(text) : null
    if (found) return [candidate(found[1] ?? found[3] ?? found[4] ?? '', 0.78)]
  }
  return []
}

const BYLINE =
  /^(?:written by|posted by|article by|story by|words by|by|von|par|por|di|door|автор:?)\s+(\p{Lu}[\p{L}.'’-]{0,30}(?:\s(?:(?:van|von|de|der|den|la|le|bin|al|di|da)\s)?\p{Lu}[\p{L}.'’-]{0,30}){0,3})(?=$|[\s,|·•–—(-])/iu

const author: Typed = (scope) => {
  const link = first(scope, ({ name, attribs }) => name === 'a' && /(?:^|\s)author(?:\s|$)/.test(attribs.rel ?? ''))
  if (link) return [candidate(collapse(textOf(link.element, 100)), 0.84)]
  for (const { text, isMain } of scope.lines) {
    const name = isMain && text.length < 120 ? BYLINE.exec(text)?.[1] : undefined
    if (name && /^\p{Lu}/u.test(name)) return [candidate(name, 0.79)]
  }
  return []
}

const UPDATED = /updated|modified|aktualisiert|mis à jour|actualizado|aggiornato|bijgewerkt|обновлено|更新/iu

const published: Typed = (scope, { shape }, { language }) => {
  const times = scope.elements.filter(({ element, isMain }) => isMain && element.name === 'time')
  const main = scope.main
  const near = times.find(
    ({ element, at }) =>
      !UPDATED.test(aroundText(element)) &&
      (scope.isSmall || times.length === 1 || (main && Math.abs(at - main.at) < 150)),
  )
  if (near) {
    const shown = collapse(textOf(near.element, 60))
    return [candidate(shown || (near.element.attribs.datetime ?? ''), 0.78, { when: near.element.attribs.datetime })]
  }
  const lines = scope.lines.filter(
    ({ text, isMain }) => isMain && text.length <= (scope.isSmall ? 200 : 90) && /\d{4}/.test(text),
  )
  const line = scope.isSmall
    ? lines.find(({ text }) => dateIn(text, language))
    : lines.find(
        ({ text, at }) =>
          main && at > main.at - 60 && at < main.at + 120 && !UPDATED.test(text) && dateIn(text, language),
      )
  const date = line && dateIn(line.text, language)
  if (!line || !date) return []
  return [candidate(shape.format ? line.text : line.text.slice(date.at, date.end), scope.isSmall ? 0.75 : 0.66)]
}

const modified: Typed = ({ elements, lines }, _, { language }) => {
  const time = elements.find(({ element }) => element.name === 'time' && UPDATED.test(aroundText(element)))
  if (time) return [candidate(collapse(textOf(time.element, 60)), 0.8, { when: time.element.attribs.datetime })]
  const line = lines.find(({ text }) => text.length < 120 && UPDATED.test(text) && dateIn(text, language))
  const date = line && dateIn(line.text, language)
  return line && date ? [candidate(line.text.slice(date.at, date.end), 0.72)] : []
}

const aroundText = (element: Element): string => (isElement(element.parent) ? textOf(element.parent, 120) : '')

const description: Typed = ({ lines, isSmall }, _, { money }) => {
  if (!isSmall) return []
  const isProse = ({ text, block }: (typeof lines)[number]) =>
    text.length > (block?.name === 'p' ? 8 : 30) &&
    !/^h\d$/.test(block?.name ?? '') &&
    findMoney(text, money).length === 0
  const [longest] = lines.filter(isProse).sort((a, b) => b.text.length - a.text.length)
  return longest ? [candidate(longest.text, 0.74)] : []
}

const postal: Typed = (scope) => {
  const found = first(scope, ({ name }) => name === 'address')
  const text = found && collapse(textOf(found.element, 400))
  return text && /\d/.test(text) && text.length < 200 ? [candidate(text, 0.78)] : []
}

const wholeText: Typed = ({ lines, isSmall }) =>
  isSmall
    ? lines
        .filter(({ text }) => text.length > 40)
        .slice(0, 1)
        .map(({ block, text }) =>
          candidate(
            lines
              .filter((line) => line.block?.parent === block?.parent && line.text.length > 20)
              .map((line) => line.text)
              .join(' ') || text,
            0.7,
          ),
        )
    : [
        candidate(
          lines
            .filter(({ isMain }) => isMain)
            .map(({ text }) => text)
            .join('\n')
            .slice(0, 20_000),
          0.7,
        ),
      ]

const FOUNDED =
  /\b(?:founded|established|est\.?|since|gegründet|seit|opgericht|sinds|fondée?|depuis|fundad[ao]|desde|fondat[ao]|dal|założon[ay]|основан[ао]?)\b[^.\d]{0,25}(\d{4})(?!\d)/iu
const BORN = /\b(?:born|geboren|née?|nacid[ao]|nat[ao]|urodzon[ay])\b[^.\d]{0,40}(\d{4})(?!\d)/iu

const since =
  (pattern: RegExp): Typed =>
  ({ lines }) => {
    const years = new Set(
      lines.flatMap(({ text }) => (text.length < 600 ? [pattern.exec(text)?.[1] ?? ''] : [])).filter(Boolean),
    )
    const [year] = years
    return year !== undefined && years.size === 1 ? [candidate(year, 0.72)] : []
  }

const versioned: Typed = ({ lines, headings, isSmall }) => {
  if (!isSmall) return []
  const texts = [...headings.map(({ text }) => text), ...lines.map(({ text }) => text)].slice(0, 10)
  const version = texts
    .map((text) => /(?<![\d.])v?(\d+\.\d+(?:\.\d+){0,2}(?:-[\w.]+)?)(?![\d.])/i.exec(text)?.[1])
    .find(Boolean)
  return version ? [candidate(version, 0.78)] : []
}

const BY_CONCEPT: Readonly<Record<string, Typed>> = {
  name: title,
  jobTitle: (scope, wanted, ground) => (wanted.phrases.includes('job title') ? title(scope, wanted, ground) : []),
  founded: since(FOUNDED),
  birthDate: since(BORN),
  version: versioned,
  url: link,
  website: (scope, wanted, ground) =>
    scope.isSmall ? link(scope, wanted, ground).map((one) => ({ ...one, score: 0.65 })) : [],
  image: picture,
  email: hrefOf('mailto:'),
  phone: hrefOf('tel:'),
  price,
  listPrice,
  currency,
  inStock: stock,
  rating,
  author,
  published,
  startDate: published,
  modified,
  description,
  address: postal,
  body: wholeText,
}

/** `downloadUrl`: a link that says so, or is called so. */
function linkNamed({ elements }: Scope, { phrases }: Wanted): Candidate[] {
  const names = phrases.map((phrase) => phrase.replaceAll(' ', '')).filter((name) => name.length > 2)
  for (const { element } of elements) {
    if (element.name !== 'a' || !element.attribs.href || element.attribs.href.startsWith('#')) continue
    const said = [
      textOf(element, 60),
      element.attribs.class,
      element.attribs.id,
      element.attribs.rel,
      element.attribs.href,
    ]
      .join(' ')
      .toLowerCase()
      .replace(/[\s_-]/g, '')
    if (names.some((name) => said.includes(name)))
      return [candidate(element.attribs.href, 0.74, { href: element.attribs.href })]
  }
  return []
}

/** "Up to 10 members": a short line of a card that holds the very word. */
function mentioned({ lines }: Scope, { phrases }: Wanted): Candidate[] {
  const isIt = (text: string) => phrases.some((phrase) => phrase.length > 3 && tokensOf(text).includes(phrase))
  const line = lines.find(({ text }) => text.length <= 50 && /\d/.test(text) && isIt(text))
  return line ? [candidate(line.text, 0.66)] : []
}

const NOT =
  /\b(?:not|no|non|nicht|kein\p{L}*|never|without|ohne|sans|sin|senza|geen|niet|isn't|aren't|cannot)\b[^.]{0,12}$/iu

/** "Dishwasher safe": the page says so in the very words, or says that it is not so. */
function claimed(scope: Scope, { phrases }: Wanted): Candidate[] {
  const names = phrases
    .filter((phrase) => phrase.length > 7)
    .map((phrase) =>
      phrase
        .split(' ')
        .map((word) => `${word.replace(/e?s$/, '')}\\p{L}{0,3}`)
        .join('[\\s-]'),
    )
  if (names.length === 0) return []
  const pattern = new RegExp(`(?<!\\p{L})(?:${names.join('|')})(?!\\p{L})`, 'iu')
  const said = scope.lines.filter(({ text, isMain }) => isMain && text.length < 400 && pattern.test(text))
  const [line] = said
  if (!line || line.text.endsWith('?')) return []
  const at = pattern.exec(line.text)!.index
  return [candidate(NOT.test(line.text.slice(0, at)) ? 'no' : 'yes', 0.68)]
}

/** "2-year warranty", "14-day free trial": a number in the unit asked for, in a line that names the field. */
function measured({ lines }: Scope, { phrases, unit: given, name }: Wanted): Candidate[] {
  const unit = /percent/i.test(name) ? '(?:%|percent|per cent)' : given
  if (!unit) return []
  const word = unit.replace(/s$/, '')
  const pattern = new RegExp(`(?<![\\d.,])(\\d{1,4}(?:[.,]\\d{1,2})?)[\\s-]?${word}s?(?!\\p{L})`, 'iu')
  const values = new Set<string>()
  for (const { text } of lines) {
    if (text.length > 300 || values.size > 2) continue
    const found = pattern.exec(text)
    if (!found) continue
    const near = text.slice(Math.max(0, found.index - 60), found.index + 80).toLowerCase()
    if (phrases.some((phrase) => phrase.split(' ').every((part) => near.includes(part)))) values.add(found[1]!)
  }
  const [value] = values
  return value !== undefined && values.size === 1 ? [candidate(value, 0.74)] : []
}

const DAYS =
  /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mi[eé]|jue|vie|s[aá]b|dom|gio|maa|din|woe|don|vri|zat|zon)\p{L}*(?=$|[\s.:,–-])/iu

function weekday({ lines }: Scope): Candidate[] {
  const day = lines.map(({ text }) => DAYS.exec(text)?.[0]).find(Boolean)
  return day ? [candidate(day, 0.8)] : []
}

const NUMBER = String.raw`(\d{1,3}(?:[.,\s]\d{3})+|\d{1,9}(?:[.,]\d{1,2})?\s?[kKmM]?)`
const wordsOf = (phrase: string): string =>
  phrase
    .split(' ')
    .filter((word) => !/^(?:number|count|total|num)$/.test(word))
    .map((word) => `${word.replace(/y$/, '(?:y|ie)')}(?:s|es|n|en)?`)
    .join(String.raw`[\s-]`)

/** "3 bedrooms", "1,204 ratings": a number and the very word. */
function counted(scope: Scope, { phrases, concepts }: Wanted): Candidate[] {
  const names = [...phrases, ...(concepts[0] ? (PLAIN_WORDS[concepts[0].id] ?? []) : [])]
    .map(wordsOf)
    .filter((word) => word.length > 5)
  if (names.length === 0) return []
  const pattern = new RegExp(
    String.raw`(?<![\d.,\p{L}])${NUMBER}\+?\s(?:(?:customer|user|total|global|verified|active|full)\s)?(?:${[...new Set(names)].join('|')})(?!\p{L})`,
    'iu',
  )
  const values = new Set<string>()
  for (const { text, isMain } of scope.lines) {
    if (!isMain || text.length > 300 || values.size > 3) continue
    const found = pattern.exec(text)?.[1]
    if (found) values.add(found.trim())
  }
  const [value] = values
  return value === undefined ? [] : [candidate(value, values.size === 1 ? 0.8 : scope.isSmall ? 0.68 : 0.5)]
}

const PLAIN_WORDS: Readonly<Record<string, readonly string[]>> = {
  reviewCount: ['review', 'rating', 'bewertung', 'avis', 'recension', 'opinion', 'vote'],
  servings: ['serving', 'portion', 'personen', 'people'],
  bedrooms: ['bedroom', 'bed'],
  bathrooms: ['bathroom', 'bath'],
  views: ['view'],
  downloads: ['download'],
  employees: ['employee', 'mitarbeiter'],
  pages: ['page', 'seite'],
  calories: ['calorie', 'kcal'],
  readingTime: ['min read', 'minute read', 'min'],
}
