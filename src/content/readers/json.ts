// JSON: indented, so that a person or a model can read it; what does not parse is kept as it came.
import { codePage } from './made.ts'
import type { Reader } from './reader.ts'

// Indenting triples a large body, and nobody reads one by eye.
const MAX_PRETTY = 5_000_000

export const jsonReader: Reader = {
  name: 'json',
  reads: (type) => /[/+]json$/.test(type),
  read(text) {
    return { tree: codePage(pretty(text), 'json'), warnings: [] }
  },
}

function pretty(text: string): string {
  if (text.length > MAX_PRETTY) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Broken, or nested deeper than the stack allows.
    return text
  }
}
