// What common names mean: the words people ask with and pages label with, in several languages; where schema.org keeps the
// thing; and which <meta> tells it. One row each. Names that are not here are matched word by word.
import { NETWORKS } from './networks.ts'
import { TABLE } from './vocabulary-table.ts'
import { phraseOf } from './words.ts'

/** What sort of value it is, whatever type the schema gives it. */
export type ValueKind =
  | 'text'
  | 'money'
  | 'date'
  | 'number'
  | 'count'
  | 'url'
  | 'image'
  | 'email'
  | 'phone'
  | 'truth'
  | 'duration'
  | 'clock'

/** A line of the table. */
export interface VocabularyLine {
  id: string
  kind: ValueKind
  /** Property paths in things, best first. */
  paths: readonly string[]
  meta: readonly string[]
}

type Row = [id: string, kind: ValueKind, words: string, paths?: string, meta?: string]

const rows: Row[] = [
  ...TABLE.trim()
    .split('\n')
    .map((line) => line.split(' ; ').map((cell) => cell.trim()) as Row),
  ...Object.keys(NETWORKS).map((id): Row => [id, 'url', `${id}|${id} profile|${id} page|${id} account|social ${id}`]),
]

const byPhrase = new Map<string, string[]>()
/** Every line by its id. */
export const TERMS = new Map<string, VocabularyLine>()
const phrasesById = new Map<string, string[]>()
for (const [id, kind, words, paths = '', meta = ''] of rows) {
  TERMS.set(id, { id, kind, paths: paths.split(' ').filter(Boolean), meta: meta.split(' ').filter(Boolean) })
  const own = [...new Set(words.split('|').map(phraseOf))]
  phrasesById.set(id, own)
  for (const phrase of own) {
    byPhrase.set(phrase, [...(byPhrase.get(phrase) ?? []), id])
  }
}

/** The concepts a phrase (see words.ts) may mean, likeliest first. */
export const conceptsOf = (phrase: string): readonly string[] => byPhrase.get(phrase) ?? NONE
const NONE: readonly string[] = []

/** Every phrase that names a concept. */
export const phrasesNaming = (id: string): readonly string[] => phrasesById.get(id) ?? NONE

/** Words that name the sort of thing a page is about; before a property they say nothing more (`productName`). */
export const SUBJECTS = new Set(
  'product item article thread collection document paper report episode project app software post job recipe event book movie film page company business organization restaurant hotel listing property place course video person author profile venue vehicle car hero main primary current full actual official talk session lecture dataset trail exhibition podcast song album artwork entry record data info detail detailed general basic value'.split(
    ' ',
  ),
)

/** Things that describe the page or the site, not what the page is about. */
export const FRAME_TYPES = new Set(
  'WebPage WebSite BreadcrumbList SearchAction ImageObject SiteNavigationElement WPHeader WPFooter WPSideBar CollectionPage ItemPage AboutPage ContactPage SearchResultsPage ListItem EntryPoint ReadAction Organization Corporation NewsMediaOrganization ItemList PostalAddress ContactPoint OnlineStore Person Brand'.split(
    ' ',
  ),
)

/** Types of houses. */
export const ORGANISATION = /Organization|Corporation|Business|Store|Restaurant|School|University|Service$/
