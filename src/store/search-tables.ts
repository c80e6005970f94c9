// The tables of the search index, and of what pages said before, as both dialects hold them; part of tables.ts.
import type { Generated } from 'kysely'
import type { Bytes } from './columns.ts'

/** The team that all teams see. */
export const COMMON = ''

export interface SearchTables {
  search_outbox: {
    id: Generated<number>
    team_id: string
    url: string
    document_id: string
    at: number
    kind: 'page' | 'private' | 'gone'
  }
  /** When a team last searched. */
  search_teams: { team_id: string; searched_at: number }
  search_pages: {
    number: Generated<number>
    team_id: string
    url_key: string
    /** The outbox row it was last made of; 0: nothing of it is in the index yet. */
    version: number
    url: string
    canonical: string | null
    title: string
    description: string
    language: string
    type: string
    /** When the page says it was published or changed. */
    dated: number | null
    image: string | null
    /** As JSON. */
    pictures: string
    /** Pages of the same words have the same. */
    print: string
    seen_at: number
    /** Since when the page has been seen with this text; null: since `seen_at`. */
    text_since: number | null
    /** What a reader sees, deflated. */
    text: Bytes
    /** The texts of links that lead to it, and the keys of their pages, as JSON; null: it was filed with none. */
    links: string | null
    /** When the oldest of those pages was seen. */
    links_since: number | null
  }
  search_links: { team_id: string; bucket: number; slot: number; target: number; source: number; text: string }
  page_versions: {
    id: string
    team_id: string
    url_key: string
    url: string
    title: string
    since: number
    seen_at: number
    bytes: number
    text: Uint8Array
  }
  search_segments: { id: string; team_id: string; live: number; pages: number; bytes: number; created_at: number }
  search_segment_parts: { segment_id: string; n: number; body: Uint8Array }
  searches: { id: string; team_id: string; words: string; at: number }
  search_votes: {
    id: string
    team_id: string
    search_id: string
    words: string
    url_key: string
    vote: number
    at: number
  }
}
