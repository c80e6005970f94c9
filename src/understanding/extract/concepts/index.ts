// The table of concepts: every line of the vocabulary with its row of rules. A new concept is a line of vocabulary-table.ts and,
// where its words do not say enough, a row in the file of its idea.
import { tableOf } from '../../../base/table.ts'
import type { Concept, Rules } from '../asking.ts'
import { TERMS } from '../vocabulary.ts'
import { AUTHOR } from './author.ts'
import { CONTACT } from './contact.ts'
import { COUNTS } from './counts.ts'
import { DATES } from './dates.ts'
import { HOURS } from './hours.ts'
import { NAMING } from './naming.ts'
import { PAPERS } from './papers.ts'
import { PEOPLE } from './people.ts'
import { PLACE } from './place.ts'
import { PROFILES } from './profiles.ts'
import { RECIPE } from './recipe.ts'
import { SHOP } from './shop.ts'
import { STORY } from './story.ts'
import { WORK } from './work.ts'

export const PARTS = [
  NAMING,
  STORY,
  AUTHOR,
  PEOPLE,
  DATES,
  HOURS,
  PLACE,
  CONTACT,
  PROFILES,
  SHOP,
  WORK,
  RECIPE,
  PAPERS,
  COUNTS,
]

const rows = tableOf<Rules>(Object.assign({}, ...PARTS))
const concepts = new Map(
  [...TERMS.values()].map((term): [string, Concept] => [term.id, { ...term, rules: rows[term.id] ?? {} }]),
)

export const conceptNamed = (id: string): Concept => concepts.get(id)!

export const rulesOf = (id: string): Rules => conceptNamed(id).rules
