// When a house is open: lines of days and hours, one after the other.
import type { Candidate, Rows } from '../asking.ts'
import { agreed, candidate } from '../candidate.ts'
import type { PagePart } from '../page-part.ts'

const DAY =
  /\b(?:mon|tues?|wed|thurs?|fri|sat|sun)(?:days?|nesday|urday|day)?\b|\bdaily\b|\bweekdays?\b|\bweekends?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)s?\b|\b(?:mo|di|mi|do|fr|sa|so)\.?\s?[-–]/iu
const CLOCKS =
  /\d{1,2}(?:[:.h]\d{2})?\s?(?:[ap]\.?m\.?|uhr|h)?\s?(?:[-–—]|to|bis|until|à)\s?\d{1,2}(?:[:.h]\d{2})?\s?(?:[ap]\.?m\.?|uhr|h)?/iu
/** Of lines under a heading those of days, of hours or of both, as far as they follow each other. */
function hoursAmong(text: string): string {
  const texts = text.split('\n')
  const isOne = (text: string) =>
    text.length <= 80 && !/\d{3}[-.\s]\d{4}/.test(text) && (DAY.test(text) || CLOCKS.test(text))
  const from = texts.findIndex(isOne)
  const rest = from < 0 ? [] : texts.slice(from)
  const end = rest.findIndex((text) => !isOne(text))
  return rest.slice(0, end < 0 ? undefined : end).join(', ')
}

const MAX_HOURS = 10

/** `opens`, `closes`: the hours of the day, where the page has one span of them only. */
export function clockOfDay(scope: PagePart): Candidate[] {
  const spans = hours(scope).flatMap(({ value }) =>
    String(value)
      .split(', ')
      .flatMap((line) => CLOCKS.exec(line)?.[0] ?? []),
  )
  return agreed(spans, 0.64)
}

/** "Call 01603 555 080 Mon–Fri 9–5": the hours begin with the day. */
const unled = (text: string): string => {
  const at = DAY.exec(text)?.index ?? 0
  return /\d{3}/.test(text.slice(0, at)) ? text.slice(at) : text
}

/** Lines with a day and a span of hours, one after the other. */
function hours({ lines, isSmall }: PagePart): Candidate[] {
  if (isSmall) return []
  const isHours = (text: string) =>
    text.length <= 120 && DAY.test(text) && (CLOCKS.test(text) || /closed|geschlossen/i.test(text))
  // The days and their hours may stand in two lines.
  const texts = lines.map(({ text }, n) => {
    const next = lines[n + 1]?.text ?? ''
    const isDay = text.length <= 40 && DAY.test(text) && !CLOCKS.test(text)
    return isDay && next.length <= 40 && CLOCKS.test(next) && !DAY.test(next) ? `${text} ${next}` : text
  })
  const from = texts.findIndex(
    (text) => isHours(text) && CLOCKS.test(text) && /\d\s?[ap]\.?m|\d[:.h]\d\d|\duhr|\d\suhr|\dh\b/i.test(text),
  )
  if (from < 0) return []
  const block: string[] = []
  for (let n = from; n < texts.length && block.length < MAX_HOURS; n++) {
    const text = unled(texts[n]!)
    if (!isHours(text)) break
    // "Open daily: 9–8 | (734) 555-0128": the hours end where something else begins.
    block.push(
      text
        .split(/\s+[|•·]\s+/u)
        .filter((part, k) => k === 0 || (CLOCKS.test(part) && !/\d{3}[-.\s]\d{4}/.test(part)))
        .join(' | '),
    )
    if (texts[n] !== lines[n]!.text) n += 1
  }
  return [candidate(block.join(', '), 0.68)]
}

/** A heading that is a day says on which. */
const DAY_ALONE =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|day \d{1,2})(?:$|[,\s])/iu

export const HOURS: Rows = {
  openingHours: { find: hours, under: hoursAmong, isHours: true, isLong: true, isSiteWide: true },
  day: { overItem: DAY_ALONE },
}
