// AES-256-GCM: 12 bytes of nonce, 16 of tag, then the ciphertext. What was encrypted under a label opens only under it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const METHOD = 'aes-256-gcm'
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

export function encrypt(key: Buffer, body: Uint8Array, label = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(METHOD, key, nonce).setAAD(Buffer.from(label))
  const parts = [cipher.update(body), cipher.final()]
  return Buffer.concat([nonce, cipher.getAuthTag(), ...parts])
}

/** Throws for what was not encrypted with this key and label. */
export function decrypt(key: Buffer, sealed: Uint8Array, label = ''): Buffer {
  const [tagAt, bodyAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES]
  const decipher = createDecipheriv(METHOD, key, sealed.subarray(0, tagAt), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(label)).setAuthTag(sealed.subarray(tagAt, bodyAt))
  return Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()])
}
