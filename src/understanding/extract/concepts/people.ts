// What somebody is, and when somebody lived.
import { dateRangeIn } from '../../values/date-ranges.ts'
import type { Candidate, Rows, ValueFinder } from '../asking.ts'
import { candidate, isNear, saidOnce, shownAs } from '../candidate.ts'
import type { PagePart } from '../page-part.ts'
import { isPerson } from '../person.ts'
import { title } from './naming.ts'

const MAX_POSITION = 60

/** What stands right below the name of a person. */
function position({ main, lines }: PagePart): Candidate[] {
  const next = main && lines.find(({ at, text }) => at > main.at && text !== main.text)
  const isPosition = next && next.at < main.at + 8 && next.text.length <= MAX_POSITION && !/[\d@!?]|\.$/.test(next.text)
  return isPosition ? [candidate(next.text, 0.74)] : []
}

const TAUGHT_BY = /^(?:with|led by|taught by|mit|avec|con)\s(\p{Lu}[\p{L}.'’-]+(?:\s\p{Lu}[\p{L}.'’-]+){1,3})$/u

const BORN = /\b(?:born|geboren|née?|nacid[ao]|nat[ao]|urodzon[ay])\b[^.\d]{0,40}(\d{4})(?!\d)/iu

const LIFE = 10

/** "June 3, 1941 – February 21, 2026" right below a name: a span of so many years is a life. */
const lifeEnd =
  (which: 'from' | 'to'): ValueFinder =>
  (scope, _, { language }) => {
    if (scope.isSmall) return []
    const spans = scope.lines
      .filter(({ text, at }) => text.length <= 80 && /\d{4}/.test(text) && isNear(scope, at, 40))
      .flatMap(({ text }) => dateRangeIn(text, language) ?? [])
      .filter(({ from, to }) => Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > LIFE)
    return spans[0] ? [candidate(spans[0][which], 0.76)] : []
  }

/** The name that heads the page, and a number after it. */
const age: ValueFinder = ({ main, lines, isSmall }) => {
  if (isSmall || !main) return []
  const line = lines.find(({ text, at }) => at > main.at && text.startsWith(`${main.text}, `))
  const years =
    line && /^, (?:aged? )?(\d{1,3})(?:,|\s(?:years|of|from)\b)/.exec(line.text.slice(main.text.length))?.[1]
  return years ? [candidate(years, 0.78)] : []
}

export const PEOPLE: Rows = {
  instructor: { find: (scope) => (scope.isSmall ? shownAs(scope, TAUGHT_BY, 0.74, 60) : []) },
  jobTitle: {
    find: (scope, wanted) => {
      if (!scope.isSmall && scope.main && isPerson(scope.main.text)) return position(scope)
      return wanted.phrases.includes('job title') ? title(scope) : []
    },
    isOfAnything: true,
    isTitle: true,
  },
  age: { find: age },
  birthDate: {
    find: (scope, wanted, ground) => [...saidOnce(scope, BORN, 0.72, 599), ...lifeEnd('from')(scope, wanted, ground)],
  },
  deathDate: { find: lifeEnd('to') },
}
