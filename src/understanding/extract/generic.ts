// What a page says, when nobody said what is wanted: title, description, the main properties of what it is about, and its
// labelled values, as one flat object.

import type { FieldContext } from './asking.ts'
import { type ExtractPageContext, type Places, scalarFor } from './places.ts'
import { ANYTHING, type Shape } from './shape.ts'
import { isData, subjectsOf } from './things.ts'
import { plain } from './value-for.ts'
import { camel, tokensOf } from './words.ts'

const MAX_FACTS = 60
const MAX_CHARS = 2000
const USUAL =
  'title description author published modified image price currency availability rating brand email phone address'

export function mainFacts(
  place: Omit<Places, 'data'> & { page: ExtractPageContext },
  ground: FieldContext,
): Record<string, unknown> {
  const facts: Record<string, unknown> = {}
  const add = (name: string, value: unknown) => {
    if (
      value !== undefined &&
      value !== '' &&
      Object.keys(facts).length < MAX_FACTS &&
      !Object.hasOwn(facts, name) &&
      name !== '__proto__'
    )
      facts[name] = typeof value === 'string' ? value.slice(0, MAX_CHARS) : value
  }
  const fields = USUAL.split(' ').map((name) => ({ name, isRequired: false, shape: { ...TEXT } }))
  const data = subjectsOf(place.page.facts.things, { ...TEXT, kind: 'object', fields }, place.page.titles, ground)
  for (const { name, shape } of fields) {
    const found = scalarFor({ ...place, data }, ground.wanted(name, shape), ground)
    // Nobody asked for it by name: only what is quite sure is told.
    if (found && (found.score >= 0.75 || name === 'title' || name === 'description')) add(name, found.value)
  }
  const [subject] = data
  if (subject) {
    const types = Array.isArray(subject['@type']) ? subject['@type'] : []
    if (types.length > 0) add('type', types.join(', '))
    for (const [name, value] of Object.entries(subject))
      if (!name.startsWith('@') && !isData(value))
        add(name, typeof value === 'number' || typeof value === 'boolean' ? value : plain(value))
  }
  const pairs = [...(place.scope?.pairs.values() ?? [])]
    .flat()
    .filter(({ isMain, trust }) => trust >= (isMain ? 0.9 : 1))
  for (const { label, value } of pairs.sort((a, b) => a.at - b.at)) add(camel(tokensOf(label)), value)
  return facts
}

const TEXT: Shape = { ...ANYTHING, kind: 'string', nullable: true }
