import { describe, expect, it } from 'vitest'
import { decode } from './charset.ts'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)))

// The same words in the encodings of their countries; Node can decode these but not encode them.
const GBK = [0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7] // 你好世界
const SHIFT_JIS = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea] // 日本語
const EUC_KR = [0xc7, 0xd1, 0xb1, 0xb9, 0xbe, 0xee] // 한국어
const WINDOWS_1251 = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2] // Привет
const WINDOWS_1252 = [0x93, 0x63, 0x61, 0x66, 0xe9, 0x94] // “café”

describe('an encoding the server names', () => {
  it.each([
    ['gbk', GBK, '你好世界'],
    ['gb2312', GBK, '你好世界'],
    ['shift_jis', SHIFT_JIS, '日本語'],
    ['euc-kr', EUC_KR, '한국어'],
    ['windows-1251', WINDOWS_1251, 'Привет'],
    ['iso-8859-1', WINDOWS_1252, '“café”'],
  ])('decodes %s', (charset, raw, text) => {
    expect(decode(bytes(raw), `text/html; charset=${charset}`).text).toBe(text)
    expect(decode(bytes(raw), `text/html;Charset="${charset.toUpperCase()}"`).text).toBe(text)
  })

  it('wins over what the page says', () => {
    expect(decode(bytes('<meta charset=utf-8>', GBK), 'text/html; charset=gbk').text).toContain('你好世界')
  })

  it('is passed over when nobody knows it', () => {
    expect(decode(bytes('<meta charset=gbk>', GBK), 'text/html; charset=klingon').text).toContain('你好世界')
  })
})

describe('a byte-order mark', () => {
  it.each([
    ['utf-16le', [0xff, 0xfe, 0x41, 0x00, 0xe9, 0x00]],
    ['utf-16be', [0xfe, 0xff, 0x00, 0x41, 0x00, 0xe9]],
    ['utf-8', [0xef, 0xbb, 0xbf, 0x41, 0xc3, 0xa9]],
  ])('says %s, whatever the header says', (charset, raw) => {
    expect(decode(bytes(raw), 'text/html; charset=shift_jis')).toEqual({ text: 'Aé', charset })
  })
})

describe('an encoding the page names', () => {
  it.each([
    ['<meta charset>', '<html><head><meta charset="gbk">'],
    ['<meta http-equiv>', '<META http-equiv="Content-Type" content="text/html; charset=gbk">'],
    ['an XML declaration', '<?xml version="1.0" encoding="gbk"?>'],
    ['a declaration after a long comment', `<!-- ${'x'.repeat(1500)} --><meta charset=gbk>`],
  ])('is read from %s', (_, head) => {
    expect(decode(bytes(head, GBK), 'text/html').text).toContain('你好世界')
  })

  it('is not read from a comment', () => {
    expect(decode(bytes('<!-- <meta charset=gbk> -->é', []), undefined).charset).not.toBe('gbk')
  })

  it('means UTF-8 when it says UTF-16, since we could read it', () => {
    const page = Buffer.from('<meta charset="utf-16">é')
    expect(decode(page, undefined)).toEqual({ text: '<meta charset="utf-16">é', charset: 'utf-8' })
  })
})

describe('an encoding nobody names', () => {
  it('is UTF-8 when the bytes are', () => {
    expect(decode(Buffer.from('naïve 日本'), undefined)).toEqual({ text: 'naïve 日本', charset: 'utf-8' })
  })

  it('stays UTF-8 when the body was cut inside a character', () => {
    expect(decode(Buffer.from('naïve 日').subarray(0, -1), undefined).text).toContain('naïve')
  })

  it('is guessed from the letters, not from the markup around them', () => {
    const russian = Array.from({ length: 40 }, () => [...WINDOWS_1251, 0x20]).flat()
    expect(decode(bytes('<p class="a b c">', russian), undefined).text).toContain('Привет')
    const chinese = Array.from({ length: 40 }, () => GBK).flat()
    expect(decode(bytes('<p>', chinese), undefined).text).toContain('你好世界')
  })
})

describe('damage', () => {
  it('gives replacement characters and never lone surrogates', () => {
    const lone = decode(bytes([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), undefined).text
    expect(lone).toBe('\uFFFDA')
    expect(decode(bytes([0x41, 0xff, 0x42]), 'text/html; charset=utf-8').text).toBe('A\uFFFDB')
  })

  it('is overlooked when one byte of a UTF-8 page is wrong', () => {
    const page = Buffer.concat([Buffer.from('日本語'.repeat(100)), Uint8Array.of(0xff)])
    expect(decode(page, 'text/html; charset=utf-8')).toMatchObject({ charset: 'utf-8' })
  })

  it('leads to a guess when a page says UTF-8 and hardly any of it is', () => {
    const russian = Array.from({ length: 60 }, () => [...WINDOWS_1251, 0x20]).flat()
    expect(decode(bytes('<meta charset=utf-8>', russian), undefined).text).toContain('Привет')
  })

  it('survives empty and tiny bodies', () => {
    expect(decode(new Uint8Array(), undefined).text).toBe('')
    expect(decode(Uint8Array.of(0xff), undefined).text).toHaveLength(1)
  })
})
