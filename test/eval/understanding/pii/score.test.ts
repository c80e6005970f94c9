// The scorer of the privacy set, and the set itself: checksums hold where marked and fail where not.
import { describe, expect, it } from 'vitest'
import { precisionOf, recallOf, scorePrivacy } from './score.ts'
import { locales, secondLocales, secondSentences, sentences, unmark } from './sentences.ts'

describe('unmark', () => {
  it('leaves the plain sentence and the places of its entities', () => {
    const { text, entities } = unmark('en', 'Ask [[PERSON:Ann Lee]], [[SECRET:ghp_~abc]].')
    expect(text).toBe('Ask Ann Lee, ghp_abc.')
    expect(entities.map(({ start, end }) => text.slice(start, end))).toEqual(['Ann Lee', 'ghp_abc'])
  })
})

describe('scorePrivacy', () => {
  const sentence = unmark('de', 'Frau Dr. [[PERSON:Ulrike Hagedorn]] zahlt mit [[CARD:4111 1111 1111 1111]].')
  const at = (part: string) => {
    const start = sentence.text.indexOf(part)
    return { start, end: start + part.length }
  }

  it('takes a title along, and two spans for one name', () => {
    const whole = scorePrivacy([[sentence, [{ entity: 'PERSON', ...at('Dr. Ulrike Hagedorn') }]]])
    expect([recallOf(whole, ['PERSON']), precisionOf(whole)]).toEqual([1, 1])
    const parts = scorePrivacy([
      [
        sentence,
        [
          { entity: 'PERSON', ...at('Hagedorn') },
          { entity: 'PERSON', ...at('Ulrike') },
        ],
      ],
    ])
    expect([recallOf(parts, ['PERSON']), precisionOf(parts)]).toEqual([1, 1])
  })

  it('misses a name of which half is left, and one of another entity', () => {
    const half = scorePrivacy([[sentence, [{ entity: 'PERSON', ...at('Ulrike') }]]])
    expect(recallOf(half, ['PERSON'])).toBe(0)
    const other = scorePrivacy([[sentence, [{ entity: 'PHONE', ...at('4111 1111 1111 1111') }]]])
    expect([recallOf(other, ['CARD', 'IBAN']), precisionOf(other)]).toEqual([0, 0])
  })

  it('does not reward hiding the whole sentence', () => {
    const all = scorePrivacy([[sentence, [{ entity: 'PERSON', start: 0, end: sentence.text.length }]]])
    expect(recallOf(all, ['PERSON'])).toBe(1)
    expect(precisionOf(all)).toBe(0)
  })

  it('finds nothing wrong where nothing is given', () => {
    const none = scorePrivacy([[sentence, []]])
    expect([recallOf(none, ['PERSON', 'CARD']), precisionOf(none)]).toEqual([0, 1])
  })
})

function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function mod97(iban: string): number {
  const turned = iban.slice(4) + iban.slice(0, 4)
  return [...turned].reduce((rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97, 0)
}

describe('the privacy set', () => {
  const all = sentences()
  const marked = [...all, ...secondSentences()].flatMap(({ text, entities }) =>
    entities.map(({ mark, start, end }) => ({ mark, value: text.slice(start, end) })),
  )
  const of = (mark: string) => marked.filter((one) => one.mark === mark).map(({ value }) => value)

  it('has two hundred sentences in ten locales, a quarter and more of them without anything to hide', () => {
    expect(all).toHaveLength(200)
    for (const locale of locales) expect(all.filter((sentence) => sentence.locale === locale)).toHaveLength(20)
    expect(all.filter(({ entities }) => entities.length === 0).length).toBeGreaterThan(50)
  })

  it('has a second part of sixty and more, in five locales, that nobody tuned to', () => {
    const second = secondSentences()
    expect(second.length).toBeGreaterThanOrEqual(60)
    expect(new Set(second.map(({ locale }) => locale))).toEqual(new Set(secondLocales))
    expect(second.filter(({ entities }) => entities.length === 0).length).toBeGreaterThanOrEqual(15)
  })

  it('has no mark that was left in a sentence', () => {
    expect([...all, ...secondSentences()].filter(({ text }) => /\[\[|\]\]|~/.test(text))).toEqual([])
  })

  it('marks cards and accounts whose checksums hold', () => {
    expect(of('CARD').filter((card) => !luhn(card.replace(/\D/g, '')))).toEqual([])
    expect(of('IBAN').filter((iban) => mod97(iban.replace(/ /g, '')) !== 1)).toEqual([])
    expect(Math.min(of('CARD').length, of('IBAN').length, of('SECRET').length)).toBeGreaterThanOrEqual(10)
  })

  it('leaves cards unmarked whose checksum fails', () => {
    const decoys = all
      .filter(({ entities }) => entities.length === 0)
      .flatMap(({ text }) => text.match(/(\d{4} ){3}\d{4}/g) ?? [])
    expect(decoys).toHaveLength(locales.length)
    expect(decoys.filter((card) => luhn(card.replace(/\D/g, '')))).toEqual([])
  })
})
