// Companies and work: who employs, how many, since when, for how much and in which way.
import { flatText } from '../../../content/tree.ts'
import { findMoney } from '../../money.ts'
import type { Candidate, FieldContext, Rows, ValueFinder } from '../asking.ts'
import { agreed, candidate, isNear, linesNear, saidOnce } from '../candidate.ts'
import type { PagePart } from '../page-part.ts'
import { conceptsOf } from '../vocabulary.ts'
import { bareHouse, isInWords } from './texts.ts'

// --- companies --------------------------------------------------------------------------------------------------------

const EMPLOYER_LINK = /\/(?:compan(?:y|ies)|employers?|firmen|unternehmen|entreprises?|empresas?|organi[sz]ations?)\//i

/** Whose job it is, on a site that lists jobs of many: "Engineer at Acme – Jobsite", or the link to the employer. */
function employer(scope: PagePart): Candidate[] {
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
function incorporated({ main, isSmall }: PagePart): Candidate[] {
  const name = isSmall ? undefined : INCORPORATED.exec(main?.text ?? '')?.[1]
  return name ? [candidate(name, 0.86)] : []
}
const INCORPORATED =
  /^(\p{Lu}[^,:;!?()]{1,60},?\s(?:Inc\.?|Ltd\.?|LLC|PLC|plc|Corp\.?|Corporation|GmbH|AG|SE|ASA|AS|AB|Oyj|S\.?A\.?|S\.?p\.?A\.?|N\.?V\.?|B\.?V\.?|KGaA))(?:\s\([^)]{1,20}\))?$/u

/** Other sites have companies too. */
const isElsewhere = (href: string, { address = '' }: PagePart): boolean =>
  /^(?:https?:)?\/\//i.test(href) &&
  URL.canParse(href, address) &&
  new URL(href, address).hostname !== (URL.canParse(address) ? new URL(address).hostname : '')

const OWNER =
  /(?:©|\(c\)|copyright)\s*(?:©\s*)?(?:(?:19|20)\d{2}(?:\s?[-–]\s?(?:(?:19|20)\d{2}|present))?)?[,.]?\s*(?:by\s)?(\p{Lu}[\p{L}\p{N}&'’.\- ]{1,48}?)(?:,?\s(?:inc|llc|ltd|gmbh|corp|co)\b\.?)?(?=\s*(?:$|[|•·,.]|all rights|(?:19|20)\d{2}))/iu

const MAX_OWNER = 200

/** Whoever the line with the copyright names, when all such lines name one. */
const owner = ({ lines, isSmall }: PagePart): Candidate[] =>
  agreed(
    lines.flatMap(({ text }) => {
      const name =
        !isSmall && text.length <= MAX_OWNER && /©|\(c\)|copyright/i.test(text) ? OWNER.exec(text)?.[1] : undefined
      return name &&
        !/^(?:all|the|copyright|notice|policy|by|all rights.*|alle rechte.*|tous droits.*)$/i.test(name.trim())
        ? [name.trim().replace(/[\s\-–—|,.]+$/u, '')]
        : []
    }),
    0.65,
  )

const FOUNDED =
  /\b(?:founded|established|est\.?|gegründet|opgericht|fondée?|fundad[ao]|fondat[ao]|założon[ay]|основан[ао]?)\b[^.\d]{0,25}(\d{4})(?!\d)/iu
/** Much has been so since some year; a short line that says it speaks of the house. */
const SINCE = /\b(?:since|seit|sinds|depuis|desde|dal)\b[^.\d]{0,12}(\d{4})(?!\d)/iu
const MAX_SINCE = 120
const OWN_SINCE =
  /\b(?:serving|serv|own\p{L}*|operat\p{L}*|business|family|trusted|proud\p{L}*|open|making|made|familie\p{L}*|betrieb\p{L}*|inhaber\p{L}*)\b|©/iu

/** The year of a short sentence that says since when. */
const sentenceSince = (text: string): string | undefined =>
  text
    .split(/(?<=[.!?])\s/)
    .filter((sentence) => sentence.length <= 40 || (sentence.length <= MAX_SINCE && OWN_SINCE.test(sentence)))
    .map((sentence) => SINCE.exec(sentence)?.[1])
    .find(Boolean)

const founded: ValueFinder = ({ lines }) =>
  agreed(
    lines.flatMap(({ text }) => (text.length < 600 ? (FOUNDED.exec(text)?.[1] ?? sentenceSince(text) ?? []) : [])),
    0.72,
  )

/** "It employs 310 people." */
const EMPLOYING =
  /\b(?:employs|employing|a staff of|workforce of|beschäftigt|emploie|emplea)\s(?:about |around |over |more than |nearly |some |rund |über |plus de |más de )?(\d{1,3}(?:[.,]\d{3})+|\d{1,6})\b/iu
const VAT =
  /(?:USt-?\s?Id(?:-?\s?Nr)?|VAT(?:\s(?:no|number|id|reg\w*))?|TVA|P\.?\s?IVA|NIF|CIF|BTW)[.:\s]{0,4}(?:nr|no|n°)?[.:\s]{0,3}([A-Z]{0,3}\s?\d[\dA-Z .]{5,14}[\dA-Z])/iu

// --- jobs -------------------------------------------------------------------------------------------------------------

const MAX_LINE = 60
const PARTS = /\s+[|·•]\s+/u

const EMPLOYMENT =
  /(?<!\p{L})(full[\s-]?time|part[\s-]?time|freelance|internship|temporary|permanent|fixed[\s-]term|contract(?=$|\s?[|·•(])|vollzeit|teilzeit|werkstudent|praktikum|temps plein|temps partiel|CDI|CDD|stage|jornada completa|media jornada|tempo pieno|part-time|voltijd|deeltijd)(?!\p{L})/iu

/** The way people are employed, in a line that says little else. */
const employment: ValueFinder = (scope) => {
  for (const { text, runs } of linesNear(scope, MAX_LINE * 2, 60)) {
    const found = [...runs.map((run) => run.text), ...text.split(PARTS, 8)].find(
      (part) => part.length <= MAX_LINE / 2 && EMPLOYMENT.test(part),
    )
    const value = EMPLOYMENT.exec(found ?? '')?.[1]
    if (value) return [candidate(value, 0.74)]
  }
  return []
}

/** The lower or the higher end of the one range of pay that a label, a card or a line near the heading tells. */
const payEnd =
  (which: 'low' | 'high'): ValueFinder =>
  (scope, _, ground) => {
    const ranges = new Map(payTexts(scope).flatMap((text) => rangeIn(text, ground)))
    const [first] = ranges
    return first && ranges.size === 1 ? [candidate(which === 'low' ? first[0] : first[1], 0.76)] : []
  }

function payTexts(scope: PagePart): string[] {
  const labelled = [...scope.pairs].filter(([label]) => conceptsOf(label)[0] === 'salary').flatMap(([, pairs]) => pairs)
  if (labelled.length > 0) return labelled.map(({ value }) => value)
  return linesNear(scope, MAX_LINE * 2)
    .map(({ text }) => text)
    .filter((text) => PAY.test(text))
}

const PAY =
  /\b(?:per|a|an|\/)\s?(?:year|yr|annum|hour|hr|month|week|day|jahr|monat|stunde|an|mois|heure|año|mes|hora)\b|\b(?:salary|pay|compensation|annually|yearly|hourly|gehalt|salaire|salario)\b/iu

function rangeIn(text: string, { money }: FieldContext): [string, string][] {
  // "€72k – 88k": the sign may stand once.
  const found = findMoney(text, money)
  const [low, high] = found
  return low && high && found.length === 2 && low.amount < high.amount ? [[low.formatted, high.formatted]] : []
}

/** "$50,000 – $74,999 a year": pay, as the card writes it. */
const salary: ValueFinder = ({ headings: all, lines, isSmall }, _, { money }) => {
  if (!isSmall) return []
  const headings = new Set(all.map(({ text }) => text))
  const line = lines.find(
    ({ text, isMain }) =>
      isMain &&
      text.length <= 80 &&
      !headings.has(text) &&
      !/[-–]$/.test(text) &&
      findMoney(text, money).some(({ amount }) => amount >= 8),
  )
  return line ? [candidate(line.text, 0.7)] : []
}

export const WORK: Rows = {
  company: {
    find: (scope) => [...incorporated(scope), ...employer(scope), ...owner(scope)],
    accept: isInWords,
    clean: bareHouse,
    isMaker: true,
    isOfAnything: true,
  },
  publisher: { accept: isInWords, clean: bareHouse, isOfAnyPage: true, isOfAnything: true },
  founded: { find: founded },
  employees: {
    find: (scope) => saidOnce(scope, EMPLOYING, 0.74, 1500),
    countedAs: ['employee', 'mitarbeiter'],
    countedNotAfter: '<–-',
  },
  vatId: {
    find: (scope) => saidOnce(scope, VAT, 0.76, 400),
    take: (said) => /(?<![\p{L}\d])[A-Z]{0,3}\s?\d[\dA-Z .]{5,13}[\dA-Z](?![\p{L}\d])/u.exec(said)?.[0].trim(),
  },
  employmentType: { find: employment },
  salary: { find: salary, hasForm: true },
  salaryMin: { find: payEnd('low') },
  salaryMax: { find: payEnd('high') },
  responsibilities: { isLong: true, isSplitByLine: true },
  qualifications: { isLong: true, isSplitByLine: true },
  benefits: { isLong: true, isSplitByLine: true },
}
