// Proposes ways to a yes-or-no that a page shows by a sign: a badge, a class or an icon that is there or is not.
import { collapseSpaces } from '../../content/parse-tree.ts'
import { classesOf, type PageIndex, type Scope, wholePage } from './index-page.ts'
import type { Way } from './program-types.ts'
import { escapeName, hasWordsOf, isHashed } from './propose-ways.ts'
import { squeezeText } from './squeeze-text.ts'

interface SignLesson {
  page: PageIndex
  taught: unknown
  scope?: Scope
  /** Records of the page, taught ones among them. */
  siblings?: readonly Scope[]
}

const MAX_ELEMENTS = 400
const MAX_SIBLINGS = 40
const MAX_TEXT = 30
const NAMED_ATTRIBUTES = ['alt', 'title', 'aria-label', 'data-status', 'data-state']
const NAMED = 0.15

/**
 * Signs of all lessons of one answer and of none of the other. Where only one answer was taught, signs with the words of
 * the field's name; of records, they may be those of other records.
 */
export function proposeSignWays(lessons: readonly SignLesson[], name: string, values: ReadonlySet<string>): Way[] {
  const signs = lessons.map(({ page, scope }) => signsIn(page, scope, values))
  const [{ page, siblings = [] }] = lessons as [SignLesson]
  const others = siblings
    .filter((one) => !lessons.some(({ scope }) => scope === one))
    .slice(0, MAX_SIBLINGS)
    .map((one) => signsIn(page, one, values))
  const withAnswer = (answer: boolean) => signs.filter((_, n) => lessons[n]!.taught === answer)
  return [true, false].flatMap((answer) => {
    const [has, hasNot] = [withAnswer(answer), withAnswer(!answer)]
    const from = has.length > 0 ? has.slice(0, 1) : others
    const found = new Map(from.flatMap((some) => [...some]))
    return [...found.values()].flatMap(({ key, way, words }): Way[] => {
      if (!has.every((some) => some.has(key)) || hasNot.some((some) => some.has(key))) return []
      const isNamed = hasWordsOf(name, words)
      if (!isNamed && (has.length === 0 || hasNot.length === 0)) return []
      // What only the taught record says is no sign.
      if (others.length > 3 && !others.some((some) => some.has(key))) return []
      const trust = (way.label === undefined ? 0.62 : 0.7) + (isNamed ? NAMED : 0)
      return [{ ...way, take: answer ? 'present' : 'absent', trust }]
    })
  })
}

type Sign = { key: string; way: Way; words: string }

/** Classes, short texts and names of pictures. */
function signsIn(page: PageIndex, scope: Scope = wholePage(page), values: ReadonlySet<string>): Map<string, Sign> {
  const signs = new Map<string, Sign>()
  const add = (way: Way, words: string) => {
    const key = way.css ?? `"${way.label}`
    if (!signs.has(key)) signs.set(key, { key, way, words })
  }
  for (let index = scope.first; index < Math.min(scope.end, scope.first + MAX_ELEMENTS); index++) {
    const { name, attribs } = page.elements[index]!
    const self = index === scope.owner && scope.css !== undefined ? ':scope' : name
    for (const one of classesOf(attribs.class)) if (!isHashed(one)) add({ css: `${self}.${escapeName(one)}` }, one)
    for (const attribute of NAMED_ATTRIBUTES) {
      const value = attribs[attribute]
      if (value && value.length <= MAX_TEXT && !/["\\\n\d]/.test(value))
        add({ css: `${self}[${attribute}="${value}"]` }, value)
    }
  }
  for (let run = page.runAfter(scope.from); run < page.runs.length && page.runs[run]!.from < scope.to; run++) {
    const text = collapseSpaces(page.text.slice(page.runs[run]!.from, page.runs[run]!.to))
    if (text.length <= MAX_TEXT && /\p{L}{2}/u.test(text) && !values.has(squeezeText(text))) add({ label: text }, text)
  }
  return signs
}
