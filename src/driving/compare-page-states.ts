// Compares snapshots from before and after a step: whether anything changed, and which error messages are new.
import { type DomSnapshot, isShown } from '../fetch/chrome/snapshot/dom-snapshot.ts'

// biome-ignore format: one field per line would be twenty lines.
const VISIBLE_FIELDS = ['ref', 'role', 'name', 'text', 'value', 'checked', 'selected', 'pressed', 'expanded', 'sort', 'invalid', 'fill',
  'cls', 'current', 'disabled'] as const

/** Everything visible as one text: snapshots with equal text show the same page. */
export function serializeVisibleState(snapshot: DomSnapshot): string {
  const parts = [snapshot.url, snapshot.title]
  for (const element of snapshot.elements) {
    if (!isShown(element)) continue
    parts.push(VISIBLE_FIELDS.map((field) => element[field]).join('|'))
  }
  return parts.join('\n')
}

/** Words on the page that were not there before. */
function newWords(before: DomSnapshot, after: DomSnapshot): string[] {
  const old = new Set(before.elements.filter(isShown).map(({ text }) => text))
  const found = after.elements
    // The rows of a table are what the page is about, whatever they say.
    .filter((element) => isShown(element) && element.text && element.tag !== 'td' && !old.has(element.text))
    .map(({ text }) => text!)
  return [...new Set(found)]
}

const COMPLAINT =
  /\b(please (?:choose|enter|select|correct|fill|pick|provide|complete|write|add|accept|agree)|required|invalid|incorrect|wrong|error|failed|must (?:be|not|have|choose|select|enter|accept|agree)|not (?:valid|allowed|found|correct|match|enough)|too (?:short|long|small|large|many|few)|cannot be|can't be|is missing|does not|doesn't|do not match|unknown|sold out|unavailable|try again)\b/i

/** Error messages that appeared after a step: new texts, and fields marked as invalid. */
export function findNewErrorMessages(before: DomSnapshot, after: DomSnapshot): string[] {
  const words = newWords(before, after).filter((text) => text.length < 160 && COMPLAINT.test(text))
  const wrong = new Set(before.elements.filter(({ invalid }) => invalid === true).map(({ ref }) => ref))
  const marked = after.elements.filter(
    (element) => isShown(element) && element.invalid === true && !wrong.has(element.ref),
  )
  return [...words, ...marked.map((element) => `${element.name ?? element.beside ?? 'a field'} is marked as wrong`)]
}
