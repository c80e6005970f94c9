// The table of field names (field-names.json): labels of common fields in 14 languages, the kind of their values, and
// their schema.org and <meta> properties.
import { once } from '../../base/values.ts'
import { stemText } from '../passages/stem-terms.ts'
import table from './field-names.json' with { type: 'json' }
import { toComparablePhrase } from './normalise-labels.ts'

type TextKind = 'text' | 'title' | 'long' | 'person' | 'org' | 'address' | 'code' | 'stock' | 'hours'
type NumberKind = 'money' | 'currency' | 'date' | 'year' | 'time' | 'number' | 'count' | 'duration' | 'truth'
export type ValueKind = TextKind | NumberKind | 'url' | 'image' | 'email' | 'phone' | 'crumbs' | 'headings'

export interface FieldTerm {
  id: string
  kind: ValueKind
  /** Holds for the whole site, so it may be outside the main content. */
  isSiteWide: boolean
  isList: boolean
  /** Property paths in structured data, best first. */
  paths: readonly string[]
  meta: readonly string[]
  phrases: readonly string[]
}

interface Row {
  id: string
  kind: string
  site?: boolean
  many?: boolean
  paths?: string[]
  meta?: string[]
  labels: string[]
}

/** Synonyms of single words in names and labels, as stems. */
const synonyms = once(() => {
  const known = new Map<string, Set<string>>()
  for (const line of table.synonyms) {
    const stems = line.split(' ').flatMap((word) => stemText(word))
    for (const one of stems) known.set(one, new Set([...(known.get(one) ?? []), ...stems]))
  }
  return known
})

/** Whether two stems (passages/stem-terms.ts) mean the same in a name or label. */
export const areSynonyms = (one: string, other: string): boolean =>
  one === other || synonyms().get(one)?.has(other) === true

const terms = once(() => {
  const byId = new Map<string, FieldTerm>()
  const byPhrase = new Map<string, FieldTerm[]>()
  for (const { id, kind, site, many, paths = [], meta = [], labels } of table.terms as Row[]) {
    const words = labels.flatMap((label) => label.split('|'))
    const phrases = [...new Set([...words, ...words.map(spelledOut)].map(toComparablePhrase))]
    const term = { id, kind: kind as ValueKind, isSiteWide: site === true, isList: many === true, paths, meta, phrases }
    byId.set(id, term)
    for (const phrase of [toComparablePhrase(id), ...phrases]) {
      const known = byPhrase.get(phrase)
      if (!known) byPhrase.set(phrase, [term])
      else if (!known.includes(term)) known.push(term)
    }
  }
  return { byId, byPhrase }
})

const subjects = once(() => {
  const types = new Map<string, string[]>()
  for (const { type, words } of table.subjects)
    for (const phrase of words.split(' ').map(toComparablePhrase))
      types.set(phrase, [...(types.get(phrase) ?? []), type])
  return types
})

/** Types by the fields that only things of this type have. */
const typesByTerm = new Map(
  table.subjects.flatMap(({ type, fields = [] }: { type: string; fields?: string[] }) =>
    fields.map((id) => [id, type] as const),
  ),
)

/** The schema.org type whose field a label names: JobPosting of "Salary". */
export const typesOfLabel = (phrase: string): readonly string[] => {
  const type = typesByTerm.get(findTermsByPhrase(phrase)[0]?.id ?? '')
  return type ? [type] : []
}

/** The schema.org types that a word names: `recipe`, `Rezept`. */
export const schemaOrgTypesOfWord = (word: string): readonly string[] => subjects().get(word) ?? []

/** Umlauts as field names spell them: `praesident`. */
function spelledOut(label: string): string {
  return label.replace(/[äöü]/g, (letter) => `${letter === 'ä' ? 'a' : letter === 'ö' ? 'o' : 'u'}e`)
}

export const findTermById = (id: string): FieldTerm => terms().byId.get(id)!

/** The terms that a phrase (normalise-labels.ts) may name, most likely first. */
export const findTermsByPhrase = (phrase: string): readonly FieldTerm[] => terms().byPhrase.get(phrase) ?? []
