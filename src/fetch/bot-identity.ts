// The honest identity of this service: its own user agent, and requests signed per RFC 9421 as Web Bot Auth describes.
// Off unless the operator names the bot.
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Clock, DAY_MS } from '../base/clock.ts'

export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'
export const BOT_PAGE_PATH = '/bot'

interface BotIdentity {
  /** Product name, whose rules in robots.txt are followed. */
  name: string
  userAgent: string
  contact: string | undefined
  /** Headers that prove the origin of one request to this address. */
  sign(url: string): Promise<Record<string, string>>
  /** The public keys, and headers that prove that they are ours. */
  directory(): Promise<{ keys: object[]; headers: Record<string, string> }>
}

interface Secrets {
  get(name: string): Promise<string | undefined>
  /** Concurrent processes get the same value. */
  ensure(name: string, make: () => string): Promise<string>
  remove(names: readonly string[]): Promise<void>
}

interface IdentityOptions {
  name: string
  /** Of the operator, for owners of sites. */
  contact: string | undefined
  version: string
  publicUrl: string
  secrets: Secrets
  clock: Clock
}

interface SigningKey {
  id: string
  publicKey: { kty: string; crv: string; x: string }
  privateKey: KeyObject
  /** Milliseconds from which it signs, and until which its signatures are accepted. */
  from: number
  until: number
}

/** A key signs for one period. It is published one period before, for caches of verifiers, and one after. */
const PERIOD_MS = 30 * DAY_MS
const SIGNATURE_SECONDS = 60
const DIRECTORY_SECONDS = 3600
const NONCE_BYTES = 64
const OLD_PERIODS = [2, 3, 4]

let current: BotIdentity | undefined

/** Of this process; undefined: requests look like those of a browser. */
export const botIdentity = (): BotIdentity | undefined => current

export function setBotIdentity(identity: BotIdentity | undefined): void {
  current = identity
}

export function openBotIdentity({ name, contact, version, publicUrl, secrets, clock }: IdentityOptions): BotIdentity {
  const base = new URL(publicUrl)
  const agent = `"${base.origin}"`
  let loaded: { period: number; keys: Promise<SigningKey[]> } | undefined
  async function load(period: number): Promise<SigningKey[]> {
    const [before, now, next] = [period - 1, period, period + 1]
    await secrets.remove(OLD_PERIODS.map((age) => settingName(period - age)))
    const stored = await Promise.all([
      secrets.ensure(settingName(now), newKey),
      secrets.ensure(settingName(next), newKey),
      secrets.get(settingName(before)),
    ])
    return [now, next, before].flatMap((one, at) => {
      const jwk = stored[at]
      return jwk === undefined ? [] : [readKey(jwk, one)]
    })
  }
  /** The signing key comes first. */
  function keys(): Promise<SigningKey[]> {
    const period = Math.floor(clock.now() / PERIOD_MS)
    if (loaded?.period !== period) {
      const reading = { period, keys: load(period) }
      loaded = reading
      reading.keys.catch(() => {
        if (loaded === reading) loaded = undefined
      })
    }
    return loaded.keys
  }
  return {
    name,
    contact,
    userAgent: `${name}/${version} (+${new URL(BOT_PAGE_PATH, base).href})`,
    async sign(url) {
      const [key] = await keys()
      const parts = [
        ['"@authority"', new URL(url).host],
        ['"signature-agent"', agent],
      ] as const
      const { input, signature } = signParts(key!, parts, { tag: 'web-bot-auth', seconds: SIGNATURE_SECONDS, clock })
      return { 'signature-agent': agent, 'signature-input': `sig1=${input}`, signature: `sig1=:${signature}:` }
    },
    async directory() {
      const all = await keys()
      const parts = [['"@authority";req', base.host]] as const
      const tag = 'http-message-signatures-directory'
      const signed = all.map((key) => signParts(key, parts, { tag, seconds: DIRECTORY_SECONDS, clock }))
      return {
        keys: all.map(({ id, publicKey, from, until }) => ({
          ...publicKey,
          ...{ kid: id, use: 'sig', nbf: from / 1000, exp: until / 1000 },
        })),
        headers: {
          'signature-input': signed.map(({ input }, at) => `sig${at + 1}=${input}`).join(', '),
          signature: signed.map(({ signature }, at) => `sig${at + 1}=:${signature}:`).join(', '),
        },
      }
    },
  }
}

const settingName = (period: number): string => `bot_${period}_key`

const newKey = (): string => JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))

function readKey(text: string, period: number): SigningKey {
  const jwk = JSON.parse(text) as { kty: string; crv: string; x: string }
  const publicKey = { kty: jwk.kty, crv: jwk.crv, x: jwk.x }
  // RFC 7638: the members of the key in the order of their names.
  const thumbprint = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x })
  return {
    id: createHash('sha256').update(thumbprint).digest('base64url'),
    publicKey,
    privateKey: createPrivateKey({ key: { ...jwk }, format: 'jwk' }),
    from: period * PERIOD_MS,
    until: (period + 2) * PERIOD_MS,
  }
}

function signParts(
  { id, privateKey }: SigningKey,
  parts: readonly (readonly [string, string])[],
  { tag, seconds, clock }: { tag: string; seconds: number; clock: Clock },
): { input: string; signature: string } {
  const created = Math.floor(clock.now() / 1000)
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const covered = parts.map(([component]) => component).join(' ')
  const input = `(${covered});created=${created};expires=${created + seconds};keyid="${id}";alg="ed25519";nonce="${nonce}";tag="${tag}"`
  const lines = [...parts.map(([component, value]) => `${component}: ${value}`), `"@signature-params": ${input}`]
  return { input, signature: sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64') }
}
