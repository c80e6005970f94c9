// Papers, programs and words: what has a form of its own that one look tells, such as a version, an HTTP method and its path,
// the code of a course, how a word is spoken.
import type { Rows, ValueFinder } from '../asking.ts'
import { agreed, candidate, linesNear, shownAs } from '../candidate.ts'

const VERSION = /(?<![\d.\p{L}])v?(\d+\.(?:\d+|x)(?:\.(?:\d+|x)){0,2}(?:-[\w.]+)?)(?![\d.]\d|\p{L})/iu

const version: ValueFinder = ({ lines, headings, isSmall, title }, { phrases }) => {
  if (!isSmall) {
    // Lists of releases begin with the newest.
    const newest = /latest|newest|current/.test(phrases[0] ?? '')
      ? headings.flatMap(({ text, isMain }) => (isMain ? (VERSION.exec(text)?.[1] ?? []) : []))[0]
      : undefined
    if (newest) return [candidate(newest, 0.72)]
    const titled = VERSION.exec(title ?? '')?.[1]
    if (titled) return [candidate(titled, 0.66)]
    const alone = lines.filter(({ text }) => /^v(?:ersion)?\s?\d+(?:\.\w+){1,3}$/i.test(text))
    return agreed(
      alone.flatMap(({ text }) => VERSION.exec(text)?.[1] ?? []),
      0.64,
    )
  }
  const texts = [...headings.map(({ text }) => text), ...lines.map(({ text }) => text)].slice(0, 10)
  const version = texts.map((text) => VERSION.exec(text)?.[1]).find(Boolean)
  return version ? [candidate(version, 0.78)] : []
}

const TERM = /\b(?:spring|summer|fall|autumn|winter)(?:\s(?:term|semester|quarter))?,?\s20\d{2}\b/i

const METHOD = /(?:^|\s)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(?:https?:\/\/[^\s/]+)?(\/[\w{}:./-]*)/

const PATH = new RegExp(METHOD.source.replace('(GET', '(?:GET'))

const SPOKEN = /(?:^|\s)(\/[^/\s\d]{2,30}(?:\s[^/\s\d]{1,20}){0,3}\/|\[[^\]\s\d]{2,40}\])(?=$|[\s,;])/u

const PART_OF_SPEECH =
  /^[([]?((?:transitive |intransitive |proper |plural )?(?:noun|verb|adjective|adverb|pronoun|preposition|conjunction|interjection|determiner|substantiv|adjektiv|nom|verbe|adjectif|sustantivo|verbo|adjetivo))[)\].,]?$/i
const partOfSpeech: ValueFinder = (scope) => {
  for (const { runs } of linesNear(scope, Number.POSITIVE_INFINITY)) {
    const said = runs.slice(0, 8).flatMap(({ text }) => PART_OF_SPEECH.exec(text.trim())?.[1] ?? [])[0]
    if (said) return [candidate(said, 0.76)]
  }
  return []
}

const COURSE = /(?<![\p{L}\d])([A-Z]{2,5}[\s-]?\d{2,4}[A-Z]?)(?![\p{L}\d])/u
const courseCode: ValueFinder = (scope) => {
  const titled = COURSE.exec(`${scope.main?.text ?? ''} ${scope.title ?? ''}`)?.[1]
  return titled ? [candidate(titled, 0.74)] : []
}

const LICENSED = /\b(?:licen[sc]ed|released|available) under (?:the |an? )?(\p{Lu}[\w.+ -]{1,40}?)(?=[.,;)]|$)/u

export const PAPERS: Rows = {
  version: {
    find: version,
    accept: (said) => /\d/.test(said) && said.length <= 40,
    hasForm: true,
    isKnownByHead: true,
  },
  license: { find: (scope) => (scope.isSmall ? [] : shownAs(scope, LICENSED, 0.72, 300)) },
  isbn: { hasForm: true },
  doi: { take: (said) => /10\.\d{4,9}\/\S{1,100}/.exec(said)?.[0], hasForm: true },
  term: { find: (scope) => shownAs(scope, TERM, 0.7) },
  method: { find: (scope) => shownAs(scope, METHOD, 0.76) },
  path: { find: (scope) => shownAs(scope, PATH, 0.76) },
  pronunciation: { find: (scope) => shownAs(scope, SPOKEN, 0.74, 80) },
  partOfSpeech: { find: partOfSpeech },
  courseCode: { find: courseCode },
}
