// API keys: creation, authentication, and the first key of a new installation. The store holds hashes only.
import { hash as hashOf, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../store/index.ts'
import type { KeyPermissions, KeyRow } from '../store/keys.ts'
import type { Tx, ZeroDataRetention } from '../store/tables.ts'

export interface Caller {
  teamId: string
  teamName: string
  plan: string
  keyId: string
  keyName: string
  zeroDataRetention: ZeroDataRetention
  rights: readonly string[]
  endpoints: readonly string[]
  formats: readonly string[]
  ipAllow: readonly string[]
  isLimited: boolean
  ofOperator: boolean
  /** Of the language model; null or absent: no limit. */
  modelTokensPerMonth?: number | null
  modelCostPerMonth?: number | null
}

/** Initial name; `is_operator` identifies the team, because names change. */
const DEFAULT_TEAM = 'default'
export const FIRST_KEY_NAME = 'first key'
export const OWNER_KEY_RULES: Partial<KeyPermissions> = { rights: ['admin'] }
/** Bounds what is hashed; longer than any valid key. */
const MAX_KEY_CHARS = 512
const KEY = /^fc-[0-9a-f]{32}$/

/** Released clients check the `fc-` prefix. */
export const makeApiKey = (): string => `fc-${randomBytes(16).toString('hex')}`

export const hashApiKey = (key: string): string => hashOf('sha256', key)

export async function authenticate(store: Store, presented: string): Promise<Caller | undefined> {
  if (presented === '' || presented.length > MAX_KEY_CHARS) return undefined
  const hash = hashApiKey(presented)
  const holder = await store.keys.byHash(hash)
  // The lookup is not constant-time; this comparison is.
  if (!holder || !timingSafeEqual(Buffer.from(holder.hash), Buffer.from(hash))) return undefined
  const { hash: _hash, ...caller } = holder
  return caller
}

/** The key, unless it was revoked or has expired. */
export async function findValidKey(
  { keys }: Pick<Store, 'keys'>,
  keyId: string | null | undefined,
  now: number,
): Promise<KeyRow | undefined> {
  const key = keyId ? await keys.get(keyId) : undefined
  const isOver = key && (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now))
  return isOver ? undefined : key
}

/** The key cannot be read again. */
export async function issueKey(
  store: Store,
  teamId: string,
  name: string,
  rules: Partial<KeyPermissions> = {},
  tx?: Tx,
): Promise<{ key: string; row: KeyRow }> {
  const key = makeApiKey()
  return { key, row: await store.keys.add({ ...rules, ...makeKeyRow(teamId, name, key) }, tx) }
}

/** The configured key, or one created at the first start. A revoked key or a missing file leads to a new one. */
export async function ensureFirstKey(options: {
  store: Store
  dataDir: string
  configuredKey: string | undefined
}): Promise<{ key: string; caller: Caller; isNew: boolean }> {
  const { store, dataDir, configuredKey } = options
  const team = await ensureTeam(store)
  const { key, isNew } = configuredKey ? { key: configuredKey, isNew: false } : await firstKey(store, team, dataDir)
  const caller = (await authenticate(store, key)) ?? (await admitConfigured(store, team, key))
  return { key, caller, isNew }
}

async function ensureTeam(store: Store): Promise<string> {
  const known = await store.teams.operator()
  if (known) return known.id
  try {
    return (await store.teams.create({ name: DEFAULT_TEAM, isOperator: true })).id
  } catch (error) {
    // Another process created it first.
    const made = await store.teams.operator()
    if (made) return made.id
    throw error
  }
}

async function firstKey(store: Store, teamId: string, dataDir: string): Promise<{ key: string; isNew: boolean }> {
  const path = join(dataDir, 'first-key')
  const kept = await readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
  if (KEY.test(kept) && (await authenticate(store, kept))?.teamId === teamId) return { key: kept, isNew: false }
  const { key } = await issueKey(store, teamId, FIRST_KEY_NAME, OWNER_KEY_RULES)
  await writePrivate(dataDir, path, `${key}\n`)
  return { key, isNew: true }
}

/** Created with its mode instead of chmod, so that it is never readable by others. */
async function writePrivate(dataDir: string, path: string, text: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const file = await open(partial, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.close()
    await rename(partial, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}

const makeKeyRow = (teamId: string, name: string, key: string) => ({
  teamId,
  name,
  hash: hashApiKey(key),
  hint: key.slice(-4),
})

async function admitConfigured(store: Store, teamId: string, key: string): Promise<Caller> {
  if (key.length > MAX_KEY_CHARS) throw new Error(`The key in ORB_API_KEY is longer than ${MAX_KEY_CHARS} characters.`)
  const failure = await store.keys.add({ ...OWNER_KEY_RULES, ...makeKeyRow(teamId, 'configured', key) }).then(
    () => undefined,
    (error: unknown) => error,
  )
  // The failure may mean that another process added it first.
  const caller = await authenticate(store, key)
  if (caller) return caller
  throw new Error('The key in ORB_API_KEY cannot be used: it was revoked. Choose another one.', { cause: failure })
}
