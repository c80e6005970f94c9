// Addresses by how well they match some words: rare words count more than common ones, a title more than a path. Pure.

export interface Rankable {
  url: string
  title?: string
  description?: string
}

const MAX_WORDS = 32
const IN_TITLE = 4
const IN_PATH = 3
const IN_DESCRIPTION = 2
const IN_HOST = 0.5
/** A word that only begins, or is begun by, a word of the page. */
const ALIKE = 0.4
/** All words in a row. */
const PHRASE = 2

/** Best first; equals keep their order. Scores are 0 for what has nothing in common with the words. */
export function rank<T extends Rankable>(items: readonly T[], search: string): { item: T; score: number }[] {
  const wanted = [...new Set(wordsOf(search))].slice(0, MAX_WORDS)
  if (wanted.length === 0) return items.map((item) => ({ item, score: 0 }))
  const pages = items.map(fieldsOf)
  const weights = wanted.map((word) => {
    const having = pages.reduce((count, page) => count + (bestHit(page, word) > 0 ? 1 : 0), 0)
    return Math.log(1 + items.length / (1 + having))
  })
  const phrase = wanted.join(' ')
  const scored = items.map((item, at) => {
    const page = pages[at]!
    const sum = wanted.reduce((total, word, n) => total + bestHit(page, word) * weights[n]!, 0)
    const whole = wanted.length > 1 && (page.title.text.includes(phrase) || page.path.text.includes(phrase))
    return { item, score: whole ? sum * PHRASE : sum }
  })
  return scored.sort((a, b) => b.score - a.score)
}

interface Field {
  words: ReadonlySet<string>
  text: string
}

interface Fields {
  title: Field
  path: Field
  description: Field
  host: Field
}

function fieldsOf({ url, title = '', description = '' }: Rankable): Fields {
  const { hostname, pathname, search } = new URL(url)
  return {
    title: field(title.slice(0, 300)),
    path: field(readable(pathname + search)),
    description: field(description.slice(0, 500)),
    host: field(hostname),
  }
}

function field(text: string): Field {
  const words = wordsOf(text)
  return { words: new Set(words), text: words.join(' ') }
}

function bestHit(page: Fields, word: string): number {
  return (
    hit(page.title, word) * IN_TITLE +
    hit(page.path, word) * IN_PATH +
    hit(page.description, word) * IN_DESCRIPTION +
    hit(page.host, word) * IN_HOST
  )
}

function hit({ words, text }: Field, word: string): number {
  if (words.has(word)) return 1
  // `price` finds `pricing` and `prices`; two letters alike mean nothing.
  const stem = word.length > 4 ? word.slice(0, -1) : word
  return stem.length > 2 && ` ${text}`.includes(` ${stem}`) ? ALIKE : 0
}

/** Letters and digits of any script, lower case, accents off. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
