// Conditions that match the forgotten address in a URL column, in text, in a page key, and in JSON with page keys.
import { type RawBuilder, sql } from 'kysely'
import { pageKeyOf, withoutWww } from '../base/url-key.ts'

export interface ForgetRequest {
  /** Neither `url` nor `host`: everything of the team. */
  url?: string | undefined
  host?: string | undefined
  teamId?: string | undefined
}

type Condition = (column: string) => RawBuilder<boolean>

export interface UrlMatchConditions {
  column: Condition
  text: Condition
  key: Condition
  quotedKey: Condition
  host?: Condition
  isIn(text: string): boolean
}

export function makeUrlMatchConditions({ url, host }: ForgetRequest): UrlMatchConditions | undefined {
  if (url !== undefined) return matchUrl(url)
  return host === undefined ? undefined : matchHost(host.toLowerCase())
}

function matchUrl(url: string): UrlMatchConditions {
  const bare = url.replace(/#.*$/, '').replace(/\/$/, '')
  const forms = [...new Set([url, bare, `${bare}/`])]
  const key = pageKeyOf(url)
  return {
    key: (name) => sql<boolean>`${sql.ref(name)} = ${key}`,
    quotedKey: (name) => sql<boolean>`${sql.ref(name)} like ${`%${escapePattern(JSON.stringify(key))}%`} escape '!'`,
    column: (name) => sql<boolean>`${sql.ref(name)} in (${sql.join(forms)})`,
    text: (name) => sql<boolean>`${sql.ref(name)} like ${`%${escapePattern(bare)}%`} escape '!'`,
    isIn: (text) => text.includes(bare),
  }
}

function matchHost(host: string): UrlMatchConditions {
  const low = escapePattern(host)
  const starts = ['http', 'https'].flatMap((scheme) => [
    `${scheme}://${low}/%`,
    `${scheme}://${low}:%`,
    `${scheme}://${low}`,
  ])
  const ends = ['/', ':', '"', ' ']
  const any = (name: string, forms: readonly string[]) =>
    sql<boolean>`(${sql.join(
      forms.map((form) => sql`lower(${sql.ref(name)}) like ${form} escape '!'`),
      sql` or `,
    )})`
  // Page keys omit `www.`, so both hosts are removed.
  const site = escapePattern(withoutWww(host))
  return {
    column: (name) => any(name, starts),
    text: (name) =>
      any(
        name,
        ends.map((end) => `%://${low}${end}%`),
      ),
    key: (name) => any(name, [`${site}/%`, `${site}:%`]),
    host: (name) => any(name, [low]),
    quotedKey: (name) => any(name, [`%"${site}/%`, `%"${site}:%`]),
    isIn(text) {
      const lower = text.toLowerCase()
      return ends.some((end) => lower.includes(`://${host}${end}`))
    },
  }
}

const escapePattern = (text: string): string => text.replace(/[!%_]/g, '!$&')
