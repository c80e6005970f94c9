// Removes everything stored about an address, a host or a team; credits, counts and ids stay. Deleted data may
// remain in free space of the files until a sweep with `rewrite`.
import { rm } from 'node:fs/promises'
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { pageKey, withoutWww } from '../base/url-key.ts'
import { blobPath, tokenIds } from './blobs.ts'
import { againAfterDeadlock } from './deadlock.ts'
import { printOf } from './hosts-seen.ts'
import type { Db, Tables, Tx } from './tables.ts'

export interface ForgetRequest {
  /** Neither `url` nor `host`: everything of the team. */
  url?: string | undefined
  host?: string | undefined
  /** Undefined: all teams. */
  teamId?: string | undefined
}

export interface Forgotten {
  removed: Record<string, number>
  /** Teams whose search index held such pages; their segments must be rewritten. */
  indexes: string[]
}

const BATCH = 400

interface ForgetContext {
  blobsDir: string
  sightingsKey: Buffer
}

export async function forget(
  db: Db,
  { blobsDir, sightingsKey }: ForgetContext,
  wish: ForgetRequest,
): Promise<Forgotten> {
  const names = namesOf(wish)
  const host = wish.host ?? (wish.url !== undefined && URL.canParse(wish.url) ? new URL(wish.url).hostname : undefined)
  const print = host === undefined ? undefined : printOf(sightingsKey, host)
  const done = await againAfterDeadlock(() => db.transaction().execute((tx) => rowsOf(tx, wish, names, print)))
  for (const id of done.files) await rm(blobPath(blobsDir, id), { force: true })
  return { removed: done.removed, indexes: done.indexes }
}

/** Conditions that match the address in a URL column, in text, in a page key, and in JSON with page keys. */
interface Names {
  column(name: string): RawBuilder<boolean>
  text(name: string): RawBuilder<boolean>
  key(name: string): RawBuilder<boolean>
  quotedKey(name: string): RawBuilder<boolean>
}

function namesOf({ url, host }: ForgetRequest): Names | undefined {
  if (url !== undefined) {
    const bare = url.replace(/#.*$/, '').replace(/\/$/, '')
    const forms = [...new Set([url, bare, `${bare}/`])]
    const key = pageKey(url)
    return {
      key: (name) => sql<boolean>`${sql.ref(name)} = ${key}`,
      quotedKey: (name) => sql<boolean>`${sql.ref(name)} like ${`%${escaped(JSON.stringify(key))}%`} escape '!'`,
      column: (name) => sql<boolean>`${sql.ref(name)} in (${sql.join(forms)})`,
      text: (name) => sql<boolean>`${sql.ref(name)} like ${`%${escaped(bare)}%`} escape '!'`,
    }
  }
  if (host !== undefined) {
    const low = escaped(host.toLowerCase())
    const starts = ['http', 'https'].flatMap((scheme) => [
      `${scheme}://${low}/%`,
      `${scheme}://${low}:%`,
      `${scheme}://${low}`,
    ])
    const inside = [`%://${low}/%`, `%://${low}:%`, `%://${low}"%`]
    const any = (name: string, forms: readonly string[]) =>
      sql<boolean>`(${sql.join(
        forms.map((form) => sql`lower(${sql.ref(name)}) like ${form} escape '!'`),
        sql` or `,
      )})`
    // Page keys omit `www.`, so both hosts are removed.
    const site = escaped(withoutWww(host.toLowerCase()))
    return {
      column: (name) => any(name, starts),
      text: (name) => any(name, inside),
      key: (name) => any(name, [`${site}/%`, `${site}:%`]),
      quotedKey: (name) => any(name, [`%"${site}/%`, `%"${site}:%`]),
    }
  }
  return undefined
}

const escaped = (text: string): string => text.replace(/[!%_]/g, '!$&')

interface Work {
  tx: Tx
  teamId: string | undefined
  names: Names | undefined
  removed: Record<string, number>
  files: Set<string>
}

async function rowsOf(tx: Tx, { url, teamId }: ForgetRequest, names: Names | undefined, print: string | undefined) {
  const work: Work = { tx, teamId, names, removed: {}, files: new Set() }
  const indexes = await searchPages(work, url)
  await runsAndMonitors(work)
  await jobs(work)
  await pages(work)
  await books(work)
  // `host_sightings` has no team column.
  if (print !== undefined) await drop(work, 'host_sightings', [print], 'print')
  if (!names) await ownedByTeam(work)
  await blobs(work)
  return { removed: work.removed, files: work.files, indexes }
}

type Deletable = keyof Tables & string

async function idsOf(
  { tx, teamId, names }: Work,
  table: Deletable,
  where: { columns?: readonly string[]; texts?: readonly string[]; keys?: readonly string[]; id?: string },
): Promise<string[]> {
  const forms = names
    ? [
        ...(where.columns ?? []).map(names.column),
        ...(where.texts ?? []).map(names.text),
        ...(where.keys ?? []).map(names.key),
      ]
    : [sql<boolean>`1 = 1`]
  const of = teamId === undefined ? sql`` : sql` and team_id = ${teamId}`
  const id = where.id ?? 'id'
  const { rows } = await sql<{ id: string }>`
    select distinct ${sql.ref(id)} as id from ${sql.table(table)} where (${sql.join(forms, sql` or `)})${of}`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

async function drop(work: Work, table: Deletable, ids: readonly string[], column = 'id'): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = ids.slice(at, at + BATCH)
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(some)})`.execute(work.tx)
    if (numAffectedRows > 0n) work.removed[table] = (work.removed[table] ?? 0) + Number(numAffectedRows)
  }
}

async function searchPages(work: Work, url: string | undefined): Promise<string[]> {
  const { tx, teamId, names } = work
  const fits = (from: ExpressionBuilder<Tables, 'search_pages'>) =>
    from.or([
      ...(names ? [names.column('url'), names.column('canonical')] : [sql<boolean>`1 = 1`]),
      ...(url === undefined ? [] : [from('url_key', '=', pageKey(url))]),
    ])
  const found = await tx
    .selectFrom('search_pages')
    .select(['number', 'team_id'])
    .where(fits)
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .execute()
  await drop(
    work,
    'search_pages',
    found.map(({ number }) => String(number)),
    'number',
  )
  const others = names ? await withoutLinks(work, names) : []
  const versions = await tx
    .selectFrom('page_versions')
    .select('id')
    .where((from) =>
      from.or([
        names ? names.column('url') : sql<boolean>`1 = 1`,
        ...(url === undefined ? [] : [from('url_key', '=', pageKey(url))]),
      ]),
    )
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .execute()
  await drop(
    work,
    'page_versions',
    versions.map(({ id }) => id),
  )
  await drop(work, 'search_outbox', await idsOf(work, 'search_outbox', { columns: ['url'] }))
  await drop(work, 'search_votes', await idsOf(work, 'search_votes', { keys: ['url_key'] }))
  if (!names) {
    const own = { teamId: teamId! }
    await drop(work, 'searches', [own.teamId], 'team_id')
    await drop(work, 'search_teams', [own.teamId], 'team_id')
    await drop(work, 'search_segments', [own.teamId], 'team_id')
    return []
  }
  return [...new Set([...found.map((row) => row.team_id), ...others])]
}

/** Returns the teams whose pages lost link texts. */
async function withoutLinks({ tx, teamId }: Work, names: Names): Promise<string[]> {
  const rows = await tx
    .updateTable('search_pages')
    .set({ links: null, links_since: null })
    .where('links_since', 'is not', null)
    .where(names.quotedKey('links'))
    .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
    .returning('team_id')
    .execute()
  return rows.map(({ team_id }) => team_id)
}

async function runsAndMonitors(work: Work): Promise<void> {
  const runs = new Set(await idsOf(work, 'agent_runs', { texts: ['body', 'result', 'error', 'webhook'] }))
  if (work.names) {
    const own =
      work.teamId === undefined ? sql`` : sql` and run_id in (select id from agent_runs where team_id = ${work.teamId})`
    for (const [table, texts] of [
      ['agent_steps', ['input', 'result']],
      ['agent_events', ['body']],
    ] as const) {
      const forms = texts.map((text) => work.names!.text(text))
      const { rows } = await sql<{ id: string }>`
        select distinct run_id as id from ${sql.table(table)} where (${sql.join(forms, sql` or `)})${own}`.execute(
        work.tx,
      )
      for (const { id } of rows) runs.add(id)
    }
  }
  await drop(work, 'agent_runs', [...runs])
  await drop(work, 'monitors', await idsOf(work, 'monitors', { texts: ['targets', 'webhook', 'notification'] }))
  if (work.names) {
    const mine =
      work.teamId === undefined
        ? sql``
        : sql` and monitor_id in (select id from monitors where team_id = ${work.teamId})`
    for (const table of ['monitor_check_pages', 'monitor_pages'] as const) {
      const { numAffectedRows = 0n } =
        await sql`delete from ${sql.table(table)} where ${work.names.column('url')}${mine}`.execute(work.tx)
      if (numAffectedRows > 0n) work.removed[table] = Number(numAffectedRows)
    }
  }
  await drop(work, 'monitor_notices', await idsOf(work, 'monitor_notices', { texts: ['message'] }))
}

/** Jobs started for the address are removed; pages in other jobs lose their address and result. */
async function jobs(work: Work): Promise<void> {
  const { tx, teamId, names } = work
  const asked = new Set(await idsOf(work, 'jobs', { columns: ['url'], texts: ['settings', 'webhook'] }))
  if (names) {
    const { rows } = await sql<{ id: string }>`
      select job_id as id from job_options where ${names.text('body')}${
        teamId === undefined ? sql`` : sql` and job_id in (select id from jobs where team_id = ${teamId})`
      }`.execute(tx)
    for (const { id } of rows) asked.add(id)
  }
  await drop(work, 'jobs', [...asked])
  await drop(work, 'deliveries', await idsOf(work, 'deliveries', { columns: ['url'], texts: ['body'] }))
  if (!names) return
  const own = teamId === undefined ? sql`` : sql` and job_id in (select id from jobs where team_id = ${teamId})`
  await sql`update frontier set url = 'about:blank', url_key = id, scrape_id = null, error = null
    where ${names.column('url')}${own}`.execute(tx)
}

/** Keeps documents and captures that another team refers to. */
async function pages(work: Work): Promise<void> {
  const { tx, teamId, names } = work
  const scrapes = await idsOf(work, 'scrapes', { columns: ['url'], texts: names ? ['overlay'] : [] })
  const documents = new Set<string>()
  const captures = new Set<string>()
  for (let at = 0; at < scrapes.length; at += BATCH) {
    const rows = await tx
      .selectFrom('scrapes')
      .innerJoin('documents', 'documents.id', 'scrapes.document_id')
      .select(['documents.id', 'documents.capture_id'])
      .where('scrapes.id', 'in', scrapes.slice(at, at + BATCH))
      .execute()
    for (const { id, capture_id } of rows) {
      documents.add(id)
      if (capture_id !== null) captures.add(capture_id)
    }
    const sessions = await tx
      .selectFrom('sessions')
      .select('recording')
      .where('scrape_id', 'in', scrapes.slice(at, at + BATCH))
      .execute()
    for (const { recording } of sessions) if (recording) work.files.add(recording)
  }
  await drop(work, 'sessions', scrapes, 'scrape_id')
  await drop(work, 'scrapes', scrapes)
  // Captures have no team column: what the operator forgets is gone for all teams.
  if (names) {
    const { rows } = await sql<{ id: string }>`
      select id from captures where ${names.column('url')} or ${names.text('head')}`.execute(tx)
    for (const { id } of rows) captures.add(id)
  }
  const shared = teamId === undefined ? new Set<string>() : await neededByOthers(tx, [...captures])
  const gone = [...captures].filter((id) => !shared.has(id))
  for (let at = 0; at < gone.length; at += BATCH) {
    const some = gone.slice(at, at + BATCH)
    const rows = await tx.selectFrom('captures').select('body_blob_id').where('id', 'in', some).execute()
    for (const { body_blob_id: file } of rows) if (file !== null) work.files.add(file)
    const made = await tx.selectFrom('documents').select('id').where('capture_id', 'in', some).execute()
    for (const { id } of made) documents.add(id)
  }
  const loose = await withoutScrapes(tx, [...documents])
  for (const id of await picturesIn(tx, loose)) work.files.add(id)
  await drop(work, 'documents', loose)
  await drop(work, 'captures', gone)
  await drop(work, 'snapshots', await idsOf(work, 'snapshots', { columns: ['url'] }))
}

async function neededByOthers(tx: Tx, captures: readonly string[]): Promise<Set<string>> {
  const needed = new Set<string>()
  for (let at = 0; at < captures.length; at += BATCH) {
    const rows = await tx
      .selectFrom('documents')
      .innerJoin('scrapes', 'scrapes.document_id', 'documents.id')
      .select('documents.capture_id')
      .where('documents.capture_id', 'in', captures.slice(at, at + BATCH))
      .execute()
    for (const { capture_id } of rows) if (capture_id !== null) needed.add(capture_id)
  }
  return needed
}

async function withoutScrapes(tx: Tx, documents: readonly string[]): Promise<string[]> {
  const used = new Set<string>()
  for (let at = 0; at < documents.length; at += BATCH) {
    const some = documents.slice(at, at + BATCH)
    const rows = await tx.selectFrom('scrapes').select('document_id').where('document_id', 'in', some).execute()
    for (const { document_id } of rows) used.add(document_id)
  }
  return documents.filter((id) => !used.has(id))
}

async function picturesIn(tx: Tx, documents: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (let at = 0; at < documents.length; at += BATCH) {
    const some = documents.slice(at, at + BATCH)
    const rows = await tx.selectFrom('documents').select('body').where('id', 'in', some).execute()
    for (const { body } of rows) found.push(...tokenIds(Buffer.from(body).toString('latin1')))
  }
  return found
}

/** Removes what the logs hold; sums stay. */
async function books(work: Work): Promise<void> {
  const { tx, names, teamId } = work
  if (!names) {
    await drop(work, 'activity', [teamId!], 'team_id')
    await drop(work, 'feedback', [teamId!], 'team_id')
    return
  }
  await drop(work, 'feedback', await idsOf(work, 'feedback', { texts: ['body'] }))
  const own = teamId === undefined ? sql`` : sql` and team_id = ${teamId}`
  await sql`update activity set target = null, error = null where (${names.column('target')} or ${names.text('error')})${own}`.execute(
    tx,
  )
  await sql`update audit_log set details = '{}' where ${names.text('details')}${own}`.execute(tx)
}

async function ownedByTeam(work: Work): Promise<void> {
  const { tx } = work
  const teamId = work.teamId!
  const films = await tx.selectFrom('sessions').select('recording').where('team_id', '=', teamId).execute()
  for (const { recording } of films) if (recording) work.files.add(recording)
  const files = await tx.selectFrom('blobs').select('id').where('team_id', '=', teamId).execute()
  for (const { id } of files) work.files.add(id)
  const uploads = await tx.selectFrom('uploads').select('blob_id').where('team_id', '=', teamId).execute()
  for (const { blob_id } of uploads) if (blob_id) work.files.add(blob_id)
  for (const table of ['uploads', 'sessions', 'profiles', 'idempotency'] as const)
    await drop(work, table, [teamId], 'team_id')
}

const blobs = (work: Work): Promise<void> => drop(work, 'blobs', [...work.files])

export async function hasWork(db: Db, teamId: string): Promise<boolean> {
  const { rows } = await sql<{ n: number | string }>`
    select (select count(*) from jobs where team_id = ${teamId} and state = 'scraping')
      + (select count(*) from agent_runs where team_id = ${teamId} and state = 'processing')
      + (select count(*) from sessions where team_id = ${teamId} and state = 'active') as n`.execute(db)
  return Number(rows[0]?.n ?? 0) > 0
}
