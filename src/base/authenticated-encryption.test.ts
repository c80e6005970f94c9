import { createCipheriv, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt } from './authenticated-encryption.ts'

const key = randomBytes(32)
const text = Buffer.from('a secret')

describe('encrypted bytes', () => {
  it('open with their key and label only', () => {
    expect(decrypt(key, encrypt(key, text, 'a'), 'a')).toEqual(text)
    expect(decrypt(key, encrypt(key, Buffer.alloc(0)))).toEqual(Buffer.alloc(0))
    expect(() => decrypt(key, encrypt(key, text, 'a'), 'b')).toThrow()
    expect(() => decrypt(randomBytes(32), encrypt(key, text))).toThrow()
  })

  it('do not open when they are changed or cut', () => {
    const sealed = encrypt(key, text)
    expect(() => decrypt(key, sealed.subarray(0, 16))).toThrow()
    expect(() => decrypt(key, sealed.subarray(0, -1))).toThrow()
    sealed[30]! ^= 1
    expect(() => decrypt(key, sealed)).toThrow()
  })

  it('of earlier versions, without a label, open', () => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const body = Buffer.concat([cipher.update(text), cipher.final()])
    expect(decrypt(key, Buffer.concat([nonce, cipher.getAuthTag(), body]))).toEqual(text)
  })
})
