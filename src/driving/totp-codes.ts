// One-time codes from an `otpauth://totp/` address (RFC 6238).
import { createHmac } from 'node:crypto'

type TotpKey = { secret: Buffer; algorithm: 'sha1' | 'sha256' | 'sha512'; digits: number; periodSeconds: number }

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const

/** Undefined for an address that is no key of time-based codes. */
export function parseTotpAddress(address: string): TotpKey | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host, searchParams } = new URL(address)
  const secret = base32((searchParams.get('secret') ?? '').toUpperCase().replace(/[\s=-]/g, ''))
  const name = (searchParams.get('algorithm') ?? 'sha1').toLowerCase().replace('-', '')
  const algorithm = ALGORITHMS.find((one) => one === name)
  const digits = Number(searchParams.get('digits') ?? 6)
  const periodSeconds = Number(searchParams.get('period') ?? 30)
  const isSound = digits >= 6 && digits <= 8 && periodSeconds >= 5 && periodSeconds <= 300
  if (protocol !== 'otpauth:' || host !== 'totp' || !secret || !algorithm || !isSound) return undefined
  return { secret, algorithm, digits, periodSeconds }
}

export function makeTotpCode({ secret, algorithm, digits, periodSeconds }: TotpKey, nowMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 1000 / periodSeconds)))
  const hash = createHmac(algorithm, secret).update(counter).digest()
  const at = hash.at(-1)! & 15
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

function base32(text: string): Buffer | undefined {
  let [bits, value] = [0, 0]
  const bytes: number[] = []
  for (const letter of text) {
    const five = BASE32.indexOf(letter)
    if (five < 0) return undefined
    value = (value << 5) | five
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 255)
    value &= (1 << bits) - 1
  }
  return bytes.length >= 10 ? Buffer.from(bytes) : undefined
}
