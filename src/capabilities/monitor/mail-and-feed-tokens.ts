// Tokens in mails and feeds: signed claims, so that none are stored.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Store } from '../../store/index.ts'
import { monitorStore } from './store/index.ts'

const MAC_BYTES = 20
const HASH_BYTES = 8
const SECRET = 'monitor_secret'

const secretOf = (store: Store): Promise<string> => store.settings.ensure(SECRET, () => randomBytes(32).toString('hex'))

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')
const idText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const emailHash = (email: string): Buffer =>
  createHash('sha256').update(email.toLowerCase()).digest().subarray(0, HASH_BYTES)

const macOf = (secret: string, purpose: string, rest: Buffer): Buffer =>
  createHmac('sha256', secret).update(purpose).update('\0').update(rest).digest().subarray(0, MAC_BYTES)

/** `decline` is the link "Never ask again" of a consent request; it holds for the installation. */
type RecipientPurpose = 'recipient' | 'decline'

export async function makeRecipientToken(
  store: Store,
  monitorId: string,
  email: string,
  purpose: RecipientPurpose = 'recipient',
): Promise<string> {
  const rest = Buffer.concat([idBytes(monitorId), emailHash(email)])
  return Buffer.concat([rest, macOf(await secretOf(store), purpose, rest)]).toString('base64url')
}

/** A keyed hash of the mailbox: `name+tag@host` reaches the same person as `name@host`. */
export async function fingerprintMailAddress(store: Store, email: string): Promise<string> {
  const mailbox = email.toLowerCase().replace(/\+[^@]*(?=@)/, '')
  return macOf(await secretOf(store), 'address', Buffer.from(mailbox)).toString('base64url')
}

export async function readRecipientToken(store: Store, token: string) {
  const bytes = Buffer.from(token, 'base64url')
  const rest = bytes.subarray(0, 16 + HASH_BYTES)
  if (bytes.length !== rest.length + MAC_BYTES) return undefined
  const secret = await secretOf(store)
  const purposes: readonly RecipientPurpose[] = ['recipient', 'decline']
  const purpose = purposes.find((one) => timingSafeEqual(macOf(secret, one, rest), bytes.subarray(rest.length)))
  if (!purpose) return undefined
  const monitorId = idText(rest.subarray(0, 16))
  const recipient = (await monitorStore(store).notices.recipients(monitorId)).find(({ email }) =>
    emailHash(email).equals(rest.subarray(16)),
  )
  return recipient && { monitorId, recipient, purpose }
}

export async function makeTeamFeedToken(store: Store, teamId: string): Promise<string> {
  const rest = idBytes(teamId)
  return Buffer.concat([rest, macOf(await secretOf(store), 'team feed', rest)]).toString('base64url')
}

export async function readTeamFeedToken(store: Store, token: string): Promise<string | undefined> {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 16 + MAC_BYTES) return undefined
  const rest = bytes.subarray(0, 16)
  return timingSafeEqual(macOf(await secretOf(store), 'team feed', rest), bytes.subarray(16)) ? idText(rest) : undefined
}
