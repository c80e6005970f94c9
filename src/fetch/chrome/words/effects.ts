// What an act changed on a page, by comparing two looks: anything at all, words that are new, and complaints. Pure.
import { isShown, type Scene } from './scene.ts'

/** Everything that is shown, as one text: two looks with the same text show the same. */
export function digest(scene: Scene): string {
  const parts = [scene.url]
  for (const thing of scene.things) {
    if (!isShown(thing)) continue
    const {
      role,
      name,
      text,
      value,
      checked,
      selected,
      pressed,
      expanded,
      sort,
      invalid,
      fill,
      cls,
      current,
      disabled,
    } = thing
    parts.push(
      [
        thing.ref,
        role,
        name,
        text,
        value,
        checked,
        selected,
        pressed,
        expanded,
        sort,
        invalid,
        fill,
        cls,
        current,
        disabled,
      ].join('|'),
    )
  }
  return parts.join('\n')
}

/** Words on the page that were not there before. */
export function newWords(before: Scene, after: Scene): string[] {
  const old = new Set(before.things.filter(isShown).map(({ text }) => text))
  const found = after.things
    .filter((thing) => isShown(thing) && thing.text && !old.has(thing.text))
    .map(({ text }) => text!)
  return [...new Set(found)]
}

const COMPLAINT =
  /\b(please (?:choose|enter|select|correct|fill|pick|provide|complete|check|write|add|accept|agree|confirm|try)|required|invalid|incorrect|wrong|error|failed|must (?:be|not|have|choose|select|enter|accept|agree)|not (?:valid|allowed|found|correct|match|enough)|too (?:short|long|small|large|many|few)|cannot be|can't be|is missing|does not|doesn't|do not match|unknown|sold out|unavailable|try again)\b/i

/** What the page finds wrong after an act: new words of complaint, and fields that it marks. */
export function complaints(before: Scene, after: Scene): string[] {
  const words = newWords(before, after).filter((text) => text.length < 160 && COMPLAINT.test(text))
  const wrong = new Set(before.things.filter(({ invalid }) => invalid === true).map(({ ref }) => ref))
  const marked = after.things.filter((thing) => isShown(thing) && thing.invalid === true && !wrong.has(thing.ref))
  return [...words, ...marked.map((thing) => `${thing.name ?? thing.beside ?? 'a field'} is marked as wrong`)]
}
