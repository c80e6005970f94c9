import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)))

// The same words in the encodings of their countries; Node can decode these but not encode them.
const GBK = [0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7] // 你好世界
const SHIFT_JIS = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea] // 日本語
const EUC_KR = [0xc7, 0xd1, 0xb1, 0xb9, 0xbe, 0xee] // 한국어
const WINDOWS_1251 = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2] // Привет
const WINDOWS_1252 = [0x93, 0x63, 0x61, 0x66, 0xe9, 0x94] // “café”

/** The bytes of a text in an encoding Node only decodes: every pair of bytes is tried once. */
function encode(text: string, charset: string): number[] {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, number[]>()
  for (let high = 0xff; high >= 0x80; high--) {
    for (let low = 0xff; low >= 0x40; low--) {
      const pair = decoder.decode(Uint8Array.of(high, low))
      if (pair.length === 1) table.set(pair, [high, low])
    }
    const single = decodeText(Uint8Array.of(high), `text/html; charset=${charset}`).text
    if (single !== '\uFFFD') table.set(single, [high])
  }
  return [...text].flatMap((char) => (char < '\u0080' ? [char.charCodeAt(0)] : table.get(char)!))
}

describe('an encoding the server names', () => {
  it.each([
    ['gbk', GBK, '你好世界'],
    ['gb2312', GBK, '你好世界'],
    ['shift_jis', SHIFT_JIS, '日本語'],
    ['euc-kr', EUC_KR, '한국어'],
    ['windows-1251', WINDOWS_1251, 'Привет'],
    ['iso-8859-1', WINDOWS_1252, '“café”'],
  ])('decodes %s', (charset, raw, text) => {
    expect(decodeText(bytes(raw), `text/html; charset=${charset}`).text).toBe(text)
    expect(decodeText(bytes(raw), `text/html;Charset="${charset.toUpperCase()}"`).text).toBe(text)
  })

  it('wins over what the page says', () => {
    expect(decodeText(bytes('<meta charset=utf-8>', GBK), 'text/html; charset=gbk').text).toContain('你好世界')
  })

  it('is passed over when nobody knows it', () => {
    expect(decodeText(bytes('<meta charset=gbk>', GBK), 'text/html; charset=klingon').text).toContain('你好世界')
  })
})

describe('a byte-order mark', () => {
  it.each([
    ['utf-16le', [0xff, 0xfe, 0x41, 0x00, 0xe9, 0x00]],
    ['utf-16be', [0xfe, 0xff, 0x00, 0x41, 0x00, 0xe9]],
    ['utf-8', [0xef, 0xbb, 0xbf, 0x41, 0xc3, 0xa9]],
  ])('says %s, whatever the header says', (charset, raw) => {
    expect(decodeText(bytes(raw), 'text/html; charset=shift_jis')).toEqual({ text: 'Aé', charset })
  })
})

describe('an encoding the page names', () => {
  it.each([
    ['<meta charset>', '<html><head><meta charset="gbk">'],
    ['<meta http-equiv>', '<META http-equiv="Content-Type" content="text/html; charset=gbk">'],
    ['an XML declaration', '<?xml version="1.0" encoding="gbk"?>'],
    ['a declaration after a long comment', `<!-- ${'x'.repeat(1500)} --><meta charset=gbk>`],
  ])('is read from %s', (_, head) => {
    expect(decodeText(bytes(head, GBK), 'text/html').text).toContain('你好世界')
  })

  it('is not read from a comment', () => {
    expect(decodeText(bytes('<!-- <meta charset=gbk> -->é', []), undefined).charset).not.toBe('gbk')
  })

  it('means UTF-8 when it says UTF-16, since we could read it', () => {
    const page = Buffer.from('<meta charset="utf-16">é')
    expect(decodeText(page, undefined)).toEqual({ text: '<meta charset="utf-16">é', charset: 'utf-8' })
  })
})

describe('an encoding nobody names', () => {
  it('is UTF-8 when the bytes are', () => {
    expect(decodeText(Buffer.from('naïve 日本'), undefined)).toEqual({ text: 'naïve 日本', charset: 'utf-8' })
  })

  it('stays UTF-8 when the body was cut inside a character', () => {
    expect(decodeText(Buffer.from('naïve 日').subarray(0, -1), undefined).text).toContain('naïve')
  })

  it('is guessed from the letters, not from the markup around them', () => {
    const russian = Array.from({ length: 40 }, () => [...WINDOWS_1251, 0x20]).flat()
    expect(decodeText(bytes('<p class="a b c">', russian), undefined).text).toContain('Привет')
  })

  it.each([
    ['gbk', '我们的网站为用户提供最新的新闻和信息，欢迎大家来到这里学习中文，这是一个很好的开始。'],
    ['big5', '我們的網站為使用者提供最新的新聞和資訊，歡迎大家來到這裡學習中文，這是一個很好的開始。'],
    ['shift_jis', 'これは日本語のテキストです。私たちのサイトへようこそ。今日はとてもいい天気ですね。'],
    ['euc-jp', 'これは日本語のテキストです。私たちのサイトへようこそ。今日はとてもいい天気ですね。'],
    ['euc-kr', '안녕하세요. 우리 사이트에 오신 것을 환영합니다. 오늘은 날씨가 아주 좋습니다.'],
    ['windows-1251', 'Добро пожаловать на наш сайт. Сегодня очень хорошая погода, и мы идём гулять в парк.'],
    [
      'windows-1250',
      'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.',
    ],
    ['windows-1252', 'Les élèves étaient déjà arrivés à l’école, où la leçon de français a commencé très tôt.'],
  ])('is guessed right for a page in %s', (charset, text) => {
    expect(
      decodeText(bytes('<html><p class="a b">', encode(text.repeat(4), charset), '</p>'), undefined).text,
    ).toContain(text)
  })
})

describe('damage', () => {
  it('gives replacement characters and never lone surrogates', () => {
    const lone = decodeText(bytes([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), undefined).text
    expect(lone).toBe('\uFFFDA')
    expect(decodeText(bytes([0x41, 0xff, 0x42]), 'text/html; charset=utf-8').text).toBe('A\uFFFDB')
  })

  it('is overlooked when one byte of a UTF-8 page is wrong', () => {
    const page = Buffer.concat([Buffer.from('日本語'.repeat(100)), Uint8Array.of(0xff)])
    expect(decodeText(page, 'text/html; charset=utf-8')).toMatchObject({ charset: 'utf-8' })
  })

  it('leads to a guess when a page says UTF-8 and hardly any of it is', () => {
    const russian = Array.from({ length: 60 }, () => [...WINDOWS_1251, 0x20]).flat()
    expect(decodeText(bytes('<meta charset=utf-8>', russian), undefined).text).toContain('Привет')
  })

  it('survives empty and tiny bodies', () => {
    expect(decodeText(new Uint8Array(), undefined).text).toBe('')
    expect(decodeText(Uint8Array.of(0xff), undefined).text).toHaveLength(1)
  })
})
