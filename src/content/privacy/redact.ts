// A text → the same without what is personal or secret. Detectors run over a view of the text, their findings are settled,
// and each is replaced. Linear in the text; the lists are loaded by whoever opens a redactor.
import { emails, type IsPossible, phones } from './contact.ts'
import { financial } from './financial.ts'
import { type Entity, type Finding, settled, type View } from './finding.ts'
import { type Gazetteer, openGazetteer } from './gazetteer.ts'
import { people } from './people.ts'
import { places } from './places.ts'
import { secrets } from './secrets.ts'
import { type TextKind, viewOf } from './view.ts'
import type { RedactWish } from './wish.ts'

export interface Redactor {
  find(text: string, kind: TextKind, wish: RedactWish): Finding[]
  redact(text: string, kind: TextKind, wish: RedactWish): string
}

/** Loads the lists; worth keeping for the next text. */
export async function openRedactor(): Promise<Redactor> {
  const [gazetteer, { parsePhoneNumberFromString }] = await Promise.all([
    openGazetteer(),
    import('libphonenumber-js/min'),
  ])
  const isPossible: IsPossible = (number) => parsePhoneNumberFromString(number)?.isPossible() ?? false
  const find: Redactor['find'] = (text, kind, wish) => findAll(viewOf(text, kind), wish, gazetteer, isPossible)
  return {
    find,
    redact: (text, kind, wish) => replaced(text, find(text, kind, wish), kind, wish.replaceStyle),
  }
}

/** In order of certainty: where two overlap, the earlier one names the whole. */
function findAll(view: View, { mode, entities }: RedactWish, gazetteer: Gazetteer, isPossible: IsPossible): Finding[] {
  const wanted = new Set(entities)
  const detectors: readonly (readonly [Entity, () => Finding[]])[] = [
    ['SECRET', () => secrets(view, mode)],
    ['EMAIL', () => emails(view)],
    ['FINANCIAL', () => financial(view)],
    ['PHONE', () => phones(view, mode, isPossible)],
    ['LOCATION', () => places(view, gazetteer, mode)],
    ['PERSON', () => people(view, gazetteer, mode)],
  ]
  return settled(detectors.flatMap(([entity, detect]) => (wanted.has(entity) ? detect() : [])))
}

function replaced(
  text: string,
  findings: readonly Finding[],
  kind: TextKind,
  style: RedactWish['replaceStyle'],
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
