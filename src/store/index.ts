// Opens and migrates the database. Only store/ contains SQL.

import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { type BlobPlace, type Blobs, blobsDir, openBlobs } from './blobs.ts'
import type { BucketOptions } from './bucket.ts'
import { type ForgetOrder, type Forgotten, forget, hasWork } from './forget.ts'
import type { ForgetRequest } from './forget-names.ts'
import { openFrontier } from './frontier.ts'
import type { Frontier } from './frontier-types.ts'
import { type HostTurns, openHostTurns } from './host-turns.ts'
import { type HostsSeen, MAX_SIGHTINGS, openHostsSeen } from './hosts-seen.ts'
import { type Jobs, openJobs } from './jobs.ts'
import { type Keys, openKeys } from './keys.ts'
import { type Leases, openLeases } from './leases.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { stepsWith } from './migrations/index.ts'
import { ownRules } from './own-expiry.ts'
import { openPages, type Pages } from './pages.ts'
import { openSealer, sealedPages, sealedTexts, secretSealer } from './sealed.ts'
import { headerSealer, sealHeaders } from './sealed-headers.ts'
import { openSearchOutbox, type SearchOutbox } from './search-outbox.ts'
import { rotateSecretKey, sealSettings, secretKeyPath } from './secrets.ts'
import { openSettings, type Settings } from './settings.ts'
import { openSnapshots, type Snapshots } from './snapshots.ts'
import { databasePath, type OpenSqlite, openSqlite } from './sqlite.ts'
import { type Database, rulesOf, type Storage, type StorageRules } from './storage.ts'
import type { Rewrite, SweepOrder, SweepReport } from './sweep.ts'
import { forgetInThread, sweepInThread, sweepPostgres, sweepSqlite } from './sweep-runs.ts'
import type { Db, Dialect, Tx } from './tables.ts'
import { openTeams, type Teams } from './teams.ts'
import { openWakeUps, type WakeUpSignals, type WakeUps } from './wake-ups.ts'
import { openWorkers, type Workers } from './workers.ts'

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
  storages?: readonly Storage[]
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
  database: Database
  teams: Teams
  keys: Keys
  ledger: Ledger
  pages: Pages
  blobs: Blobs
  leases: Leases
  settings: Settings
  searchOutbox: SearchOutbox
  sightings: HostsSeen
  hostTurns: HostTurns | undefined
  snapshots: Snapshots
  jobs: Jobs
  frontier: Frontier
  wakeUps: WakeUps
  wakeUpSignals: WakeUpSignals | undefined
  workers: Workers
  ping(): Promise<void>
  /** A second call joins the running sweep, unless it requests more. */
  sweep(options?: { rewrite?: Rewrite }): Promise<SweepReport>
  /** Follow with a sweep with `rewrite`, which clears the freed space. */
  forget(request: ForgetRequest): Promise<Forgotten>
  /** Returns the number of secrets; undefined when they are not encrypted. */
  rotateSecret(): Promise<number | undefined>
  hasWork(teamId: string): Promise<boolean>
  backlog(): Backlog
  close(): Promise<void>
}

export interface Backlog {
  writes: number
  /** About the length of SQLite's WAL. */
  bytes: number
  dueAt: number
}

type Sweep = (order: SweepOrder, signal: AbortSignal) => Promise<SweepReport>

const FILE_SCAN_EVERY_MS = 3_600_000
const YEAR_MS = 365 * 86_400_000

/** From source there is no compiled script, and Node 20 cannot start a thread on TypeScript. */
const compiledScript = import.meta.url.endsWith('.js') ? new URL('./sweep-worker.js', import.meta.url) : undefined

export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir, clock, log, storages = [], janitorScript: script = compiledScript } = options
  const steps = stepsWith(storages)
  const rules = rulesOf([ownRules, ...storages])
  const path = databasePath(dataDir)
  const backlog: Backlog = { writes: 0, bytes: 0, dueAt: 0 }
  const onWrite = (bytes: number) => {
    backlog.writes += 1
    backlog.bytes += bytes
  }
  // Loaded on demand: the driver would cost an embedded service some 10 MB.
  const postgres = databaseUrl === undefined ? undefined : await import('./postgres.ts')
  const opened =
    postgres && databaseUrl !== undefined
      ? {
          dialect: 'postgres' as const,
          db: await postgres.openPostgres({ url: databaseUrl, log, onWrite, steps }),
        }
      : { dialect: 'sqlite' as const, ...(await openSqlite({ dataDir, log, onWrite, steps })) }
  const { db, dialect } = opened
  // Several machines on one PostgreSQL must share the key, so secrets are encrypted only when its file is named.
  const secretFile = options.secretKeyFile ?? (databaseUrl ? undefined : secretKeyPath(dataDir))
  const settings = secretFile ? await sealSettings(db, openSettings(db), secretFile) : openSettings(db)
  const secret = await settings.ensure('signing_secret', () => randomBytes(32).toString('hex'))
  const profileKey = await settings.ensure('profile_key', () => randomBytes(32).toString('hex'))
  const sightingsKey = await settings.ensure('sightings_key', () => randomBytes(32).toString('hex'))
  await settings.ensure('instance_id', () => randomUUID())
  const sealer = openSealer(profileKey)
  const blobPlace = await placeBlobs(settings, options)
  const blobs = openBlobs(db, clock, blobPlace, Buffer.from(secret, 'hex'))
  const snapshots = openSnapshots(db, clock)
  const searchOutbox = openSearchOutbox(db, clock, options.searchIndex ?? true)
  const { sweepNow, forgetNow } = openUpkeep(opened, path, script)
  const sweeper = openSweeper(options, blobPlace, rules, backlog, sweepNow)
  const store: Store = {
    dialect,
    transaction: (work) => db.transaction().execute(work),
    database: {
      db,
      dialect,
      clock,
      sealer,
      searchOutbox,
      headers: headerSealer(sealer),
      secrets: secretSealer(Buffer.from(profileKey, 'hex')),
    },
    teams: openTeams(db, clock),
    keys: openKeys(db, clock),
    ledger: openLedger(db, clock),
    pages: sealedPages(openPages(db, { dialect, clock, blobs, snapshots, searchOutbox }), sealer),
    blobs,
    leases: openLeases(db, clock),
    settings,
    searchOutbox,
    sightings: openHostsSeen(db, Buffer.from(sightingsKey, 'hex')),
    hostTurns: dialect === 'postgres' ? openHostTurns(db, Buffer.from(sightingsKey, 'hex')) : undefined,
    snapshots,
    jobs: openJobs(db, dialect, clock),
    frontier: sealedTexts(openFrontier(db, dialect, clock), sealer),
    wakeUps: openWakeUps(db, clock, dialect),
    wakeUpSignals: postgres?.openWakeUpSignals(databaseUrl!, log),
    workers: openWorkers(db, clock),
    async ping() {
      await (postgres ? postgres.assertNotMigrating(db) : sql`select 1`.execute(db))
      const trouble = opened.dialect === 'sqlite' ? opened.trouble() : undefined
      if (trouble === undefined) return
      // A service that is not ready receives no writes, so probe here whether writing works again.
      await db.transaction().execute((tx) => openSettings(tx).set('probed_at', String(clock.now())))
      if (opened.dialect === 'sqlite' && opened.trouble()) throw new Error(opened.trouble())
    },
    sweep: sweeper.sweep,
    async forget(request) {
      const order = { request, rules: rules.forget, blobPlace, sightingsKey }
      const forgotten = await forgetNow(order)
      searchOutbox.forgotten()
      return forgotten
    },
    hasWork: (teamId) => hasWork(db, rules.busy, teamId),
    rotateSecret: async () => (secretFile ? rotateSecretKey(db, secretFile) : undefined),
    backlog: () => ({ ...backlog }),
    async close() {
      await sweeper.stop()
      await db.destroy()
    },
  }
  return sealHeaders(store)
}

async function placeBlobs(settings: Settings, options: StoreOptions): Promise<BlobPlace> {
  const { databaseUrl, dataDir, bucket, blobsInDatabase, leaveBucket = false } = options
  const place = { dir: blobsDir(dataDir), bucket }
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
      `The files of this database lie in the bucket ${known}, and this process ${bucket ? `names the bucket ${bucket}` : 'names none'}, ` +
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
  const forgetNow = (order: ForgetOrder): Promise<Forgotten> => {
    return opened.dialect === 'sqlite' && script ? forgetInThread(script, path, order) : forget(opened.db, order)
  }
  return { sweepNow, forgetNow }
}

function openSweeper(
  options: StoreOptions,
  blobPlace: BlobPlace,
  rules: StorageRules,
  backlog: Backlog,
  sweepNow: Sweep,
) {
  const { clock, cacheMaxBytes, cacheMaxAgeMs } = options
  const {
    auditMaxAgeMs = YEAR_MS,
    sightingsMax = MAX_SIGHTINGS,
    snapshotsMaxBytes = Number.POSITIVE_INFINITY,
  } = options
  const stopping = new AbortController()
  let filesScannedAt = Number.NEGATIVE_INFINITY
  let running: Promise<SweepReport> | undefined

  async function run(rewrite: Rewrite | undefined): Promise<SweepReport> {
    const now = clock.now()
    const scanFiles = now - filesScannedAt >= FILE_SCAN_EVERY_MS
    const ages = { cacheMaxBytes, cacheMaxAgeMs, auditMaxAgeMs, snapshotsMaxBytes, sightingsMax }
    const order: SweepOrder = { now, ...ages, rules, blobPlace, scanFiles, rewrite }
    backlog.writes = 0
    backlog.bytes = 0
    const report = await sweepNow(order, stopping.signal)
    if (scanFiles) filesScannedAt = now
    backlog.dueAt = report.nextDueAt ?? Number.POSITIVE_INFINITY
    return report
  }

  return {
    async sweep({ rewrite }: { rewrite?: Rewrite } = {}): Promise<SweepReport> {
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
