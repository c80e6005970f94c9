import { beforeAll, describe, expect, it } from 'vitest'
import { expectCost, sized } from '../../../test/cost.ts'
import { isCardNumber, isIban } from './find-financial-numbers.ts'
import { removeOverlaps } from './privacy-finding.ts'
import { openRedactor, type Redactor } from './redact.ts'
import { DEFAULT_REDACT_OPTIONS, type RedactOptions } from './redact-options.ts'

let tool: Redactor
beforeAll(async () => {
  tool = await openRedactor()
})
const redact = (text: string, options: Partial<RedactOptions> = {}, kind: 'markdown' | 'html' = 'markdown') =>
  tool.redact(text, kind, { ...DEFAULT_REDACT_OPTIONS, ...options })

describe('what is found', () => {
  it.each([
    ['Her SSN is 412-68-9035, insurance number AB 12 34 56 C.', 'Her SSN is <SECRET>, insurance number <SECRET>.'],
    ['The password for the guest network is marigold.', 'The password for the guest network is <SECRET>.'],
    ['The password is required. Your password is incorrect.', 'The password is required. Your password is incorrect.'],
    ['Order number 48213 Dresden blue was sent.', 'Order number 48213 Dresden blue was sent.'],
    ['Oluwaseun Adebayo told Tindra Lindqvist.', '<PERSON> told <PERSON>.'],
    ['Write to ada@example.org or ada (at) example (dot) org.', 'Write to <EMAIL> or <EMAIL>.'],
    ['Call +44 20 7946 0958 or Tel. 030 1234567 now.', 'Call <PHONE> or Tel. <PHONE> now.'],
    ['Card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00.', 'Card <FINANCIAL>, IBAN <FINANCIAL>.'],
    ['export TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'export TOKEN=<SECRET>'],
    ['Herr Thomas Becker wohnt in Hamburg.', 'Herr <PERSON> wohnt in <LOCATION>.'],
    ['Анна Петровна Иванова живёт в Казани.', '<PERSON> живёт в <LOCATION>.'],
    ['田中さんは京都にいます。', '<PERSON>さんは<LOCATION>にいます。'],
    ['Send it to 12 Elm Street, Springfield, IL 62704.', 'Send it to <LOCATION>.'],
    ['She lives at 14 Elm Grove, Bristol BS6 7TH.', 'She lives at <LOCATION>.'],
    ['请联系王晓明，谢谢。', '请联系<PERSON>，谢谢。'],
    ['The secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEX leaked.', 'The secret <SECRET> leaked.'],
  ])('%j becomes %j', (text, clean) => {
    expect(redact(text)).toBe(clean)
  })

  it('takes out a family name that stands alone, once the text has the whole name', () => {
    const text = 'Okafor won. Dr. Ngozi Okafor was thanked. Tea was served by Okafor’s son, not in Okaforia.'
    expect(redact(text)).toBe(
      '<PERSON> won. Dr. <PERSON> was thanked. Tea was served by <PERSON>’s son, not in Okaforia.',
    )
    expect(redact('Okafor won.')).toBe('Okafor won.')
    expect(redact(text, { entities: ['EMAIL'] })).toBe(text)
  })

  it.each([
    'Version 3.9.1 was released on 2024-01-15.',
    'ISBN 978-972-00-0001-6, 280 pages, order no. 123-456-7890.',
    'Card 4111 1111 1111 1112 fails its checksum.',
    'Read the Terms of Service before the Grace Period ends.',
    'See https://example.com/2024/0123456789/page for more.',
    'The secret ingredientOfEverySoup is time.',
  ])('%j stays as it is', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('modes', () => {
  it('differ in what tells a name or a place', () => {
    const text = 'Frau Lindgren and Sebastian Okoye met in Lisbon at 12 Elm Street.'
    expect(redact(text, { mode: 'fast' })).toBe('Frau <PERSON> and Sebastian Okoye met in Lisbon at <LOCATION>.')
    expect(redact(text)).toBe('Frau <PERSON> and <PERSON> met in <LOCATION> at <LOCATION>.')
    expect(redact('It is Grace who came.')).toBe('It is Grace who came.')
    expect(redact('It is Grace who came.', { mode: 'aggressive' })).toBe('It is <PERSON> who came.')
  })
})

describe('checksums', () => {
  it('are those of cards and accounts', () => {
    expect([isCardNumber('4111111111111111'), isCardNumber('4111111111111112')]).toEqual([true, false])
    expect([isIban('GB82WEST12345698765432'), isIban('GB82WEST12345698765433')]).toEqual([true, false])
  })
})

describe('how it is replaced', () => {
  it('is by tag, by mask of the same length, or not at all', () => {
    const text = 'Write to ada@example.org today.'
    expect(redact(text, { replaceStyle: 'mask' })).toBe('Write to *************** today.')
    expect(redact(text, { replaceStyle: 'remove' })).toBe('Write to today.')
    expect(redact(text, { entities: ['PHONE'] })).toBe(text)
  })

  it('keeps html well formed', () => {
    const html = '<p title="x">Write to <a href="mailto:ada@example.org">Ada Lovelace</a>.</p>'
    expect(redact(html, {}, 'html')).toBe(
      '<p title="x">Write to <a href="mailto:&lt;EMAIL&gt;">&lt;PERSON&gt;</a>.</p>',
    )
  })

  it('hides all of what overlaps', () => {
    const found = removeOverlaps([
      { start: 5, end: 9, entity: 'SECRET' },
      { start: 3, end: 7, entity: 'EMAIL' },
    ])
    expect(found).toEqual([{ start: 3, end: 9, entity: 'SECRET' }])
  })
})

describe('hostile text', () => {
  it.each([
    '@',
    'a@',
    '1 ',
    'A',
    'Aa ',
    'Mr. ',
    '(',
    'DE89 ',
    'password ',
    '田',
    '김',
    '<a ',
    '<script>',
    'Calle Aa ',
    '-----BEGIN PRIVATE KEY-----',
  ])('takes time in proportion when it is %j again and again', (piece) => {
    const run = (letters: number) => {
      redact(piece.repeat(letters / piece.length))
      redact(piece.repeat(letters / piece.length), {}, 'html')
    }
    const small = cpu(() => run(sized(10_000)))
    const large = cpu(() => run(sized(100_000)))
    expectCost(large).toBeLessThan(Math.max(small, 20) * 40)
  })
})

function cpu(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}
