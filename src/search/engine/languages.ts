// Stemmer and stop words per language. Other languages are searched by whole words.
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'

import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { stemmer as english } from 'stemmer'
import languages from './languages.json' with { type: 'json' }

export type WritingScript = 'latin' | 'cyrillic' | 'arabic' | 'devanagari' | 'greek' | 'armenian' | 'tamil'

export interface SearchLanguage {
  code: string
  script: WritingScript
  stem(word: string): string
  stop: ReadonlySet<string>
}

const stemmers: Record<keyof typeof languages, (word: string) => string> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  da: danish,
  no: norwegian,
  fi: finnish,
  hu: hungarian,
  ro: romanian,
  tr: turkish,
  id: indonesian,
  ga: irish,
  lt: lithuanian,
  ru: russian,
  uk: ukrainian,
  bg: bulgarian,
  sr: serbian,
  ar: arabic,
  hi: hindi,
  ne: nepali,
  el: greek,
  hy: armenian,
  ta: tamil,
}

export const searchLanguages: ReadonlyMap<string, SearchLanguage> = new Map(
  Object.entries(languages).map(([code, { script, stop }]) => {
    const stem = stemmers[code as keyof typeof languages]
    return [code, { code, script: script as WritingScript, stem, stop: new Set(stop.split(' ').filter(Boolean)) }]
  }),
)

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['in', 'id'],
  ['ms', 'id'],
  ['mr', 'hi'],
  ['hr', 'sr'],
  ['bs', 'sr'],
])

/** For `de-AT`, `nb`, …; undefined if not listed. */
export function findLanguage(stated: string | undefined): SearchLanguage | undefined {
  const code = /^[a-z]{2}/i.exec(stated ?? '')?.[0].toLowerCase()
  return code === undefined ? undefined : searchLanguages.get(ALIASES.get(code) ?? code)
}
