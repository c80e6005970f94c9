// Pages made by a counter that always counts alike: invented words that no stemmer touches, hosts, paths, kinds and dates.
// Tests that must know exactly which pages an operator or a date allows are written against these.

export interface MadePage {
  host: string
  path: string
  title: string[]
  body: string[]
  /** Epoch milliseconds of the date that the page states. */
  date: number | undefined
  type: 'html' | 'txt'
}

/** The same numbers from the same seed, on every machine. */
export function counter(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const STARTS = ['bark', 'dolm', 'furt', 'gilk', 'hond', 'jurk', 'kalp', 'lorf']
const ENDS = ['ovik', 'urax', 'imok', 'atup', 'ezok']
export const MADE_WORDS: readonly string[] = STARTS.flatMap((start) => ENDS.map((end) => start + end))
export const MADE_HOSTS = ['docs.made.test', 'shop.made.test', 'other.test'] as const
const FOLDERS = ['guides', 'parts', 'notes'] as const
const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2019, 0, 1)

export function madePages(count: number, seed: number): MadePage[] {
  const next = counter(seed)
  const word = () => MADE_WORDS[Math.min(next(MADE_WORDS.length), next(MADE_WORDS.length))]!
  return Array.from({ length: count }, (_, at) => {
    const type = next(8) === 0 ? 'txt' : 'html'
    const folder = FOLDERS[next(FOLDERS.length)]!
    const isDated = type === 'html' && next(3) > 0
    return {
      host: MADE_HOSTS[next(MADE_HOSTS.length)]!,
      path: `/${folder}/${word()}-p${at}${type === 'txt' ? '.txt' : ''}`,
      title: type === 'txt' ? [] : Array.from({ length: 2 + next(3) }, word),
      body: Array.from({ length: 8 + next(20) }, word),
      date: isDated ? FIRST_DAY + next(2500) * DAY + next(24) * 3_600_000 : undefined,
      type,
    }
  })
}

export function madeHtml({ title, body, date }: MadePage): string {
  const head =
    date === undefined ? '' : `<meta property="article:published_time" content="${new Date(date).toISOString()}">`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title.join(' ')}</title>${head}</head><body><main><p>${body.join(' ')}</p></main></body></html>`
}
