// Indents JSON for reading; invalid JSON is kept unchanged.
import { valueOr } from '../../base/attempt.ts'
import { makeCodeDocument } from './build-html-tree.ts'
import type { MediaTypeReader } from './reader.ts'

// Larger bodies stay unchanged, since indenting triples their size.
const MAX_INDENTED_CHARS = 5_000_000
/** Deep nesting is mostly indentation: 200 kB could become 40 MB. Ordinary JSON triples. */
const MAX_GROWTH = 8

export const jsonReader: MediaTypeReader = {
  name: 'json',
  reads: (type) => /[/+]json$/.test(type),
  read(text) {
    return { tree: makeCodeDocument(pretty(text), 'json'), warnings: [] }
  },
}

function indentedLength(text: string): number {
  let depth = 0
  let length = text.length
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) length += 2 * ++depth
    else if (code === 0x5d || code === 0x7d) length += 2 * --depth
    else if (code === 0x2c) length += 2 * depth
  }
  return length
}

function pretty(text: string): string {
  if (text.length > MAX_INDENTED_CHARS || indentedLength(text) > MAX_GROWTH * (text.length + 1000)) return text
  return valueOr(text, () => JSON.stringify(JSON.parse(text), null, 2))
}
