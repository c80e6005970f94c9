// What stands under a heading that names a field: its text, or the items of its list.
import type { AnyNode, Element } from 'domhandler'
import { collapse, elementChildren, findElement, isElement, nodeAfter, textOf } from '../tree.ts'
import type { Heading, Scope } from './scope.ts'
import { conceptsOf } from './vocabulary.ts'
import type { Wanted } from './wanted.ts'
import { labelPhrase } from './words.ts'

const MAX_TEXT = 2000
const MAX_ITEMS = 500

/** The heading that carries the field's name or one that means the same. */
export function headingOf(scope: Scope, { phrases, concepts }: Wanted): Heading | undefined {
  const id = concepts[0]?.id
  const matches = scope.headings.filter(({ text, level }) => {
    if (level === 1 || text.length > 60) return false
    const phrase = labelPhrase(text)
    return phrases.includes(phrase) || (id !== undefined && id !== 'name' && conceptsOf(phrase)[0] === id)
  })
  return matches.find(({ isMain }) => isMain) ?? matches[0]
}

export function sectionText(scope: Scope, wanted: Wanted): string | undefined {
  const heading = headingOf(scope, wanted)
  if (!heading) return undefined
  const next = scope.headings.find(({ at, level }) => at > heading.at && level <= heading.level)
  const end = next?.at ?? Number.POSITIVE_INFINITY
  const pieces: string[] = []
  let chars = 0
  for (const { text, at, isMain } of scope.lines) {
    if (at <= heading.at || at >= end || text === heading.text) continue
    if (isMain !== heading.isMain) break
    pieces.push(text)
    chars += text.length
    if (chars > MAX_TEXT) break
  }
  const text = pieces.join('\n').slice(0, MAX_TEXT)
  return text === '' ? undefined : text
}

/** The first list after the heading, before the next one. */
export function listUnder(heading: Heading, root: AnyNode): string[] | undefined {
  let node: AnyNode | null = nodeAfter(heading.element, root)
  for (let steps = 0; node && steps < 12; steps++) {
    if (isElement(node)) {
      if (/^h[1-6]$/.test(node.name) && Number(node.name[1]) <= heading.level) return undefined
      const list: Element | undefined = node.name === 'ul' || node.name === 'ol' ? node : undefined
      if (list) return itemsOf(list)
      const inner = findElement(node, ({ name }) => name === 'ul' || name === 'ol', 200)
      if (inner) return itemsOf(inner)
    }
    node = nodeAfter(node, root)
  }
  return undefined
}

export function itemsOf(list: Element): string[] | undefined {
  const items = elementChildren(list)
    .filter(({ name }) => name === 'li')
    .slice(0, MAX_ITEMS)
    .map((item) => collapse(textOf(item, 1000)))
    .filter(Boolean)
  return items.length > 0 ? items : undefined
}
