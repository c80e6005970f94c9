// Removes everything stored about an address, a host or a team; credits, counts and ids stay. A second call completes a
// broken one.
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { pageKeyOf } from '../base/url-key.ts'
import type { BlobStorage } from './blob-storage.ts'
import { type BlobStorageOptions, findBlobIdsInMediaLinks, openBlobStorage } from './blobs.ts'
import type { ForgetRule, StorageRules } from './capability-storage.ts'
import { fingerprintHost } from './first-seen-hosts.ts'
import { retryAfterDeadlock } from './retry-deadlock.ts'
import { yieldToWriters } from './sweep.ts'
import type { Db, Tables, Tx } from './tables.ts'
import { type ForgetRequest, makeUrlMatchConditions, type UrlMatchConditions } from './url-match-conditions.ts'

export interface ForgetReport {
  removed: Record<string, number>
  /** Teams whose search index held such pages; their segments must be rewritten. */
  indexes: string[]
}

export interface ForgetTask {
  request: ForgetRequest
  rules: readonly ForgetRule[]
  blobPlace: BlobStorageOptions
  sightingsKey: string
}

const BATCH = 200

interface Work {
  db: Db
  teamId: string | undefined
  match: UrlMatchConditions | undefined
  files: BlobStorage
  removed: Record<string, number>
  blobs: Set<string>
  senders: ReadonlySet<string>
}

export async function forgetRows(db: Db, order: ForgetTask): Promise<ForgetReport> {
  const { request, rules, blobPlace, sightingsKey } = order
  const files = openBlobStorage(blobPlace, db)
  const { url, teamId } = request
  const match = makeUrlMatchConditions(request)
  const senders = new Set(rules.filter(({ sendsWebhooks }) => sendsWebhooks).map(({ table }) => table))
  const work: Work = { db, teamId, match, files, removed: {}, blobs: new Set(), senders }
  const scrapes = await idsIn(work, 'scrapes', 'id', match ? [match.column('url'), match.text('overlay')] : [])
  for (const rule of rules) await byRule(work, rule, scrapes)
  // After the outbox, so that a batch that is being indexed cannot bring a page back.
  const indexes = await searchPages(work, url)
  await pages(work, scrapes)
  if (match) await overwrite(work, match)
  // Sightings are shared by all teams: only the operator forgets one.
  const host = request.host ?? (url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined)
  if (teamId === undefined && host !== undefined)
    await remove(work, 'host_sightings', [fingerprintHost(Buffer.from(sightingsKey, 'hex'), host)], 'print')
  if (!match) for (const id of await idsIn(work, 'blobs', 'id', [])) work.blobs.add(id)
  await remove(work, 'blobs', [...work.blobs])
  for (const id of work.blobs) await files.remove(id)
  return { removed: work.removed, indexes }
}

export async function hasRunningWork(db: Db, busy: StorageRules['busy'], teamId: string): Promise<boolean> {
  for (const { table, column, value } of busy) {
    const { rows } = await sql`select 1 from ${sql.table(table)}
      where team_id = ${teamId} and ${sql.ref(column)} = ${value} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}

async function inBatches<T>({ db }: Work, all: readonly T[], work: (tx: Tx, some: readonly T[]) => Promise<void>) {
  for (let at = 0; at < all.length; at += BATCH) {
    const some = all.slice(at, at + BATCH)
    await yieldToWriters(() => retryAfterDeadlock(() => db.transaction().execute((tx) => work(tx, some))))
  }
}

const count = ({ removed }: Work, table: string, rows: bigint | undefined) => {
  if (rows) removed[table] = (removed[table] ?? 0) + Number(rows)
}

async function remove(work: Work, table: string, ids: readonly (string | number)[], column = 'id'): Promise<void> {
  await inBatches(work, ids, async (tx, some) => {
    const { numAffectedRows } =
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(some)})`.execute(tx)
    count(work, table, numAffectedRows)
    if (!work.senders.has(table)) return
    const sent = await sql`delete from deliveries where job_id in (${sql.join(some)})`.execute(tx)
    count(work, 'deliveries', sent.numAffectedRows)
  })
}

const within = ({ teamId }: Work, forms: readonly RawBuilder<boolean>[], parent?: ForgetRule['parent']) => {
  const any = forms.length > 0 ? sql`(${sql.join(forms, sql` or `)})` : sql`1 = 1`
  if (teamId === undefined) return any
  if (!parent) return sql`${any} and team_id = ${teamId}`
  return sql`${any} and ${sql.ref(parent.column)} in (select id from ${sql.table(parent.table)} where team_id = ${teamId})`
}

async function idsIn(
  work: Work,
  table: string,
  column: string,
  forms: readonly RawBuilder<boolean>[],
  parent?: ForgetRule['parent'],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct ${sql.ref(column)} as id from ${sql.table(table)} where ${within(work, forms, parent)}`.execute(
    work.db,
  )
  return rows.map((row) => row.id)
}

async function byRule(work: Work, rule: ForgetRule, scrapes: readonly string[]): Promise<void> {
  const { match, db } = work
  const { table, id = 'id', parent, removesParent = false, blob, scrape } = rule
  const forms = match ? formsOf(match, rule) : []
  if (match ? forms.length === 0 && !blob && !scrape : parent) return
  if (id === null) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${within(work, forms, parent)}`.execute(
      db,
    )
    return count(work, table, numAffectedRows)
  }
  const found = new Set<string>()
  if (!match || forms.length > 0)
    for (const one of await idsIn(work, table, removesParent && parent ? parent.column : id, forms, parent))
      found.add(one)
  if (match && scrape) await withScrapes(work, rule, scrapes, found)
  if (match && rule.readBlob) await withBlobs(work, rule, match, found)
  if (removesParent && parent) return remove(work, parent.table, [...found])
  for (const column of [blob, rule.madeOfBlob]) if (column) await collectBlobs(work, table, id, column, [...found])
  await remove(work, table, [...found], id)
}

const formsOf = (
  match: UrlMatchConditions,
  { urls = [], texts = [], keys = [], hosts = [] }: ForgetRule,
): RawBuilder<boolean>[] => [
  ...urls.map(match.column),
  ...texts.map(match.text),
  ...keys.map(match.key),
  ...(match.host ? hosts.map(match.host) : []),
]

async function withScrapes(
  { db }: Work,
  { table, scrape }: ForgetRule,
  scrapes: readonly string[],
  found: Set<string>,
) {
  for (let at = 0; at < scrapes.length; at += BATCH) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
      where ${sql.ref(scrape!)} in (${sql.join(scrapes.slice(at, at + BATCH))})`.execute(db)
    for (const { id } of rows) found.add(id)
  }
}

/** Nothing but the file itself says which addresses it contains. */
async function withBlobs(work: Work, { table, blob }: ForgetRule, match: UrlMatchConditions, found: Set<string>) {
  const { rows } = await sql<{ id: string; blob: string | null }>`
    select id, ${sql.ref(blob!)} as blob from ${sql.table(table)} where ${within(work, [])}`.execute(work.db)
  for (const { id, blob: file } of rows) {
    if (!file || found.has(id)) continue
    const text = Buffer.from((await work.files.read(file)) ?? []).toString('utf8')
    if (match.isIn(text)) found.add(id)
  }
}

async function collectBlobs(work: Work, table: string, id: string, column: string, ids: readonly string[]) {
  for (let at = 0; at < ids.length; at += BATCH) {
    const { rows } = await sql<{ blob: string | null }>`select ${sql.ref(column)} as blob from ${sql.table(table)}
      where ${sql.ref(id)} in (${sql.join(ids.slice(at, at + BATCH))})`.execute(work.db)
    for (const { blob } of rows) if (blob) work.blobs.add(blob)
  }
}

async function searchPages(work: Work, url: string | undefined): Promise<string[]> {
  const { db, teamId, match } = work
  const fits = (from: ExpressionBuilder<Tables, 'search_pages'>) =>
    from.or([
      ...(match ? [match.column('url'), match.column('canonical')] : [sql<boolean>`1 = 1`]),
      ...(url === undefined ? [] : [from('url_key', '=', pageKeyOf(url))]),
    ])
  const found = await db
    .selectFrom('search_pages')
    .select(['number', 'team_id'])
    .where(fits)
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .execute()
  await remove(
    work,
    'search_pages',
    found.map(({ number }) => number),
    'number',
  )
  const linked = match ? await withoutLinks(work, match) : []
  const forms = match ? [match.column('url'), ...(url === undefined ? [] : [match.key('url_key')])] : []
  await remove(work, 'page_versions', await idsIn(work, 'page_versions', 'id', forms))
  // Without an address the team's segments are removed, not rewritten.
  return match ? [...new Set([...found.map((row) => row.team_id), ...linked])] : []
}

async function withoutLinks(work: Work, match: UrlMatchConditions): Promise<string[]> {
  const rows = await work.db
    .selectFrom('search_pages')
    .select(['number', 'team_id'])
    .where('links_since', 'is not', null)
    .where(match.quotedKey('links'))
    .$if(work.teamId !== undefined, (query) => query.where('team_id', '=', work.teamId!))
    .execute()
  await inBatches(work, rows, async (tx, some) => {
    const numbers = some.map(({ number }) => number)
    await tx
      .updateTable('search_pages')
      .set({ links: null, links_since: null })
      .where('number', 'in', numbers)
      .execute()
  })
  return rows.map(({ team_id }) => team_id)
}

/** Keeps documents and captures that another team refers to. */
async function pages(work: Work, scrapes: readonly string[]): Promise<void> {
  const { db, match } = work
  const documents = new Set<string>()
  const captures = new Set<string>()
  await inBatches(work, scrapes, async (tx, some) => {
    const rows = await tx
      .selectFrom('scrapes')
      .innerJoin('documents', 'documents.id', 'scrapes.document_id')
      .select(['documents.id', 'documents.capture_id'])
      .where('scrapes.id', 'in', some)
      .execute()
    for (const { id, capture_id } of rows) {
      documents.add(id)
      if (capture_id !== null) captures.add(capture_id)
    }
    const { numDeletedRows } = await tx.deleteFrom('scrapes').where('id', 'in', some).executeTakeFirstOrThrow()
    count(work, 'scrapes', numDeletedRows)
  })
  // Captures have no team column.
  if (match) {
    const { rows } = await sql<{ id: string }>`
      select id from captures where ${match.column('url')} or ${match.text('head')}`.execute(db)
    for (const { id } of rows) captures.add(id)
  }
  const gone: string[] = []
  await inBatches(work, [...captures], async (tx, some) => {
    const shared = work.teamId === undefined ? new Set<string>() : await neededByOthers(tx, some)
    const free = some.filter((id) => !shared.has(id))
    if (free.length === 0) return
    gone.push(...free)
    const rows = await tx.selectFrom('captures').select('body_blob_id').where('id', 'in', free).execute()
    for (const { body_blob_id: file } of rows) if (file !== null) work.blobs.add(file)
    const made = await tx.selectFrom('documents').select('id').where('capture_id', 'in', free).execute()
    for (const { id } of made) documents.add(id)
  })
  const unowned = await unownedDocuments(db)
  await inBatches(work, [...new Set([...documents, ...unowned])], async (tx, some) => {
    const loose = await withoutScrapes(tx, some)
    if (loose.length === 0) return
    const rows = await tx.selectFrom('documents').select(['id', 'body']).where('id', 'in', loose).execute()
    for (const { id, body } of rows) {
      const text = Buffer.from(body).toString('latin1')
      if (documents.has(id) || match?.isIn(text)) for (const blob of findBlobIdsInMediaLinks(text)) work.blobs.add(blob)
    }
    const { numDeletedRows } = await tx.deleteFrom('documents').where('id', 'in', loose).executeTakeFirstOrThrow()
    count(work, 'documents', numDeletedRows)
  })
  await remove(work, 'captures', gone)
}

/** Documents of replaced captures have no team and no address, so all are removed. */
async function unownedDocuments(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from documents where capture_id is null
    and not exists (select 1 from scrapes where document_id = documents.id)
    and not exists (select 1 from search_outbox where document_id = documents.id)`.execute(db)
  return rows.map(({ id }) => id)
}

async function neededByOthers(tx: Tx, captures: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('documents')
    .innerJoin('scrapes', 'scrapes.document_id', 'documents.id')
    .select('documents.capture_id')
    .where('documents.capture_id', 'in', captures)
    .execute()
  return new Set(rows.flatMap(({ capture_id }) => (capture_id === null ? [] : [capture_id])))
}

async function withoutScrapes(tx: Tx, documents: readonly string[]): Promise<string[]> {
  const rows = await tx.selectFrom('scrapes').select('document_id').where('document_id', 'in', documents).execute()
  const used = new Set(rows.map(({ document_id }) => document_id))
  return documents.filter((id) => !used.has(id))
}

/** Rows that stay without the address: pages of other jobs keep their place, logs keep their sums. */
async function overwrite(work: Work, match: UrlMatchConditions): Promise<void> {
  const places = await idsIn(work, 'frontier', 'id', [match.column('url')], { table: 'jobs', column: 'job_id' })
  await inBatches(work, places, async (tx, some) => {
    await sql`update frontier set url = 'about:blank', url_key = id, scrape_id = null, error = null
      where id in (${sql.join(some)})`.execute(tx)
  })
  const calls = await idsIn(work, 'activity', 'id', [match.column('target'), match.text('target'), match.text('error')])
  await inBatches(work, calls, async (tx, some) => {
    await tx.updateTable('activity').set({ target: null, error: null }).where('id', 'in', some).execute()
  })
  const entries = await idsIn(work, 'audit_log', 'id', [match.text('details')])
  await inBatches(work, entries, async (tx, some) => {
    await tx.updateTable('audit_log').set({ details: '{}' }).where('id', 'in', some).execute()
  })
}
