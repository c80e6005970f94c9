// Addresses of a site in the page cache. All teams share it, so addresses with a query are left out: they may
// contain private data.
import { sql } from 'kysely'
import { isDocumentJson, readMetadataOfJson } from '../base/document-json.ts'
import { type Db, type Dialect, toBuffer } from './tables.ts'

export interface CachedSitePage {
  url: string
  title?: string
  description?: string
}

/** Reading a title requires the whole document. */
const MAX_TITLES = 100
const MAX_DOCUMENT_BYTES = 100_000

export async function findCachedPages(
  db: Db,
  dialect: Dialect,
  origins: readonly string[],
  limit: number,
): Promise<CachedSitePage[]> {
  const known = new Map<string, CachedSitePage>()
  for (const origin of origins) {
    const remaining = limit - known.size
    if (remaining <= 0) break
    // In index order from a covering index: no row is read.
    const rows = await db
      .selectFrom('captures')
      .select('captures.url')
      .distinct()
      .where(below(dialect, origin))
      .where('captures.url', 'not like', '%?%')
      .orderBy('captures.url')
      .limit(remaining)
      .execute()
    for (const { url } of rows) known.set(url, { url })
    const documents = await db
      .selectFrom('captures')
      .innerJoin('documents', 'documents.capture_id', 'captures.id')
      .select(['captures.url', 'documents.body'])
      .where(below(dialect, origin))
      .where('documents.bytes', '<=', MAX_DOCUMENT_BYTES)
      .orderBy('captures.url')
      .limit(MAX_TITLES)
      .execute()
    for (const { url, body } of documents) {
      const page = known.get(url)
      if (page) Object.assign(page, factsOf(toBuffer(body)))
    }
  }
  return [...known.values()]
}

/** Every address under the origin; `0` is the character after the slash. */
const below = (dialect: Dialect, origin: string) =>
  dialect === 'postgres'
    ? sql<boolean>`captures.url like ${`${origin.replace(/[\\%_]/g, '\\$&')}/%`}`
    : sql<boolean>`captures.url >= ${`${origin}/`} and captures.url < ${`${origin}0`}`

function factsOf(body: Uint8Array): Omit<CachedSitePage, 'url'> {
  if (!isDocumentJson(body)) return {}
  const metadata = readMetadataOfJson(body)
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 1000) : undefined)
  const title = text(metadata.title)
  const description = text(metadata.description)
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) }
}
