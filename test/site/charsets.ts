// The same page in many encodings, named in the header, in the page, by a mark at its start, or nowhere.
import type { Page, Pages } from './page.ts'

/** A sentence each encoding can hold, so that tests can look for it. */
export const charsetTexts = {
  gbk: '潮汐表每天提前十一分钟',
  shift_jis: '潮汐表は毎日十一分早くなる',
  'euc-kr': '조석표는 매일 십일 분씩 빨라진다',
  'windows-1251': 'Прилив приходит на одиннадцать минут раньше',
  'windows-1252': 'Die Flut kommt elf Minuten früher – täglich',
  'utf-16le': 'Příliv přichází o jedenáct minut dříve',
  'utf-16be': 'Příliv přichází o jedenáct minut dříve',
  'utf-8': 'Príliv ist früher, вода раньше, 潮は早い',
} as const

export type Charset = keyof typeof charsetTexts

const tables = new Map<string, Map<string, Buffer>>()

/** Node decodes all of these but encodes few: the table of the decoder, read backwards. */
function encodeText(text: string, charset: Charset): Buffer {
  if (charset === 'utf-8') return Buffer.from(text)
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  let table = tables.get(charset)
  if (table === undefined) {
    table = reverseTable(charset)
    tables.set(charset, table)
  }
  return Buffer.concat([...text].map((letter) => table.get(letter) ?? Buffer.from('?')))
}

function reverseTable(charset: Charset): Map<string, Buffer> {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, Buffer>()
  const add = (bytes: Buffer) => {
    const letter = decoder.decode(bytes)
    if ([...letter].length === 1 && letter !== '\ufffd' && !table.has(letter)) table.set(letter, bytes)
  }
  for (let one = 0; one < 256; one++) add(Buffer.from([one]))
  // Node 20 takes windows-1252 for Latin-1, so its decoder does not know the one letter of ours that differs.
  if (charset === 'windows-1252') table.set('–', Buffer.from([0x96]))
  if (!charset.startsWith('windows')) {
    for (let lead = 0x81; lead < 0xff; lead++)
      for (let trail = 0x40; trail < 0xff; trail++) add(Buffer.from([lead, trail]))
  }
  return table
}

const html = (charset: Charset, meta: string): string =>
  `<!doctype html><html><head>${meta}<title>${charsetTexts[charset]}</title></head><body><article><h1>${charsetTexts[charset]}</h1>
${`<p>${charsetTexts[charset]}.</p>`.repeat(8)}</article></body></html>`

const BOMS: Partial<Record<Charset, Buffer>> = {
  'utf-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'utf-16le': Buffer.from([0xff, 0xfe]),
  'utf-16be': Buffer.from([0xfe, 0xff]),
}

/** Where the page says what it is written in. */
type Way = 'header' | 'meta' | 'bom' | 'none'

const reported =
  (charset: Charset, how: Way): Page =>
  ({ response }) => {
    const type = how === 'header' ? `text/html; charset=${charset}` : 'text/html'
    response.writeHead(200, { 'content-type': type })
    const mark = how === 'bom' ? (BOMS[charset] ?? Buffer.alloc(0)) : Buffer.alloc(0)
    const meta = how === 'meta' ? `<meta charset="${charset}">` : ''
    response.end(Buffer.concat([mark, encodeText(html(charset, meta), charset)]))
  }

const charsets = Object.keys(charsetTexts) as Charset[]

function pagesFor(charset: Charset): [string, Page][] {
  const wide = charset.startsWith('utf-16')
  const ways = ['header', ...(wide ? [] : ['meta', 'none']), ...(charset in BOMS ? ['bom'] : [])] as const
  return ways.map((way) => [`/charset/${charset}/${way}`, reported(charset, way as Way)])
}

export const charsetPages: Pages = {
  ...Object.fromEntries(charsets.flatMap(pagesFor)),
  '/charset/lie': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=no-such-charset' })
    response.end(html('utf-8', '<meta charset="utf-8">'))
  },
  '/charset/broken': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    const broken = Buffer.from([0x41, 0x00, 0xff, 0xed, 0xa0, 0x80, 0xc3, 0x28, 0x42])
    const [before, after] = ['<!doctype html><title>Broken</title><p>before ', ' after</p>']
    response.end(Buffer.concat([Buffer.from(before), broken, Buffer.from(after)]))
  },
}
