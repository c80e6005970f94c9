// The first five things, and which of them this browser has seen done. They tick themselves.
import { signal } from '@preact/signals'

export const steps = {
  scrape: 'Scrape a page',
  crawl: 'Crawl a site',
  search: 'Search, or ask a question',
  watch: 'Watch a page for changes',
  connect: 'Create a key for a program or an agent',
} as const
export type Step = keyof typeof steps

const KEPT = 'orb-first-steps'

const read = (): Step[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(kept) ? kept.filter((step): step is Step => step in steps) : []
  } catch {
    return []
  }
}

export const done = signal<readonly Step[]>(read())

export function tick(step: Step): void {
  if (done.value.includes(step)) return
  done.value = [...done.value, step]
  localStorage.setItem(KEPT, JSON.stringify(done.value))
}

const OF_ENDPOINT: Readonly<Record<string, Step>> = {
  scrape: 'scrape',
  crawl: 'crawl',
  search: 'search',
  agent: 'search',
  monitor: 'watch',
}

/** What the service saw, by whatever client it was done. */
export function tickSeen(endpoints: Iterable<string>): void {
  for (const endpoint of endpoints) {
    const step = OF_ENDPOINT[endpoint]
    if (step) tick(step)
  }
}
