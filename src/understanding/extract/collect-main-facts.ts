// A page's facts when nothing specific is requested: common fields, properties of its subject, and labelled values.

import { makeRecordWithoutPrototype } from '../../base/lookup-table.ts'
import { isObject } from '../../base/values.ts'
import { type ConversionContext, plainTextOfValue } from './convert-raw-value.ts'
import { makeFieldQuery } from './field-query.ts'
import { type FieldSearchScope, findValue } from './find-value.ts'
import { toCamelCase, tokenizeName } from './normalise-labels.ts'
import { ANY_SHAPE, type SchemaShape } from './schema-shape.ts'

const MAX_FACTS = 60
const MAX_CHARS = 2000
const USUAL =
  'title description author published modified image price currency availability rating brand email phone address'
/** The field was not requested, so only reliable values are returned. */
const MIN_SURE_SCORE = 0.75
const TEXT: SchemaShape = { ...ANY_SHAPE, kind: 'string', nullable: true }

export function collectMainFacts(place: FieldSearchScope, context: ConversionContext): Record<string, unknown> {
  const facts = makeRecordWithoutPrototype<unknown>()
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
    const found = findValue(makeFieldQuery(name, TEXT), place, context)
    if (found && (found.score >= MIN_SURE_SCORE || name === 'title' || name === 'description')) add(name, found.value)
  }
  const [subject] = place.things
  if (subject) {
    const types = Array.isArray(subject['@type']) ? subject['@type'] : []
    if (types.length > 0) add('type', types.join(', '))
    for (const [name, value] of Object.entries(subject))
      if (!name.startsWith('@') && !isObject(value))
        add(name, typeof value === 'number' || typeof value === 'boolean' ? value : plainTextOfValue(value))
  }
  for (const [label, values] of place.part?.labelled() ?? [])
    for (const { text, source, trust, isMain } of values)
      if (source === 'label' && trust >= (isMain ? 0.9 : 1)) add(toCamelCase(tokenizeName(label)), text)
  return facts
}
