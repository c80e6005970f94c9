// Turns URLs into file names for an archive: readable, unique, and never outside their folder.

const MAX_PART = 80
const MAX_PARTS = 12

/** Names such as `example.com/docs/start.md`; `taken` holds names in lower case. */
export function makeFileNamer(taken: Set<string> = new Set()): (url: string) => string {
  return (url) => {
    const base = pathOf(url)
    let name = `${base}.md`
    for (let again = 2; taken.has(name.toLowerCase()); again++) name = `${base}-${again}.md`
    // Some file systems are case-insensitive.
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
  const safe = parts.map(toPlainName).filter(Boolean).slice(0, MAX_PARTS)
  if (safe.length === 0) return 'page'
  return safe.length === 1 ? `${safe[0]}/index` : safe.join('/')
}

/** Letters, digits and a few signs; no leading dots, so no `..` and no hidden files. */
const toPlainName = (part: string): string =>
  part
    .replace(/%[0-9a-f]{2}/gi, '-')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, MAX_PART)
