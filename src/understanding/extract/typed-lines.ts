// Values that a short line tells by its own words: "Joined March 2019", "Save 20%", "1–24 of 312", "Full-time", a range of pay,
// a handle. Each is looked for near the heading, or in the card it stands in.

import { flatText } from '../../content/tree.ts'
import { findMoney } from '../money.ts'
import { type Candidate, candidate, isNear, type Typed } from './candidate.ts'
import type { Ground } from './ground.ts'
import type { Scope } from './scope.ts'
import { shownAs } from './typed-small.ts'
import { conceptsOf, phrasesNaming } from './vocabulary.ts'
import type { Wanted } from './wanted.ts'
import { tokensOf } from './words.ts'

const MAX_LINE = 60
const PARTS = /\s+[|·•]\s+/u

/** A line that begins with the field's own words and goes on with a number or a date. */
export function led(scope: Scope, { phrases, concepts, kind }: Wanted): Candidate[] {
  if (/^(?:url|image|email|phone)$/.test(kind)) return []
  const asked = [...phrases, ...(concepts[0] ? phrasesNaming(concepts[0].id) : [])].filter(
    (phrase) => phrase.length > 3,
  )
  const values = new Set<string>()
  for (const { text, at, isMain } of asked.length > 0 ? scope.lines : []) {
    if (!isMain || text.length > MAX_LINE * 3 || !/\d/.test(text) || !(scope.isSmall || isNear(scope, at, 300)))
      continue
    for (const part of text.split(PARTS, 8)) {
      const found = part.length <= MAX_LINE ? LED.exec(part) : null
      if (!found || !asked.includes(tokensOf(found[1]!).join(' '))) continue
      values.add(found[2]!)
    }
  }
  // "Step 1", "Step 2" count themselves.
  const [value] = values
  return value !== undefined && values.size === 1 ? [candidate(value, 0.78)] : []
}

const LED = /^(\p{L}+(?:\s\p{L}+)??)\s((?:in\s|since\s)?(?:\p{L}{3,9}\.?\s)?\d.*)$/u

const OFF =
  /(?:save|spare|sparen sie|économisez|ahorra|you save)\s?(?:up to\s)?[^\d%]{0,14}(\d{1,2})\s?%|[-–−](\d{1,2})\s?%|(\d{1,2})\s?%\s?(?:off|rabatt|günstiger|de réduction|de descuento|di sconto|korting)/iu

export const discount: Typed = (scope) => {
  for (const { text, at, isMain } of scope.lines) {
    if (!isMain || text.length > MAX_LINE || !(scope.isSmall || isNear(scope, at))) continue
    const found = OFF.exec(text)
    const value = found?.[1] ?? found?.[2] ?? found?.[3]
    if (value) return [candidate(value, 0.74)]
  }
  return []
}

/** What stands right below the name of a person. */
export function position({ main, lines }: Scope): Candidate[] {
  const next = main && lines.find(({ at, text }) => at > main.at && text !== main.text)
  const isPosition = next && next.at < main.at + 8 && next.text.length <= MAX_LINE && !/[\d@!?]|\.$/.test(next.text)
  return isPosition ? [candidate(next.text, 0.74)] : []
}

/** "52 min" beside the date. */
export const duration: Typed = (scope) => {
  for (const { text, at, isMain } of scope.lines) {
    if (!isMain || text.length > MAX_LINE * 2 || !(scope.isSmall || isNear(scope, at, 60))) continue
    const part = text.split(PARTS, 8).find((one) => LASTS.test(one))
    if (part) return [candidate(part, 0.72)]
  }
  return []
}
const LASTS =
  /^(?:\d{1,2}\s?(?:h|hrs?|hours?|std\.?)\s?)?\d{1,3}\s?(?:min|mins|minutes|minuten)\.?$|^\d{1,2}\s?(?:h|hrs?|hours?)$/i

const EMPLOYING =
  /\b(?:employs|employing|a staff of|workforce of|beschäftigt|emploie|emplea)\s(?:about |around |over |more than |nearly |some |rund |über |plus de |más de )?(\d{1,3}(?:[.,]\d{3})+|\d{1,6})\b/iu
/** "It employs 310 people." */
export const employees: Typed = (scope) => {
  const found = new Set(
    scope.lines.flatMap(({ text }) => (text.length <= 1500 ? (EMPLOYING.exec(text)?.[1] ?? []) : [])),
  )
  return found.size === 1 ? [candidate([...found][0]!, 0.74)] : []
}

const OF_ALL =
  /(?:\d{1,6}\s?(?:[-–—]|to|bis|à|a)\s?\d{1,6})\s(?:of|von|sur|de|di|van|из)\s(?:over\s|about\s)?(\d{1,3}(?:[.,]\d{3})+|\d{1,9})(?![\d.,]*\d)/iu
const RESULTS =
  /^(?:\p{L}+\s)?(\d{1,3}(?:[.,]\d{3})+|\d{1,9})\s(?:results?|matches|items|listings|treffer|ergebnisse|résultats|annonces|resultados|risultati|resultaten)(?!\p{L})/iu

/** "1–24 of 312", "312 results". */
export const totalResults: Typed = (scope) =>
  scope.isSmall ? [] : [...shownAs(scope, OF_ALL, 0.74, 80), ...shownAs(scope, RESULTS, 0.72, 80)]

const EMPLOYMENT =
  /(?<!\p{L})(full[\s-]?time|part[\s-]?time|freelance|internship|temporary|permanent|fixed[\s-]term|contract(?=$|\s?[|·•(])|vollzeit|teilzeit|werkstudent|praktikum|temps plein|temps partiel|CDI|CDD|stage|jornada completa|media jornada|tempo pieno|part-time|voltijd|deeltijd)(?!\p{L})/iu

/** The way people are employed, in a line that says little else. */
export const employment: Typed = (scope) => {
  for (const { text, runs, at, isMain } of scope.lines) {
    if (!isMain || text.length > MAX_LINE * 2 || !(scope.isSmall || isNear(scope, at, 60))) continue
    const found = [...runs.map((run) => run.text), ...text.split(PARTS, 8)].find(
      (part) => part.length <= MAX_LINE / 2 && EMPLOYMENT.test(part),
    )
    const value = EMPLOYMENT.exec(found ?? '')?.[1]
    if (value) return [candidate(value, 0.74)]
  }
  return []
}

/** The lower or the higher end of the one range of pay that a label, a card or a line near the heading tells. */
export const payEnd =
  (which: 'low' | 'high'): Typed =>
  (scope, _, ground) => {
    const ranges = new Map(payTexts(scope).flatMap((text) => rangeIn(text, ground)))
    const [first] = ranges
    return first && ranges.size === 1 ? [candidate(which === 'low' ? first[0] : first[1], 0.76)] : []
  }

function payTexts(scope: Scope): string[] {
  const labelled = [...scope.pairs].filter(([label]) => conceptsOf(label)[0] === 'salary').flatMap(([, pairs]) => pairs)
  if (labelled.length > 0) return labelled.map(({ value }) => value)
  return scope.lines
    .filter(({ text, at, isMain }) => isMain && text.length <= MAX_LINE * 2 && (scope.isSmall || isNear(scope, at)))
    .map(({ text }) => text)
    .filter((text) => PAY.test(text))
}

const PAY =
  /\b(?:per|a|an|\/)\s?(?:year|yr|annum|hour|hr|month|week|day|jahr|monat|stunde|an|mois|heure|año|mes|hora)\b|\b(?:salary|pay|compensation|annually|yearly|hourly|gehalt|salaire|salario)\b/iu

function rangeIn(text: string, { money }: Ground): [string, string][] {
  // "€72k – 88k": the sign may stand once.
  const found = findMoney(text, money)
  const [low, high] = found
  return low && high && found.length === 2 && low.amount < high.amount ? [[low.formatted, high.formatted]] : []
}

const EMPLOYER_LINK = /\/(?:compan(?:y|ies)|employers?|firmen|unternehmen|entreprises?|empresas?|organi[sz]ations?)\//i

/** Whose job it is, on a site that lists jobs of many: "Engineer at Acme – Jobsite", or the link to the employer. */
export const employer: Typed = (scope) => {
  const { main, title = '', elements, isSmall } = scope
  if (isSmall || !main) return []
  const rest = title.startsWith(main.text) ? title.slice(main.text.length) : ''
  const named = /^\s(?:at|@|bei|chez|presso|bij)\s(.{2,60}?)(?=\s[|–—-]\s|$)/iu.exec(rest)?.[1]
  if (named) return [candidate(named, 0.84)]
  const link = elements.find(
    ({ element, at }) =>
      element.name === 'a' &&
      isNear(scope, at, 60) &&
      EMPLOYER_LINK.test(element.attribs.href ?? '') &&
      !isElsewhere(element.attribs.href!, scope),
  )
  const text = link && flatText(link.element, 80)
  return text && text.length <= 60 ? [candidate(text, 0.76)] : []
}

/** A page headed by a company in its full form is about that one, whoever made the page. */
export function incorporated({ main, isSmall }: Scope): Candidate[] {
  const name = isSmall ? undefined : INCORPORATED.exec(main?.text ?? '')?.[1]
  return name ? [candidate(name, 0.86)] : []
}
const INCORPORATED =
  /^(\p{Lu}[^,:;!?()]{1,60},?\s(?:Inc\.?|Ltd\.?|LLC|PLC|plc|Corp\.?|Corporation|GmbH|AG|SE|ASA|AS|AB|Oyj|S\.?A\.?|S\.?p\.?A\.?|N\.?V\.?|B\.?V\.?|KGaA))(?:\s\([^)]{1,20}\))?$/u

/** "@rosalind" alone in its line. */
export const handle: Typed = (scope, { phrases }) =>
  phrases.some((phrase) => /^(?:username|user name|handle|screen name|nickname)$/.test(phrase))
    ? shownAs(scope, /^@([\w.-]{2,30})$/, 0.76, 40)
    : []

const VAT =
  /(?:USt-?\s?Id(?:-?\s?Nr)?|VAT(?:\s(?:no|number|id|reg\w*))?|TVA|P\.?\s?IVA|NIF|CIF|BTW)[.:\s]{0,4}(?:nr|no|n°)?[.:\s]{0,3}([A-Z]{0,3}\s?\d[\dA-Z .]{5,14}[\dA-Z])/iu
export const vatId: Typed = (scope) => {
  const found = new Set(scope.lines.flatMap(({ text }) => (text.length <= 400 ? (VAT.exec(text)?.[1] ?? []) : [])))
  return found.size === 1 ? [candidate([...found][0]!, 0.76)] : []
}

/** Other sites have companies too. */
const isElsewhere = (href: string, { address = '' }: Scope): boolean =>
  /^(?:https?:)?\/\//i.test(href) &&
  URL.canParse(href, address) &&
  new URL(href, address).hostname !== (URL.canParse(address) ? new URL(address).hostname : '')
