// A small web that changes as real sites do, for measuring: pages of ten kinds, each a function of the moment and of the
// visit, with noise of fifteen kinds and real edits at known moments. Nothing in it is random but by its seed.

export interface WorldPage {
  name: string
  kind: string
  /** Kinds of noise it has. */
  noise: readonly string[]
  /** The markdown at a moment, for one visitor. */
  text(at: number, visit: number): string
  /** Moments of real edits, in order. */
  edits: readonly number[]
}

export const NOISE = [
  'viewers',
  'ages',
  'recommendations',
  'build',
  'nonce',
  'today',
  'ads',
  'carousel',
  'session-links',
  'sold-counter',
  'weather',
  'quote',
  'clock',
  'shuffle',
  'basket-count',
] as const

const DAY = 86_400_000
const HOUR = 3_600_000
export const START = Date.UTC(2026, 4, 4)

/** Mulberry32: small, and the same everywhere. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

const pick = <T>(from: readonly T[], next: () => number): T => from[Math.floor(next() * from.length)]!

const THINGS =
  'lamp chair kettle tent bicycle violin camera desk blanket ladder stove mirror basket helmet drill telescope rucksack carpet'.split(
    ' ',
  )
const PLACES = 'Leeds Bergen Porto Graz Turku Lyon Cork Ghent Brno Split Riga Bath Delft Siena Malmo Vigo'.split(' ')
const WORDS =
  'harbour winter council garden signal market river teacher engine museum bridge forest letter railway window concert village record season island'.split(
    ' ',
  )
const QUOTES =
  'Well begun is half done|Still waters run deep|Many hands make light work|Look before you leap|The early bird catches the worm|Practice makes perfect|Haste makes waste|Better late than never|Actions speak louder than words|No news is good news'.split(
    '|',
  )

const sentence = (next: () => number): string => {
  const words = Array.from({ length: 8 + Math.floor(next() * 8) }, () => pick(WORDS, next))
  return `${words[0]![0]!.toUpperCase()}${words.join(' ').slice(1)}.`
}

/** A block of noise at a moment for a visit. */
function noiseOf(kind: string, page: string, at: number, visit: number): string {
  const perVisit = random(hash(`${page} ${kind} ${at} ${visit}`))
  const perHour = random(hash(`${page} ${kind} ${Math.floor(at / HOUR)}`))
  const perDay = random(hash(`${page} ${kind} ${Math.floor(at / DAY)}`))
  const days = Math.floor((at - START) / DAY)
  const date = new Date(at)
  switch (kind) {
    case 'viewers':
      return `${2 + Math.floor(perVisit() * 40)} shoppers have this open at the moment`
    case 'ages':
      return `Posted ${days + 3} days ago by the editors`
    case 'recommendations':
      return `## More for you\n\n${Array.from({ length: 4 }, () => `- [The ${pick(THINGS, perVisit)} of ${pick(PLACES, perVisit)}](/p/${Math.floor(perVisit() * 900)})`).join('\n')}`
    case 'build':
      return `Site version r${1000 + Math.floor(days / 2)}.${Math.floor(perDay() * 9)}`
    case 'nonce':
      return `Form key ${Math.floor(perVisit() * 1e9).toString(36)}${Math.floor(perVisit() * 1e9).toString(36)}`
    case 'today':
      return date.toLocaleDateString('en-GB', {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      })
    case 'ads':
      return `[${pick(['Win a', 'Try our', 'Save on your', 'Meet the new'], perVisit)} ${pick(THINGS, perVisit)} ${pick(['today', 'now', 'this week'], perVisit)}](https://ads.example.net/c/${Math.floor(perVisit() * 1e6)})`
    case 'carousel':
      return `### Spotlight\n\n**${pick(THINGS, perVisit)}s from ${pick(PLACES, perVisit)}**\n\n${sentence(perVisit)}`
    case 'session-links':
      return `[Continue as guest](/start?sid=${Math.floor(perVisit() * 1e12).toString(36)})`
    case 'sold-counter':
      return `Ordered ${1200 + days * 14 + Math.floor((at % DAY) / HOUR)} times since spring`
    case 'weather':
      return `Outside it is ${Math.floor(8 + perHour() * 15)} degrees with ${pick(['sun', 'rain', 'wind', 'clouds'], perHour)}`
    case 'quote':
      return `> ${pick(QUOTES, perVisit)}`
    case 'clock':
      return `Local time ${date.toISOString().slice(11, 16)}`
    case 'shuffle': {
      const items = THINGS.slice(0, 6).map((thing) => `- All about a ${thing}`)
      return `## Topics\n\n${items.sort(() => perVisit() - 0.5).join('\n')}`
    }
    default:
      return `In ${3 + Math.floor(perVisit() * 20)} baskets right now`
  }
}

/** The real content of a page after `n` edits. */
function contentOf(kind: string, name: string, n: number): string[] {
  const fixed = random(hash(`${name} fixed`))
  const body = Array.from({ length: 5 }, () => sentence(fixed))
  const edit = (at: number) => random(hash(`${name} edit ${at}`))
  /** A value that the edits change in turn: edit k touches field k mod fields. */
  const value = (field: number, fields: number): number => {
    let last = 0
    for (let at = 1; at <= n; at++) if (at % fields === field) last = at
    return last
  }
  const place = (at: number) => pick(PLACES, edit(at))
  switch (kind) {
    case 'shop': {
      const price = (20 + Math.floor(edit(value(0, 3))() * 80) + value(0, 3) * 0.5).toFixed(2)
      const stock = value(1, 3) % 2 === 0 ? 'In stock' : 'Sold out'
      return [
        `# A ${pick(THINGS, fixed)}`,
        body[0]!,
        `Price: $${price}`,
        stock,
        `Delivery to ${place(value(2, 3))} and around, batch ${value(2, 3)}`,
      ]
    }
    case 'news': {
      const stories = Array.from({ length: 8 }, (_, at) => n + 8 - at).map(
        (at) => `- [${sentence(edit(at))}](/story/${at})`,
      )
      return ['# News', body[0]!, '## Latest', ...stories]
    }
    case 'forum': {
      const threads = Array.from({ length: 6 + n }, (_, at) => `- ${sentence(edit(at))} (${place(at)})`).slice(-12)
      return ['# Board', body[1]!, '## Threads', ...threads]
    }
    case 'docs': {
      const parts = body.map((text, at) =>
        value(at, 5) > 0 ? `${text} Since release ${value(at, 5)} it also ${sentence(edit(value(at, 5)))}` : text,
      )
      return ['# Guide', '## Setting up', ...parts.slice(0, 3), '## Running', ...parts.slice(3)]
    }
    case 'jobs': {
      const open = Array.from(
        { length: 5 + Math.ceil(n / 2) },
        (_, at) => `- ${pick(WORDS, edit(at))} keeper, ${place(at)}`,
      ).slice(Math.floor(n / 2))
      return ['# Careers', body[2]!, '## Open positions', ...open]
    }
    case 'status': {
      const states = ['operational', 'degraded performance', 'partial outage']
      return ['# Status', `Search: ${states[value(0, 2) % 3]}`, `Payments: ${states[value(1, 2) % 3]}`, body[3]!]
    }
    case 'timetable': {
      const rows = Array.from({ length: 6 }, (_, at) => {
        const turn = value(at, 6)
        return `| ${pick(PLACES, random(hash(`${name} row ${at}`)))} | ${7 + at}:${String((5 + turn * 7) % 60).padStart(2, '0')} | platform ${1 + ((at + turn) % 4)} |`
      })
      return ['# Departures', '| To | At | From |', '|---|---|---|', ...rows]
    }
    case 'terms': {
      const parts = body.map((text, at) => (value(at, 5) > 0 ? sentence(edit(100 + value(at, 5))) : text))
      return ['# Terms', ...parts.map((text, at) => `${at + 1}. ${text}`)]
    }
    case 'release': {
      const rows = Array.from({ length: n + 3 }, (_, at) => `- Version 2.${at}: ${sentence(edit(at))}`).reverse()
      return ['# Releases', body[0]!, ...rows.slice(0, 10)]
    }
    default: {
      const deadline = new Date(Date.UTC(2026, 8, 1 + value(0, 2))).toISOString().slice(0, 10)
      return [
        '# Call for papers',
        body[0]!,
        `Submit until ${deadline}.`,
        `Held in ${place(value(1, 2))}, hall ${value(1, 2)}.`,
      ]
    }
  }
}

const KINDS = ['shop', 'news', 'forum', 'docs', 'jobs', 'status', 'timetable', 'terms', 'release', 'call']

/** Pages by number: kind, noise and edits follow from it. */
export function worldPage(number: number, days: number): WorldPage {
  const next = random(number * 7919 + 17)
  const kind = KINDS[number % KINDS.length]!
  const name = `${kind}-${number}`
  const noise = NOISE.filter(() => next() < 0.3)
  const edits: number[] = []
  const gap = kind === 'news' || kind === 'forum' ? 2.5 * DAY : 5 * DAY
  for (let at = START + 1.2 * DAY + next() * gap; at < START + days * DAY; at += gap * (0.4 + next() * 1.2))
    edits.push(Math.floor(at))
  return {
    name,
    kind,
    noise,
    edits,
    text(at, visit) {
      const n = edits.filter((moment) => moment <= at).length
      const content = contentOf(kind, name, n)
      const blocks = noise.map((one) => noiseOf(one, name, at, visit))
      // Inline noise stands in the content, blocks with a heading of their own below it.
      const [inline, below] = [
        blocks.filter((text) => !text.startsWith('#')),
        blocks.filter((text) => text.startsWith('#')),
      ]
      const head = content.slice(0, 2)
      return [...head, ...inline.slice(0, 3), ...content.slice(2), ...inline.slice(3), ...below].join('\n\n')
    },
  }
}
