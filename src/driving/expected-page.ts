// The page that a recording ended on, by path, fragment and heading, so that a run that ends elsewhere can be detected.
import { valueOr } from '../base/attempt.ts'
import { type DomSnapshot, isShown, textOfElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { foldText } from './match-label-words.ts'

export interface ExpectedPage {
  /** Path and fragment; `*` stands for a part that differs from run to run. */
  path: string
  /** First heading of the page, else its title. */
  heading?: string | undefined
}

const MAX_PATH = 1000
const MAX_HEADING = 200
/** Ids, dates and tokens. */
const VOLATILE = /\d{3}|^[0-9a-f]{8}-|^\w{16,}$/i

export function describePage(snapshot: DomSnapshot): ExpectedPage {
  const heading = headingOf(snapshot)
  return {
    path: pathOf(snapshot.url)
      .replace(/[^/#]+/g, (part) => (VOLATILE.test(part) ? '*' : part))
      .slice(0, MAX_PATH),
    ...(heading ? { heading } : {}),
  }
}

const headingOf = (snapshot: DomSnapshot): string => {
  const heading = snapshot.elements.find((one) => one.level === 1 && isShown(one))
  return ((heading && textOfElement(snapshot, heading, MAX_HEADING)) || snapshot.title).trim().slice(0, MAX_HEADING)
}

/** Without queries, also that of a fragment; a fragment that holds values has no route. */
function pathOf(address: string): string {
  const { pathname, hash } = new URL(address)
  const [route = ''] = hash.split('?')
  const path = pathname + (/[=&]/.test(route) ? '' : route)
  return valueOr(path, () => decodeURI(path))
}

/** The recorded value of a parameter, and that of this run. */
type ChangedValue = readonly [recorded: string, now: string]

export function comparePage(
  expected: ExpectedPage,
  snapshot: DomSnapshot,
  changed: readonly ChangedValue[],
): { isSamePath: boolean; isSameHeading: boolean } {
  const parts = (path: string) => path.split(/[/#]/).filter(Boolean)
  const [wanted, found] = [parts(expected.path), parts(pathOf(snapshot.url))]
  const isSamePart = (part: string, at: number) =>
    part === '*' || isAlike(part, found[at]!, changed, NO_LETTER_OR_DIGIT)
  return {
    isSamePath: wanted.length === found.length && wanted.every(isSamePart),
    // Counts in a heading differ from run to run.
    isSameHeading: isAlike(expected.heading ?? '', headingOf(snapshot), changed, NO_LETTER),
  }
}

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu
const NO_LETTER = /[^\p{L}]+/gu

function isAlike(wanted: string, found: string, changed: readonly ChangedValue[], ignored: RegExp): boolean {
  const foldPageText = (text: string) => foldText(text).replace(ignored, '')
  const filled = changed.reduce((text, [recorded, now]) => {
    const old = foldPageText(recorded)
    return old ? text.replaceAll(old, foldPageText(now)) : text
  }, foldPageText(wanted))
  return filled === foldPageText(found) || foldPageText(wanted) === foldPageText(found)
}
