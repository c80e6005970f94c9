// Encrypts secret settings (AES-256-GCM) under a key in its own file, so that a stolen database reveals none.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueOr } from '../base/attempt.ts'
import { decrypt, encrypt } from '../base/authenticated-encryption.ts'
import { isSecretSetting, type Settings } from './settings.ts'
import type { Db } from './tables.ts'

export const SECRET_KEY_FILE = 'secret-key'
export const secretKeyPath = (dataDir: string): string => join(dataDir, SECRET_KEY_FILE)

const MARK = 'sealed1:'

export async function withSealedSettings(db: Db, settings: Settings, file: string): Promise<Settings> {
  const ring = openRing(file)
  const rows = (await db.selectFrom('settings').selectAll().execute()).filter(({ name }) => isSecretSetting(name))
  // Encrypted values need their key: creating another would lose them.
  if (!ring.exists() && rows.some(({ value }) => value.startsWith(MARK))) throw makeLostKeyError(file)
  for (const { name, value } of rows) if (value.startsWith(MARK)) ring.open(name, value)
  for (const { name, value } of rows) if (!value.startsWith(MARK)) await settings.set(name, ring.seal(name, value))
  return {
    async get(name) {
      const value = await settings.get(name)
      return value === undefined || !isSecretSetting(name) ? value : ring.open(name, value)
    },
    named: settings.named,
    remove: settings.remove,
    set: (name, value) => settings.set(name, isSecretSetting(name) ? ring.seal(name, value) : value),
    async ensure(name, make) {
      if (!isSecretSetting(name)) return settings.ensure(name, make)
      return ring.open(name, await settings.ensure(name, () => ring.seal(name, make())))
    },
  }
}

export async function rotateSecretKey(db: Db, file: string): Promise<number> {
  const ring = openRing(file)
  const fresh = randomBytes(32)
  rmSync(nextOf(file), { force: true })
  writeKey(nextOf(file), fresh)
  const count = await db.transaction().execute(async (tx) => {
    const rows = (await tx.selectFrom('settings').selectAll().execute()).filter(({ name }) => isSecretSetting(name))
    for (const { name, value } of rows) {
      const sealed = seal(fresh, name, ring.open(name, value))
      await tx.updateTable('settings').set({ value: sealed }).where('name', '=', name).execute()
    }
    return rows.length
  })
  renameSync(nextOf(file), file)
  return count
}

const nextOf = (file: string): string => `${file}.next`

function openRing(file: string) {
  const read = (path: string): Buffer | undefined => {
    if (!existsSync(path)) return undefined
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
    if (key.length !== 32) throw new Error(`${path} does not hold a key: 64 hexadecimal digits are expected.`)
    return key
  }
  const readCurrentKey = (): Buffer => {
    const known = read(file)
    if (known) return known
    try {
      writeKey(file, randomBytes(32))
    } catch (error) {
      // Another process created the key first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return read(file)!
  }
  return {
    exists: () => existsSync(file) || existsSync(nextOf(file)),
    // Reads the file each time: secrets are few, and another process may have rotated the key.
    seal: (name: string, value: string) => seal(readCurrentKey(), name, value),
    open(name: string, value: string) {
      if (!value.startsWith(MARK)) return value
      const known = read(file)
      const opened = known && tryOpen(known, name, value)
      if (opened !== undefined) return opened
      const next = read(nextOf(file))
      const byNext = next && tryOpen(next, name, value)
      if (byNext === undefined) throw makeLostKeyError(file)
      // A rotation was interrupted after its commit.
      renameSync(nextOf(file), file)
      return byNext
    },
  }
}

function writeKey(path: string, key: Buffer): void {
  writeFileSync(path, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
}

const makeLostKeyError = (file: string): Error =>
  new Error(
    `The secrets of this database are sealed with a key that ${file} does not hold. Bring that file back (a backup has it), or name it with ORB_SECRET_KEY_FILE.`,
  )

const seal = (key: Buffer, name: string, value: string): string =>
  MARK + encrypt(key, Buffer.from(value), name).toString('base64')

const tryOpen = (key: Buffer, name: string, value: string): string | undefined =>
  valueOr(undefined, () => decrypt(key, Buffer.from(value.slice(MARK.length), 'base64'), name).toString())
