// Addresses as names of files in an archive: readable, never twice the same, and never out of their folder.

const MAX_PART = 80
const MAX_PARTS = 12

/** Each address its name, e.g. `example.com/docs/start.md`. */
export function fileNames(): (url: string) => string {
  const taken = new Set<string>()
  return (url) => {
    const base = pathOf(url)
    let name = `${base}.md`
    for (let again = 2; taken.has(name.toLowerCase()); again++) name = `${base}-${again}.md`
    // Some file systems do not tell upper from lower case.
    taken.add(name.toLowerCase())
    return name
  }
}

function pathOf(url: string): string {
  let parts: string[]
  try {
    const { host, pathname, search } = new URL(url)
    parts = [host, ...pathname.split('/'), search]
  } catch {
    parts = [url]
  }
  const safe = parts.map(plain).filter(Boolean).slice(0, MAX_PARTS)
  if (safe.length === 0) return 'page'
  return safe.length === 1 ? `${safe[0]}/index` : safe.join('/')
}

/** Letters, digits and a few signs; no dots at the start, so no `..` and nothing hidden. */
const plain = (part: string): string =>
  part
    .replace(/%[0-9a-f]{2}/gi, '-')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, MAX_PART)
