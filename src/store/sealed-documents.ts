// Encrypts documents of jobs with zero data retention, which stay on disk until fetched. AES-256-GCM with a key
// derived from the instance's secret.
import { createHash } from 'node:crypto'
import { decrypt, encrypt } from '../base/authenticated-encryption.ts'
import type { PageStore } from './captures-and-scrapes.ts'
import type { Frontier } from './frontier-types.ts'

/** Prefix of an encrypted body; no plain body begins so. */
const SEALED_BODY_PREFIX = Buffer.from('orbseal1')

export type Sealer = ReturnType<typeof openSealer>

export function openSealer(secret: string) {
  const key = createHash('sha256').update(`documents ${secret}`).digest()
  return {
    seal(body: Uint8Array) {
      return Buffer.concat([SEALED_BODY_PREFIX, encrypt(key, body)])
    },
    open(body: Uint8Array) {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      if (!bytes.subarray(0, SEALED_BODY_PREFIX.length).equals(SEALED_BODY_PREFIX)) return body
      return decrypt(key, bytes.subarray(SEALED_BODY_PREFIX.length))
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
  seal: (text: string, label: string) => encrypt(key, Buffer.from(text), label).toString('base64'),
  open: (sealed: string, label: string) => decrypt(key, Buffer.from(sealed, 'base64'), label).toString(),
})
