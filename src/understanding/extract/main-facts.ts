// A page's facts when nothing specific is requested: common fields, properties of its subject, and labelled values.

import { emptyRecord } from '../../base/lookup-table.ts'
import { isObject } from '../../base/values.ts'
import { fieldOf } from './field.ts'
import { findValue, type Place } from './find-value.ts'
import { plain, type ReadContext } from './read-value.ts'
import { ANYTHING, type Shape } from './schema-shape.ts'
import { camel, tokensOf } from './words.ts'

const MAX_FACTS = 60
const MAX_CHARS = 2000
const USUAL =
  'title description author published modified image price currency availability rating brand email phone address'
/** The field was not requested, so only reliable values are returned. */
const SURE = 0.75
const TEXT: Shape = { ...ANYTHING, kind: 'string', nullable: true }

export function mainFacts(place: Place, context: ReadContext): Record<string, unknown> {
  const facts = emptyRecord<unknown>()
  const add = (name: string, value: unknown) => {
    if (
      value === undefined ||
      value === '' ||
      name === '' ||
      Object.keys(facts).length >= MAX_FACTS ||
      Object.hasOwn(facts, name)
    )
      return
    facts[name] = typeof value === 'string' ? value.slice(0, MAX_CHARS) : value
  }
  for (const name of USUAL.split(' ')) {
    const found = findValue(fieldOf(name, TEXT), place, context)
    if (found && (found.score >= SURE || name === 'title' || name === 'description')) add(name, found.value)
  }
  const [subject] = place.things
  if (subject) {
    const types = Array.isArray(subject['@type']) ? subject['@type'] : []
    if (types.length > 0) add('type', types.join(', '))
    for (const [name, value] of Object.entries(subject))
      if (!name.startsWith('@') && !isObject(value))
        add(name, typeof value === 'number' || typeof value === 'boolean' ? value : plain(value))
  }
  for (const [label, values] of place.part?.labelled() ?? [])
    for (const { text, source, trust, isMain } of values)
      if (source === 'label' && trust >= (isMain ? 0.9 : 1)) add(camel(tokensOf(label)), text)
  return facts
}
