// Opens and migrates the database. Only store/ contains SQL.

import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { batchConcurrentCalls } from '../base/batch-concurrent-calls.ts'
import { type Clock, DAY_MS, HOUR_MS } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { BucketOptions } from './blob-bucket.ts'
import { type BlobStorageOptions, type Blobs, blobsFolder, openBlobs } from './blobs.ts'
import { type BrowserLeases, openBrowserLeases } from './browser-leases.ts'
import {
  type CapabilityStorage,
  collectStorageRules,
  type StorageContext,
  type StorageRules,
} from './capability-storage.ts'
import { openPageStore, type PageStore } from './captures-and-scrapes.ts'
import { openDocumentBodyCache } from './document-body-cache.ts'
import { type HostsSeen, MAX_HOSTS_SEEN, openHostsSeen } from './first-seen-hosts.ts'
import { type ForgetReport, type ForgetTask, forgetRows, hasRunningWork } from './forget-rows.ts'
import { openFrontier } from './frontier.ts'
import type { Frontier } from './frontier-types.ts'
import { type Jobs, openJobs } from './jobs.ts'
import { type Keys, openKeys } from './keys.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { collectMigrationSteps } from './migrations/index.ts'
import { ownTableRules } from './own-table-rules.ts'
import { forgetInThread, sweepInThread, sweepPostgres, sweepSqlite } from './run-sweep.ts'
import { makeSecretSealer, openSealer, withSealedPages, withUnsealedFrontierTexts } from './sealed-documents.ts'
import { makeHeaderSealer, withSealedHeaders } from './sealed-headers.ts'
import { rotateSecretKey, secretKeyPath, withSealedSettings } from './sealed-settings.ts'
import { openSearchOutbox, type SearchOutbox } from './search-outbox.ts'
import { openSettings, type Settings } from './settings.ts'
import { openSharedHostDelays, type SharedHostDelays } from './shared-host-delays.ts'
import { databasePath, type OpenSqlite, openSqlite } from './sqlite.ts'
import type { RewriteExtent, SweepReport, SweepTask } from './sweep.ts'
import type { Db, Dialect, Tx } from './tables.ts'
import { openTeams, type Teams } from './teams.ts'
import { openTrackedPageSnapshots, type TrackedPageSnapshots } from './tracked-page-snapshots.ts'
import type { ForgetRequest } from './url-match-conditions.ts'
import { openWorkMessageStore, type WorkMessageStore, type WorkQueueSignals } from './work-message-store.ts'
import { openWorkerProcesses, type WorkerProcesses } from './worker-processes.ts'

export interface StoreOptions {
  databaseUrl: string | undefined
  dataDir: string
  /** Blobs go to PostgreSQL, for processes on several machines. Default: as other processes on this database do. */
  blobsInDatabase?: boolean
  bucket?: BucketOptions | undefined
  /** Opens although the files of this database lie in another bucket, and keeps them here from now on. */
  leaveBucket?: boolean
  clock: Clock
  log: Log
  storages?: readonly CapabilityStorage[]
  cacheMaxBytes: number
  cacheMaxAgeMs: number
  searchIndex?: boolean
  /** For the audit log and feedback; default one year. */
  auditMaxAgeMs?: number
  /** Limit for all snapshots of tracked pages, compressed (20 kB of text take about 6); default unlimited. */
  snapshotsMaxBytes?: number
  sightingsMax?: number
  /** Key that encrypts secrets. Default: in the data folder; with PostgreSQL, none. */
  secretKeyFile?: string | undefined
  janitorScript?: URL
}

export interface Store {
  dialect: Dialect
  /**
   * Inside `work`, await nothing but verbs on `tx`: SQLite has one connection, and anything else waits for this to end.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** May run together with others in one transaction, and again when one of them failed. */
  sharedTransaction(work: (tx: Tx) => Promise<void>): Promise<void>
  database: StorageContext
  teams: Teams
  keys: Keys
  ledger: Ledger
  pages: PageStore
  blobs: Blobs
  leases: BrowserLeases
  settings: Settings
  searchOutbox: SearchOutbox
  sightings: HostsSeen
  hostTurns: SharedHostDelays | undefined
  snapshots: TrackedPageSnapshots
  jobs: Jobs
  frontier: Frontier
  wakeUps: WorkMessageStore
  wakeUpSignals: WorkQueueSignals | undefined
  workers: WorkerProcesses
  ping(): Promise<void>
  /** A second call joins the running sweep, unless it requests more. */
  sweep(options?: { rewrite?: RewriteExtent }): Promise<SweepReport>
  /** Follow with a sweep with `rewrite`, which clears the freed space. */
  forget(request: ForgetRequest): Promise<ForgetReport>
  /** Returns the number of secrets; undefined when they are not encrypted. */
  rotateSecret(): Promise<number | undefined>
  hasWork(teamId: string): Promise<boolean>
  backlog(): SweepBacklog
  close(): Promise<void>
}

export interface SweepBacklog {
  writes: number
  /** About the length of SQLite's WAL. */
  bytes: number
  dueAt: number
}

type Sweep = (order: SweepTask, signal: AbortSignal) => Promise<SweepReport>

const FILE_SCAN_EVERY_MS = HOUR_MS
const YEAR_MS = 365 * DAY_MS

/** From source there is no compiled script, and Node 20 cannot start a thread on TypeScript. */
const compiledScript = import.meta.url.endsWith('.js') ? new URL('./sweep-worker.js', import.meta.url) : undefined

export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir, clock, log, storages = [], janitorScript: script = compiledScript } = options
  const steps = collectMigrationSteps(storages)
  const rules = collectStorageRules([ownTableRules, ...storages])
  const path = databasePath(dataDir)
  const backlog: SweepBacklog = { writes: 0, bytes: 0, dueAt: 0 }
  const onWrite = (bytes: number) => {
    backlog.writes += 1
    backlog.bytes += bytes
  }
  // Loaded on demand: the driver would cost an embedded service some 10 MB.
  const postgres = databaseUrl === undefined ? undefined : await import('./postgres.ts')
  const opened =
    postgres && databaseUrl !== undefined
      ? { dialect: 'postgres' as const, db: await postgres.openPostgres({ url: databaseUrl, log, onWrite, steps }) }
      : { dialect: 'sqlite' as const, ...(await openSqlite({ dataDir, log, onWrite, steps })) }
  const { db, dialect } = opened
  // Several machines on one PostgreSQL must share the key, so secrets are encrypted only when its file is named.
  const secretFile = options.secretKeyFile ?? (databaseUrl ? undefined : secretKeyPath(dataDir))
  const settings = secretFile ? await withSealedSettings(db, openSettings(db), secretFile) : openSettings(db)
  const { secret, profileKey, sightingsKey } = await ensureSecrets(settings)
  const sealer = openSealer(profileKey)
  const blobPlace = await placeBlobs(settings, options)
  const blobs = openBlobs(db, clock, blobPlace, Buffer.from(secret, 'hex'))
  const snapshots = openTrackedPageSnapshots(db, clock)
  const searchOutbox = openSearchOutbox(db, clock, options.searchIndex ?? true)
  const bodies = openDocumentBodyCache()
  const { sweepNow, forgetNow } = openUpkeep(opened, path, script)
  const sweeper = openSweeper(options, blobPlace, rules, backlog, sweepNow)
  const store: Store = {
    dialect,
    transaction: (work) => db.transaction().execute(work),
    sharedTransaction: dialect === 'sqlite' ? sharedTransactions(db) : (work) => db.transaction().execute(work),
    database: {
      ...{ db, dialect, clock, sealer, searchOutbox },
      headers: makeHeaderSealer(sealer),
      secrets: makeSecretSealer(Buffer.from(profileKey, 'hex')),
    },
    teams: openTeams(db, clock),
    keys: openKeys(db, clock),
    ledger: openLedger(db, clock),
    pages: withSealedPages(openPageStore(db, { dialect, clock, blobs, snapshots, searchOutbox, bodies }), sealer),
    blobs,
    leases: openBrowserLeases(db, clock),
    settings,
    searchOutbox,
    sightings: openHostsSeen(db, Buffer.from(sightingsKey, 'hex')),
    hostTurns: dialect === 'postgres' ? openSharedHostDelays(db, Buffer.from(sightingsKey, 'hex')) : undefined,
    snapshots,
    jobs: openJobs(db, dialect, clock),
    frontier: withUnsealedFrontierTexts(openFrontier(db, dialect, clock), sealer),
    wakeUps: openWorkMessageStore(db, clock, dialect),
    wakeUpSignals: postgres?.openWorkQueueSignals(databaseUrl!, log),
    workers: openWorkerProcesses(db, clock),
    async ping() {
      await (postgres ? postgres.assertNotMigrating(db) : sql`select 1`.execute(db))
      const trouble = opened.dialect === 'sqlite' ? opened.trouble() : undefined
      if (trouble === undefined) return
      // A service that is not ready receives no writes, so probe here whether writing works again.
      await db.transaction().execute((tx) => openSettings(tx).set('probed_at', String(clock.now())))
      if (opened.dialect === 'sqlite' && opened.trouble()) throw new Error(opened.trouble())
    },
    sweep: (options) => sweeper.sweep(options).finally(bodies.clear),
    async forget(request) {
      const forgotten = await forgetNow({ request, rules: rules.forget, blobPlace, sightingsKey })
      searchOutbox.forgotten()
      bodies.clear()
      return forgotten
    },
    hasWork: (teamId) => hasRunningWork(db, rules.busy, teamId),
    rotateSecret: async () => (secretFile ? rotateSecretKey(db, secretFile) : undefined),
    backlog: () => ({ ...backlog }),
    async close() {
      await sweeper.stop()
      await db.destroy()
    },
  }
  return withSealedHeaders(store)
}

async function ensureSecrets(settings: Store['settings']) {
  const ensure = (name: string) => settings.ensure(name, () => randomBytes(32).toString('hex'))
  const secret = await ensure('signing_secret')
  const profileKey = await ensure('profile_key')
  const sightingsKey = await ensure('sightings_key')
  await settings.ensure('instance_id', () => randomUUID())
  return { secret, profileKey, sightingsKey }
}

/** Begin and commit cost as much as a small write, so works of one turn of the event loop share them. */
function sharedTransactions(db: Db): Store['sharedTransaction'] {
  const run = batchConcurrentCalls<(tx: Tx) => Promise<void>, void>(
    async (works) => {
      await db.transaction().execute(async (tx) => {
        for (const work of works) await work(tx)
      })
      return () => undefined
    },
    () => setImmediate(),
  )
  return (work) => run('', work)
}

async function placeBlobs(settings: Settings, options: StoreOptions): Promise<BlobStorageOptions> {
  const { databaseUrl, dataDir, bucket, blobsInDatabase, leaveBucket = false } = options
  const place = { dir: blobsFolder(dataDir), bucket }
  if (databaseUrl === undefined) return place
  await assertSameBucket(settings, bucket?.bucket, leaveBucket)
  return { ...place, inDatabase: await keepsInDatabase(settings, blobsInDatabase) }
}

const BUCKET_SETTING = 'bucket'

/** A process that cannot read the files of the others must not start: its callers would get 404 for half of them. */
async function assertSameBucket(settings: Settings, bucket: string | undefined, leave: boolean): Promise<void> {
  const known = await settings.get(BUCKET_SETTING)
  if (known === bucket || (!known && !bucket)) return
  if (known && !leave)
    throw new Error(
      `The files of this database are in the bucket ${known}, and this process ${bucket ? `names the bucket ${bucket}` : 'names none'}, ` +
        'so it could not read them. Set ORB_S3_* as the other processes do. To give that bucket up, move its objects, stop all ' +
        'processes and run `npx orbweaver migrate --leave-bucket` with the new settings.',
    )
  await settings.set(BUCKET_SETTING, bucket ?? '')
}

const BLOBS_SETTING = 'blobs'

async function keepsInDatabase(settings: Settings, wanted: boolean | undefined): Promise<boolean> {
  const known = (await settings.get(BLOBS_SETTING)) === 'database'
  if (wanted && !known) await settings.set(BLOBS_SETTING, 'database')
  return known || wanted === true
}

/** SQLite is swept in a thread, because its statements block; without a script, on the requests' connection. */
function openUpkeep(
  opened: { dialect: 'postgres'; db: Db } | ({ dialect: 'sqlite' } & OpenSqlite),
  path: string,
  script: URL | undefined,
) {
  const sweepNow: Sweep = (order, signal) => {
    if (opened.dialect === 'postgres') return sweepPostgres(opened.db, order, signal)
    return script ? sweepInThread(script, path, order, signal) : sweepSqlite(opened, order, signal)
  }
  const forgetNow = (order: ForgetTask): Promise<ForgetReport> => {
    return opened.dialect === 'sqlite' && script ? forgetInThread(script, path, order) : forgetRows(opened.db, order)
  }
  return { sweepNow, forgetNow }
}

function openSweeper(
  options: StoreOptions,
  blobPlace: BlobStorageOptions,
  rules: StorageRules,
  backlog: SweepBacklog,
  sweepNow: Sweep,
) {
  const { clock, cacheMaxBytes, cacheMaxAgeMs } = options
  const {
    auditMaxAgeMs = YEAR_MS,
    sightingsMax = MAX_HOSTS_SEEN,
    snapshotsMaxBytes = Number.POSITIVE_INFINITY,
  } = options
  const stopping = new AbortController()
  let filesScannedAt = Number.NEGATIVE_INFINITY
  let running: Promise<SweepReport> | undefined

  async function run(rewrite: RewriteExtent | undefined): Promise<SweepReport> {
    const now = clock.now()
    const scanFiles = now - filesScannedAt >= FILE_SCAN_EVERY_MS
    const ages = { cacheMaxBytes, cacheMaxAgeMs, auditMaxAgeMs, snapshotsMaxBytes, sightingsMax }
    const order: SweepTask = { now, ...ages, rules, blobPlace, scanFiles, rewrite }
    backlog.writes = 0
    backlog.bytes = 0
    const report = await sweepNow(order, stopping.signal)
    if (scanFiles) filesScannedAt = now
    backlog.dueAt = report.nextDueAt ?? Number.POSITIVE_INFINITY
    return report
  }

  return {
    async sweep({ rewrite }: { rewrite?: RewriteExtent } = {}): Promise<SweepReport> {
      if (rewrite) await running?.catch(() => undefined)
      running ??= run(rewrite)
        .catch((error: unknown) => {
          backlog.dueAt = 0
          throw error
        })
        .finally(() => {
          running = undefined
        })
      return running
    },
    async stop(): Promise<void> {
      stopping.abort()
      await running?.catch(() => undefined)
    },
  }
}
