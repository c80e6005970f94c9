// The tables of the search index and of page versions; part of tables.ts.
import type { Generated } from 'kysely'
import type { Bytes } from './column-types.ts'

/** Team id of pages visible to all teams. */
export const COMMON_TEAM_ID = ''

export interface SearchTables {
  search_outbox: {
    id: Generated<number>
    team_id: string
    url: string
    document_id: string
    at: number
    kind: 'page' | 'private' | 'gone'
  }
  search_teams: { team_id: string; searched_at: number }
  search_pages: {
    number: Generated<number>
    team_id: string
    url_key: string
    /** The outbox row of the indexed content; 0: not indexed yet. */
    version: number
    url: string
    canonical: string | null
    title: string
    description: string
    language: string
    type: string
    /** Date of publication or change that the page states. */
    dated: number | null
    image: string | null
    pictures: string
    /** Equal for pages with the same words. */
    print: string
    seen_at: number
    /** First time with this text; null: `seen_at`. */
    text_since: number | null
    text: Bytes
    /** JSON of link texts and the keys of their pages; null: indexed without links. */
    links: string | null
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
