// The fields of a form that values without a label belong to, by their kind: a date, an e-mail address, a name.

import { ancestorsOf, type DomSnapshot, isDescendantOf } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import type { FormField, PageButton, PageControls } from './page-controls.ts'

export type UnlabelledValueKind =
  | 'date'
  | 'email'
  | 'phone'
  | 'name'
  | 'password'
  | 'user'
  | 'quantity'
  | 'suggestion'
  | 'least'
  | 'most'
  | 'entry'

interface PlaceOptions {
  snapshot: DomSnapshot
  controls: PageControls
  /** Fields to which this request has not yet assigned a value. */
  free: readonly FormField[]
  /** The free fields in the row or dialog that the request means. */
  near: readonly FormField[]
  button?: PageButton
}

interface PlacedValue {
  field: FormField
  value: string
}

const NOT_A_PERSON = /\b(user|nick|company|card|display|file|street|product|listener|project)/i

const labelled = (list: readonly FormField[], words: RegExp): FormField[] =>
  list.filter(({ labels }) => labels.some((label) => words.test(label)))

/** Undefined when the page has no field of this kind, or when several fit. */
export function assignValuesToFields(
  kind: UnlabelledValueKind,
  values: readonly string[],
  options: PlaceOptions,
): PlacedValue[] | undefined {
  if (kind === 'name') return placeNames(values, options.free)
  const fields = fieldsOfKind(kind, options)
  return fields.length === values.length ? fields.map((field, n) => ({ field, value: values[n]! })) : undefined
}

function fieldsOfKind(
  kind: UnlabelledValueKind,
  { snapshot, controls, free, near, button }: PlaceOptions,
): readonly FormField[] {
  const nearest = (isFitting: (field: FormField) => boolean) =>
    [near, free].map((list) => list.filter(isFitting)).find((list) => list.length > 0) ?? []
  switch (kind) {
    case 'email': {
      const fields = nearest((field) => field.kind === 'email')
      return fields.length > 0 ? fields : labelled(free, /\buser|\blog ?in\b|account/i)
    }
    case 'phone':
      return labelled(free, /phone|mobile|\btel/i)
    case 'user':
      // The field right before that of the password.
      return free.filter((one) => controls.fields[controls.fields.indexOf(one) + 1]?.kind === 'password')
    case 'least':
      return labelled(free, /\b(from|min|minimum|at least|over|above)\b/i)
    case 'most':
      return labelled(free, /\b(to|max|maximum|at most|under|below|up to)\b/i)
    case 'quantity': {
      const fields = labelled(near, /\b(quantity|qty|amount|how many|pieces)\b/i)
      return fields.length > 0 || !button ? fields : near.filter((field) => /^(number|stepper)$/.test(field.kind))
    }
    case 'entry': {
      // "Add Milk to the list": the one field of the form that the button belongs to.
      const list =
        ancestorsOf(snapshot, button!.element)
          .map((part) => free.filter(({ element }) => isDescendantOf(snapshot, element, part)))
          .find((inside) => inside.length > 0) ?? []
      return list.filter((field) => list.length === 1 && field.kind === 'text' && !field.element.value)
    }
    case 'suggestion':
      return free.filter(({ suggests }) => suggests)
    default: {
      const fields = nearest((field) => field.kind === kind)
      return fields.length > 1 ? fields.filter(({ labels }) => !/\boptional\b/i.test(labels.join(' '))) : fields
    }
  }
}

export const hasNameParts = (fields: readonly FormField[]): boolean =>
  labelled(fields, /\b(first|given|fore) ?name/i).length === 1 &&
  labelled(fields, /\b(last|family|sur) ?name/i).length === 1

/** A full name goes into one field, or is parted where there is one for each part. */
function placeNames(values: readonly string[], free: readonly FormField[]): PlacedValue[] | undefined {
  const named = labelled(free, /name\b/i).filter(({ labels }) => !NOT_A_PERSON.test(labels[0] ?? ''))
  const [given, ...otherGiven] = labelled(named, /first|given|fore/i)
  const [family, ...otherFamily] = labelled(named, /last|family|sur/i)
  const [first = '', ...last] = (values[0] ?? '').split(' ')
  if (given && family && values.length === 1 && otherGiven.length + otherFamily.length === 0)
    return last.length === 0
      ? undefined
      : [
          { field: given, value: first },
          { field: family, value: last.join(' ') },
        ]
  return named.length === values.length ? named.map((field, n) => ({ field, value: values[n]! })) : undefined
}
