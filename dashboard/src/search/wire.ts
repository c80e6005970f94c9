// The shapes of a search, from the service's own schemas: types only.
import type { z } from 'zod'
import type { providersReply, searchReply } from '../../../src/capabilities/search/schema.ts'

export type Vertical = 'web' | 'news' | 'images'

export interface Hit {
  url: string
  title: string
  position: number
  description?: string
  snippet?: string
  date?: string
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
  /** Who found it. */
  from?: string[]
}

export type Provider = z.output<typeof providersReply>['data'][number]

export interface Asked {
  name: string
  state: 'answered' | 'empty' | 'failed' | 'late' | 'suspended'
  hits: number
  ms: number
  because?: string
}

export type SearchReply = z.output<typeof searchReply> & {
  explain?: { asked: Asked[]; hits: Partial<Record<Vertical, { url: string; from: string[] }[]>> }
}

/** The hits of one vertical, each with who found it. */
export function hitsOf({ data, explain }: SearchReply, vertical: Vertical): Hit[] {
  const told = new Map((explain?.hits[vertical] ?? []).map(({ url, from }) => [url, from]))
  return ((data[vertical] ?? []) as Hit[]).map((hit) => {
    const from = told.get(hit.url)
    return from ? { ...hit, from } : hit
  })
}
