// What was run in this browser: the calls, and where their results lie. Kept here alone, the last hundred of them.
import { signal } from '@preact/signals'
import { actsFor } from '../call.ts'

export interface Run {
  at: number
  path: string
  body: Record<string, unknown>
  /** Of the stored scrape or of the job. */
  id?: string
  /** What it was about, in a line. */
  about: string
  ms?: number
  /** What the site answered, or why it failed. */
  status?: number
  error?: string
}

/** Results belong to a team, and so do the ways to them. */
const KEPT = actsFor ? `orb-history:${actsFor}` : 'orb-history'
const MOST = 100
/** A call with a long body is not kept whole. */
const MOST_CHARS = 20_000

const read = (): Run[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(kept) ? (kept as Run[]).filter((run) => typeof run?.path === 'string') : []
  } catch {
    return []
  }
}

export const past = signal<readonly Run[]>(read())

export function remember(run: Run): void {
  if (JSON.stringify(run.body).length > MOST_CHARS) return
  past.value = [run, ...past.value].slice(0, MOST)
  save()
}

export function forget(): void {
  past.value = []
  save()
}

function save(): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(past.value))
  } catch {
    // No room: the list lives as long as the page does.
  }
}

export function aboutOf(body: Record<string, unknown>, fileName?: string): string {
  const { url, urls, query, prompt } = body
  if (fileName) return fileName
  if (typeof query === 'string') return query
  if (typeof prompt === 'string' && prompt) return prompt
  if (typeof url === 'string') return url
  if (Array.isArray(urls)) return urls.length === 1 ? String(urls[0]) : `${urls.length} URLs, ${String(urls[0])} first`
  return ''
}
