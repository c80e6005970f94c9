// Removes personal and secret data from text: runs detectors on a view, resolves overlaps and replaces the findings.
// Linear in the text.
import { emails, type IsPossible, phones } from './contact.ts'
import { financial } from './financial.ts'
import { type Entity, type PrivacyFinding, type View, withoutOverlaps } from './finding.ts'
import { type Gazetteer, openGazetteer } from './gazetteer.ts'
import { familyNames, standingAlone } from './lone-family-names.ts'
import { nationalNumbers } from './national.ts'
import type { RedactOptions } from './options.ts'
import { people } from './people.ts'
import { places } from './places.ts'
import { secrets } from './secrets.ts'
import { type TextKind, viewOf } from './text-views.ts'

export interface Redactor {
  find(text: string, kind: TextKind, options: RedactOptions): PrivacyFinding[]
  /** `names`: family names from other texts of the document; those of this text are added. */
  redact(text: string, kind: TextKind, options: RedactOptions, names?: Set<string>): string
  names(text: string, kind: TextKind, options: RedactOptions): string[]
}

/** Loads the lists; reuse the redactor. */
export async function openRedactor(): Promise<Redactor> {
  const [gazetteer, { parsePhoneNumberFromString }] = await Promise.all([
    openGazetteer(),
    import('libphonenumber-js/min'),
  ])
  const isPossible: IsPossible = (number) => parsePhoneNumberFromString(number)?.isPossible() ?? false
  const find: Redactor['find'] = (text, kind, options) => findAll(viewOf(text, kind), options, gazetteer, isPossible)
  return {
    find,
    redact(text, kind, options, names = new Set()) {
      const view = viewOf(text, kind)
      const findings = findAll(view, options, gazetteer, isPossible)
      for (const name of familyNames(view, findings, gazetteer)) names.add(name)
      const alone = options.entities.includes('PERSON') ? standingAlone(view, names) : []
      return replaced(text, withoutOverlaps([...findings, ...alone]), kind, options.replaceStyle)
    },
    names(text, kind, options) {
      const view = viewOf(text, kind)
      return familyNames(view, people(view, gazetteer, options.mode), gazetteer)
    },
  }
}

/** In order of certainty: of overlapping findings, the earlier one decides the entity. */
function findAll(
  view: View,
  { mode, entities }: RedactOptions,
  gazetteer: Gazetteer,
  isPossible: IsPossible,
): PrivacyFinding[] {
  const wanted = new Set(entities)
  const detectors: readonly (readonly [Entity, () => PrivacyFinding[]])[] = [
    ['SECRET', () => secrets(view, mode)],
    ['EMAIL', () => emails(view)],
    ['FINANCIAL', () => financial(view)],
    ['SECRET', () => nationalNumbers(view)],
    ['PHONE', () => phones(view, mode, isPossible)],
    ['LOCATION', () => places(view, gazetteer, mode)],
    ['PERSON', () => people(view, gazetteer, mode)],
  ]
  return withoutOverlaps(detectors.flatMap(([entity, detect]) => (wanted.has(entity) ? detect() : [])))
}

function replaced(
  text: string,
  findings: readonly PrivacyFinding[],
  kind: TextKind,
  style: RedactOptions['replaceStyle'],
): string {
  const out: string[] = []
  let at = 0
  for (const { start, end, entity } of findings) {
    out.push(text.slice(at, start))
    if (style === 'mask') out.push('*'.repeat(end - start))
    else if (style === 'tag') out.push(kind === 'html' ? `&lt;${entity}&gt;` : `<${entity}>`)
    at = style === 'remove' && text[start - 1] === ' ' && text[end] === ' ' ? end + 1 : end
  }
  out.push(text.slice(at))
  return out.join('')
}
