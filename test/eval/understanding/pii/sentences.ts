// The marked sentences, one file per locale, one sentence per line. `[[EMAIL:a@b.example]]` marks an entity; where the
// marks are taken out, offsets into the plain sentence remain. It must not know how entities are found.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const locales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'ja'] as const
/** A second set, written later by eyes that had not seen the rules, to show what the first one was tuned to. */
export const secondLocales = ['en', 'de', 'fr', 'es', 'pl'] as const

/** A third, with national numbers, accounts named as such and passwords in prose; half of it, by hash, was kept unseen. */
export const thirdLocales = ['en', 'sv', 'fr', 'es', 'de', 'pt', 'pl', 'in', 'tr', 'it'] as const

/** What is marked. CARD and IBAN are both FINANCIAL to a caller; they are told apart because their bars are. */
export type Mark = 'PERSON' | 'EMAIL' | 'PHONE' | 'LOCATION' | 'CARD' | 'IBAN' | 'ACCOUNT' | 'ID' | 'SECRET'
export type Entity = 'PERSON' | 'EMAIL' | 'PHONE' | 'LOCATION' | 'FINANCIAL' | 'SECRET'

export interface Marked {
  mark: Mark
  entity: Entity
  start: number
  end: number
}

export interface Sentence {
  locale: string
  text: string
  entities: Marked[]
}

const ENTITIES: Partial<Record<Mark, Entity>> = {
  CARD: 'FINANCIAL',
  IBAN: 'FINANCIAL',
  ACCOUNT: 'FINANCIAL',
  ID: 'SECRET',
}
const entityOf = (mark: Mark): Entity => ENTITIES[mark] ?? (mark as Entity)

/** Takes the marks out of one line. */
export function unmark(locale: string, line: string): Sentence {
  let text = ''
  let at = 0
  const entities: Marked[] = []
  for (const { index, 0: all, 1: mark, 2: inner } of line.matchAll(/\[\[([A-Z]+):(.*?)\]\]/g)) {
    text += line.slice(at, index)
    // A `~` breaks a key in two in the file, so that who scans repositories for live keys does not stop at ours.
    const value = mark === 'SECRET' ? inner!.replace('~', '') : inner!
    entities.push({
      mark: mark as Mark,
      entity: entityOf(mark as Mark),
      start: text.length,
      end: text.length + value.length,
    })
    text += value
    at = index + all.length
  }
  return { locale, text: text + line.slice(at), entities }
}

const read = (locale: string, file: string): Sentence[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => unmark(locale, line))

export const sentences = (): Sentence[] => locales.flatMap((locale) => read(locale, `${locale}.txt`))
export const secondSentences = (): Sentence[] => secondLocales.flatMap((locale) => read(locale, `second/${locale}.txt`))

/** `open`: what may be looked at while rules are written; `sealed`: the other half, scored when they are done. */
export const thirdSentences = (half: 'open' | 'sealed'): Sentence[] =>
  thirdLocales
    .flatMap((locale) => read(locale, `third/${locale}.txt`))
    .filter(({ text }) => (createHash('sha256').update(text).digest()[0]! % 2 === 0) === (half === 'open'))
