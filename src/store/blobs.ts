// Bytes too large for a row: a file or an object, named by id, each with a row.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { type BucketOptions, openBucket } from './blob-bucket.ts'
import { openBlobFolder } from './blob-folder.ts'
import { type BlobSource, type BlobStorage, type ByteRange, combineBlobStorages } from './blob-storage.ts'
import { openBlobTable } from './blob-table.ts'
import { newId } from './id.ts'
import type { Db } from './tables.ts'

/** Plain data, because it is sent to the sweep thread. */
export interface BlobStorageOptions {
  dir: string
  /** Instead of the folder, which other machines cannot read. */
  inDatabase?: boolean | undefined
  bucket?: BucketOptions | undefined
}

export function openBlobStorage({ dir, inDatabase, bucket }: BlobStorageOptions, db: Db): BlobStorage {
  const folder = openBlobFolder(dir)
  const here = inDatabase ? ([openBlobTable(db), folder] as const) : ([folder] as const)
  return combineBlobStorages(bucket ? [openBucket(bucket), ...here] : here)
}

interface NewBlob {
  contentType: string
  teamId?: string | null
  expiresAt: number
  maxBytes?: number
  /** Only this process reads it, and removes it soon: it stays in the data folder, and in no log of a database. */
  local?: boolean
}

interface OpenBlob {
  contentType: string
  /** Size of the whole blob, even when only a part is read. */
  bytes: number
  part?: ByteRange | undefined
  /** Must be read to its end or destroyed: it holds an open file. */
  stream: Readable
}

export interface Blobs {
  put(source: BlobSource, blob: NewBlob): Promise<{ id: string; bytes: number }>
  read(id: string): Promise<Uint8Array | undefined>
  /** The token works without an API key. */
  sign(id: string, expiresAt: number): string
  /** Where a valid token's blob is served without us; undefined when it is not, or has to be opened here. */
  directLink(token: string): Promise<string | undefined>
  /** Undefined for an invalid or expired token and a missing blob. `part` maps the size to an inclusive range. */
  open(token: string, part?: (bytes: number) => ByteRange | undefined): Promise<OpenBlob | undefined>
  remove(id: string): Promise<void>
}

export const blobsFolder = (dataDir: string): string => join(dataDir, 'blobs')

export function openBlobs(db: Db, clock: Clock, place: BlobStorageOptions, secret: Buffer): Blobs {
  const files = openBlobStorage(place, db)
  const folder = openBlobFolder(place.dir)
  const remove = async (id: string) => {
    await db.deleteFrom('blobs').where('id', '=', id).execute()
    await files.remove(id)
  }
  const find = (id: string) =>
    db
      .selectFrom('blobs')
      .select(['content_type as contentType', 'bytes', 'expires_at as expiresAt'])
      .where('id', '=', id)
      .executeTakeFirst()
  const behind = async (token: string) => {
    const claim = openToken(token, secret)
    if (!claim || claim.expiresAt <= clock.now()) return undefined
    const row = await find(claim.id)
    if (!row || (row.expiresAt !== null && row.expiresAt <= clock.now())) return undefined
    return { id: claim.id, ...row }
  }
  return {
    async put(source, { contentType, teamId = null, expiresAt, maxBytes = Number.POSITIVE_INFINITY, local = false }) {
      const id = newId(clock.now())
      const bytes = await (local ? folder : files).write(id, source, maxBytes)
      await db
        .insertInto('blobs')
        .values({
          id,
          team_id: teamId,
          content_type: contentType,
          bytes,
          created_at: clock.now(),
          expires_at: expiresAt,
        })
        .execute()
      return { id, bytes }
    },
    read: (id) => files.read(id),
    sign: (id, expiresAt) => sealToken(id, expiresAt, secret),
    async directLink(token) {
      const found = files.link && (await behind(token))
      return found && files.link?.(found.id, found.contentType)
    },
    async open(token, choose) {
      const found = await behind(token)
      if (!found) return undefined
      const { id, bytes, contentType } = found
      const part = choose?.(bytes)
      const stream = await files.stream(id, part)
      return stream && { contentType, bytes, part, stream }
    },
    remove,
  }
}

// 16 bytes of id, 6 of expiry and 32 of HMAC-SHA256; 72 base64url characters, so each token has a single spelling.
const TOKEN_FORMAT = /^[A-Za-z0-9_-]{72}$/

function sealToken(id: string, expiresAt: number, secret: Buffer): string {
  const claim = Buffer.alloc(22)
  claim.write(id.replaceAll('-', ''), 'hex')
  claim.writeUIntBE(expiresAt, 16, 6)
  return Buffer.concat([claim, mac(claim, secret)]).toString('base64url')
}

function openToken(token: string, secret: Buffer): { id: string; expiresAt: number } | undefined {
  if (!TOKEN_FORMAT.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const claim = bytes.subarray(0, 22)
  if (!timingSafeEqual(bytes.subarray(22), mac(claim, secret))) return undefined
  return { id: idIn(claim), expiresAt: claim.readUIntBE(16, 6) }
}

export const findBlobIdsInMediaLinks = (text: string): string[] =>
  [...text.matchAll(/\/v2\/media\/([A-Za-z0-9_-]{72})/g)].map(([, token = '']) => idIn(Buffer.from(token, 'base64url')))

function idIn(claim: Buffer): string {
  const hex = claim.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const mac = (claim: Buffer, secret: Buffer): Buffer => createHmac('sha256', secret).update(claim).digest()
