// What is counted: views, replies, results, pages, years and minutes.
import type { Rows, ValueFinder } from '../asking.ts'
import { candidate, linesNear, shownAs } from '../candidate.ts'

const OF_ALL =
  /(?:\d{1,6}\s?(?:[-–—]|to|bis|à|a)\s?\d{1,6})\s(?:of|von|sur|de|di|van|из)\s(?:over\s|about\s)?(\d{1,3}(?:[.,]\d{3})+|\d{1,9})(?![\d.,]*\d)/iu
const RESULTS =
  /^(?:\p{L}+\s)?(\d{1,3}(?:[.,]\d{3})+|\d{1,9})\s(?:results?|matches|items|listings|treffer|ergebnisse|résultats|annonces|resultados|risultati|resultaten)(?!\p{L})/iu

/** "52 min" beside the date. */
const duration: ValueFinder = (scope) => {
  for (const { text } of linesNear(scope, 120, 60)) {
    const part = text.split(/\s+[|·•]\s+/u, 8).find((one) => LASTS.test(one))
    if (part) return [candidate(part, 0.72)]
  }
  return []
}
const LASTS =
  /^(?:\d{1,2}\s?(?:h|hrs?|hours?|std\.?)\s?)?\d{1,3}\s?(?:min|mins|minutes|minuten)\.?$|^\d{1,2}\s?(?:h|hrs?|hours?)$/i

const YEAR = /(?:^|\s[·•|]\s|\()((?:19|20)\d{2})(?=$|\s[·•|]|\))/u
const VIEWED = /\bviewed\s(\d[\d.,]*\s?[kKmM]?)\s(?:times|x)\b/i

export const COUNTS: Rows = {
  totalResults: {
    // "1–24 of 312", "312 results".
    find: (scope) => (scope.isSmall ? [] : [...shownAs(scope, OF_ALL, 0.74, 80), ...shownAs(scope, RESULTS, 0.72, 80)]),
    // A list of none is one that is drawn later.
    emptyAtZero: 'anywhere',
  },
  views: {
    find: (scope) => shownAs(scope, VIEWED, 0.76, 60),
    countedAs: ['view'],
    counter: /view|watch|read(?!er)/i,
  },
  downloads: { countedAs: ['download'], counter: /download|install/i },
  replies: { counter: /repl|comment/i },
  likes: { counter: /(?<!dis)like|endorse/i },
  subscribers: { counter: /subscribe|follow/i },
  pages: { countedAs: ['page', 'seite'] },
  readingTime: {
    countedAs: ['min read', 'minute read', 'minute of reading', 'minute to read', 'min de lecture', 'min lesezeit'],
  },
  duration: { find: duration },
  year: { find: (scope) => (scope.isSmall ? shownAs(scope, YEAR, 0.72, 80) : []) },
}
