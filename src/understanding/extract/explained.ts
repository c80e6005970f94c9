// Field by field, what an extraction found and what not, by which way, and from which words of the page: for the explain
// record of a scrape. Bounded; a value that stands nowhere word for word has no words.

export interface ExplainedField {
  path: string
  found: boolean
  /** The kind of place it came from. */
  from?: string
  /** The line of the page that says it. */
  words?: string
}

const MAX_FIELDS = 100
const MAX_SEARCHED = 300_000
const MAX_WORDS = 200

export function explainedFields(
  value: unknown,
  sources: Readonly<Record<string, string>>,
  markdown: string,
): ExplainedField[] {
  const page = markdown.slice(0, MAX_SEARCHED)
  const folded = page.toLowerCase()
  return leavesOf(value)
    .slice(0, MAX_FIELDS)
    .map(({ path, leaf }) => {
      const found = leaf !== null && leaf !== undefined && leaf !== ''
      const from = sources[path] ?? sources[path.replace(/\[\d+\]/g, '[]')]
      const words = found ? lineWith(page, folded, leaf) : undefined
      return { path, found, ...(from ? { from } : {}), ...(words ? { words } : {}) }
    })
}

/** The values of a tree, with the paths they stand at; an empty list counts as a value that is missing. */
export function leavesOf(root: unknown, most = MAX_FIELDS): { path: string; leaf: unknown }[] {
  const found: { path: string; leaf: unknown }[] = []
  const walk = (value: unknown, path: string, depth: number): void => {
    if (found.length >= most) return
    if (value === null || typeof value !== 'object' || depth > 30) found.push({ path, leaf: value })
    else if (Array.isArray(value)) {
      if (value.length === 0) found.push({ path, leaf: null })
      for (const [n, item] of value.entries()) walk(item, `${path}[${n}]`, depth + 1)
    } else for (const [name, inner] of Object.entries(value)) walk(inner, path ? `${path}.${name}` : name, depth + 1)
  }
  walk(root, '', 0)
  return found
}

function lineWith(page: string, folded: string, leaf: unknown): string | undefined {
  for (const text of spellings(leaf)) {
    const at = folded.indexOf(text.toLowerCase())
    if (at < 0) continue
    const start = page.lastIndexOf('\n', at) + 1
    const end = page.indexOf('\n', at + text.length)
    const line = page.slice(start, end < 0 ? undefined : end).trim()
    if (line.length <= MAX_WORDS) return line
    const from = Math.max(0, at - start - MAX_WORDS / 2)
    return line.slice(from, from + MAX_WORDS)
  }
  return undefined
}

/** A number is written in many ways. */
function spellings(leaf: unknown): string[] {
  if (typeof leaf === 'string') return leaf.length > 1 ? [leaf.slice(0, 300)] : []
  if (typeof leaf !== 'number') return []
  const fixed = Number.isInteger(leaf) ? String(leaf) : leaf.toFixed(2)
  return [String(leaf), fixed, leaf.toLocaleString('en-US'), fixed.replace('.', ','), leaf.toLocaleString('de-DE')]
}
