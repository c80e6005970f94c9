// Encrypts documents of jobs with zero data retention, which stay on disk until fetched. AES-256-GCM with a key
// derived from the instance's secret.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { PageStore } from './captures-and-scrapes.ts'
import type { Frontier } from './frontier-types.ts'

/** Prefix of an encrypted body; no plain body begins so. */
const SEALED_BODY_PREFIX = Buffer.from('orbseal1')
const NONCE = 12
const TAG = 16

export type Sealer = ReturnType<typeof openSealer>

export function openSealer(secret: string) {
  const key = createHash('sha256').update(`documents ${secret}`).digest()
  return {
    seal(body: Uint8Array) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(body), cipher.final()])
      return Buffer.concat([SEALED_BODY_PREFIX, nonce, cipher.getAuthTag(), sealed])
    },
    open(body: Uint8Array) {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      if (!bytes.subarray(0, SEALED_BODY_PREFIX.length).equals(SEALED_BODY_PREFIX)) return body
      const at = SEALED_BODY_PREFIX.length + NONCE
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(SEALED_BODY_PREFIX.length, at))
      decipher.setAuthTag(bytes.subarray(at, at + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(at + TAG)), decipher.final()])
    },
  }
}

const SEALED = 'sealed:'

export const isSealedText = (text: string): boolean => text.startsWith(SEALED)

export const sealText = (text: string, { seal }: Sealer): string =>
  SEALED + Buffer.from(seal(Buffer.from(text))).toString('base64')

/** Returns plain text unchanged: rows written before the text was sealed are plain. */
export const unsealText = (text: string, { open }: Sealer): string =>
  isSealedText(text) ? Buffer.from(open(Buffer.from(text.slice(SEALED.length), 'base64'))).toString() : text

export const withSealedPages = (pages: PageStore, { seal, open }: Sealer): PageStore => ({
  ...pages,
  record(tx, record) {
    const { document } = record
    if (!('digestKey' in document) || !document.sealed) return pages.record(tx, record)
    // Without a capture: all teams share those, and only this scrape can read the body.
    return pages.record(tx, { ...record, document: { ...document, body: seal(document.body) }, capture: undefined })
  },
  async getScrape(teamId, id) {
    const found = await pages.getScrape(teamId, id)
    return found && { ...found, documentBody: open(found.documentBody) }
  },
})

export const withUnsealedFrontierTexts = (frontier: Frontier, { open }: Sealer): Frontier => ({
  ...frontier,
  texts: async (jobId, from, to) =>
    (await frontier.texts(jobId, from, to)).map((row) => ({ ...row, body: open(row.body) })),
})

export const makeSecretSealer = (key: Buffer) => ({
  seal: (text: string, label: string) => Buffer.from(seal(text, key, Buffer.from(label))).toString('base64'),
  open: (sealed: string, label: string) => unseal(Buffer.from(sealed, 'base64'), key, Buffer.from(label)),
})

/** AES-256-GCM: 12 bytes of nonce, 16 of tag, then the ciphertext. */
function seal(text: string, key: Buffer, label: Buffer): Uint8Array {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(label)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function unseal(sealed: Buffer, key: Buffer, label: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(label)
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}
