// Values that only this installation can make and read, so that they need no row: OAuth clients, codes, sign-ins. Every
// process on its database can.
import { hkdfSync, randomBytes } from 'node:crypto'
import { valueOr } from '../base/attempt.ts'
import { decrypt, encrypt } from '../base/authenticated-encryption.ts'
import type { Store } from '../store/index.ts'

const MAX_SEALED_CHARS = 8192
type Kind = 'client' | 'code' | 'refresh' | 'oidc' | 'dashboard'

/** A value that was sealed as another kind does not open. */
export function makeSeal({ settings }: Pick<Store, 'settings'>) {
  let sealing: Promise<Buffer> | undefined
  const keyOf = () => {
    if (!sealing) {
      sealing = settings
        .ensure('oauth_secret', () => randomBytes(32).toString('hex'))
        .then((text) => Buffer.from(hkdfSync('sha256', text, '', 'orbweaver oauth', 32)))
      // A store that fails once is asked again.
      sealing.catch(() => {
        sealing = undefined
      })
    }
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

/** What was sealed under another label does not open. */
export const sealJson = (key: Buffer, label: string, value: object): string =>
  encrypt(key, Buffer.from(JSON.stringify(value)), label).toString('base64url')

export const openJson = <T>(key: Buffer, label: string, text: string): T | undefined =>
  valueOr(undefined, () => JSON.parse(decrypt(key, Buffer.from(text, 'base64url'), label).toString()) as T)
