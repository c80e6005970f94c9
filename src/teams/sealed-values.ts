// Values that only this installation can make and read, so that they need no row: OAuth clients, codes, sign-ins. Every
// process on its database can.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Store } from '../store/index.ts'

const MAX_SEALED_CHARS = 8192
type Kind = 'client' | 'code' | 'refresh' | 'oidc' | 'dashboard'

/** A value that was sealed as another kind does not open. */
export function makeSeal({ settings }: Pick<Store, 'settings'>) {
  let sealing: Promise<Buffer> | undefined
  const keyOf = () => {
    sealing ??= settings
      .ensure('oauth_secret', () => randomBytes(32).toString('hex'))
      .then((text) => Buffer.from(hkdfSync('sha256', text, '', 'orbweaver oauth', 32)))
    return sealing
  }
  return {
    async close(kind: Kind, value: object): Promise<string> {
      return sealJson(await keyOf(), kind, value)
    },
    async open<T>(kind: Kind, text: string): Promise<T | undefined> {
      // One spelling only, since a used code is known by its text.
      if (text.length > MAX_SEALED_CHARS || Buffer.from(text, 'base64url').toString('base64url') !== text)
        return undefined
      return openJson<T>(await keyOf(), kind, text)
    },
  }
}

/** AES-256-GCM. What was sealed under another label does not open. */
export function sealJson(key: Buffer, label: string, value: object): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

export function openJson<T>(key: Buffer, label: string, text: string): T | undefined {
  const sealed = Buffer.from(text, 'base64url')
  if (sealed.length < 29) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(label)).setAuthTag(sealed.subarray(12, 28))
    return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')) as T
  } catch {
    return undefined
  }
}
