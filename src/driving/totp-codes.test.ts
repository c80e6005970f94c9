import { describe, expect, it } from 'vitest'
import { makeTotpCode, parseTotpAddress } from './totp-codes.ts'

// The test vectors of RFC 6238, appendix B.
const KEYS = {
  SHA1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  SHA256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
  SHA512: `${'GEZDGNBVGY3TQOJQ'.repeat(6)}GEZDGNA`,
}
const VECTORS: [seconds: number, sha1: string, sha256: string, sha512: string][] = [
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
]

describe('one-time codes', () => {
  it.each(VECTORS)('RFC 6238 at %d s', (seconds, ...codes) => {
    for (const [at, [algorithm, secret]] of Object.entries(KEYS).entries()) {
      const key = parseTotpAddress(`otpauth://totp/a?secret=${secret}&algorithm=${algorithm}&digits=8`)!
      expect(makeTotpCode(key, seconds * 1000), algorithm).toBe(codes[at])
    }
  })

  it('an address that is no key of time-based codes is refused', () => {
    const secret = KEYS.SHA1
    for (const address of [
      'not an address',
      `https://totp/a?secret=${secret}`,
      `otpauth://hotp/a?secret=${secret}`,
      'otpauth://totp/a?secret=1189',
      `otpauth://totp/a?secret=${secret}&algorithm=md5`,
      `otpauth://totp/a?secret=${secret}&digits=40`,
    ])
      expect(parseTotpAddress(address), address).toBeUndefined()
  })
})
