// A page as one line of text, for checking that a known answer stands on it. Deliberately crude and apart from the
// product: a set that is checked with the code it judges proves nothing.
import { plain } from './equal.ts'

const names: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  hellip: '…',
  reg: '®',
  trade: '™',
}

/** Text of the elements, then everything between quotes (attributes, JSON-LD, embedded state). */
export function readable(html: string): string {
  const text = html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<(br|p|div|li|td|th|tr|h\d|dd|dt)\b[^>]*>/gi, ' ')
    .replace(/<[^>]*>/g, '')
  const quoted = [...html.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, inner]) => unescaped(inner!)).join('\n')
  return plain(decoded(`${text}\n${quoted}`))
}

const unescaped = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(.)/g, '$1')

const decoded = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&(\w+);/g, (all, name: string) => names[name] ?? all)
