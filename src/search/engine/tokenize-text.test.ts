// Words as they are looked for: folding, stemming and pairs of characters, by language.
import { describe, expect, it } from 'vitest'
import { foldText, makeQueryWord, removeAccents, tokenizeText } from './tokenize-text.ts'

const terms = (text: string, language?: string) => tokenizeText(text, language).map((word) => word.terms[0])
const plain = (text: string, language?: string) => tokenizeText(text, language).map((word) => word.plain)
const same = (language: string, ...forms: string[]) => new Set(forms.map((form) => terms(form, language)[0])).size === 1

describe('words', () => {
  it('are folded: case, accents, width', () => {
    expect(plain('Café CAFÉ ｃａｆé Straße')).toEqual(['cafe', 'cafe', 'cafe', 'strasse'])
    expect(removeAccents('ångström')).toBe('angstrom')
  })

  it('keep marks that are letters', () => {
    expect(plain('йод हिन्दी')).toEqual(['йод', 'हिन्दी'])
  })

  it('lose the English genitive and the French article', () => {
    expect(plain("the dog's l'avion d’argent don't")).toEqual(['the', 'dog', 'avion', 'argent', 'dont'])
  })

  it('of one kind share a stem in their language', () => {
    expect(same('en', 'connection', 'connected', 'connecting')).toBe(true)
    expect(same('de', 'Versicherung', 'Versicherungen')).toBe(true)
    expect(same('ru', 'книга', 'книги', 'книгу', 'книгой')).toBe(true)
    expect(same('fr', 'mangé', 'mangée', 'mangées')).toBe(true)
    expect(same('hi', 'लड़का', 'लड़के', 'लड़को')).toBe(true)
    expect(same('es', 'gatos', 'gato')).toBe(true)
  })

  it('are found by those who type no accents', () => {
    const page = tokenizeText('créées', 'fr').flatMap((word) => word.terms)
    const query = makeQueryWord('creees', ['fr']).terms
    expect(query.some((term) => page.includes(term))).toBe(true)
  })

  it('of scripts without spaces are pairs of characters, alone or between other words', () => {
    expect(plain('東京都')).toEqual(['東京', '京都'])
    expect(plain('私はNode使う')).toEqual(['私は', 'node', '使う'])
    expect(plain('猫')).toEqual(['猫'])
    expect(plain('データベース')).toEqual(['デー', 'ータ', 'タベ', 'ベー', 'ース'])
    expect(plain('한국어')).toEqual(['한국', '국어'])
  })

  it('in Arabic do not depend on how alif, ya and ta marbuta are written, nor on vowel signs', () => {
    expect(foldText('أحمد')).toBe(foldText('احمد'))
    expect(foldText('مدرسة')).toBe(foldText('مدرسه'))
    expect(foldText('كِتَاب')).toBe(foldText('كتاب'))
    expect(foldText('علی')).toBe(foldText('علي'))
  })

  it('that say nothing are marked, by language', () => {
    expect(tokenizeText('the cat', 'en').map(({ stop }) => stop)).toEqual([true, false])
    expect(tokenizeText('die Katze', 'de').map(({ stop }) => stop)).toEqual([true, false])
    expect(tokenizeText('die', 'en')[0]?.stop).toBe(false)
  })

  it('of a query are read in every language that the index holds', () => {
    const { terms: found } = makeQueryWord('versicherungen', ['en', 'de', 'ru'])
    expect(found).toContain(terms('Versicherung', 'de')[0])
    expect(makeQueryWord('книги', ['en', 'ru']).terms).toEqual([terms('книга', 'ru')[0]])
  })

  it('are the same on a line of plain letters and beside other letters', () => {
    const line = "It's 3rd o'clock'n'roll: don't x'9 'tis a-b_c d'' e'f1 THE_end"
    expect(plain(line)).toEqual(plain(`${line} é`).slice(0, -1))
    expect(plain(`${line}\né\n${line}`)).toEqual([...plain(line), 'e', ...plain(line)])
  })

  it('are the same between typographic quotes, dashes and spaces and beside other letters', () => {
    const line = '“It’s” 3’s o’clock’n’roll – don’t‘x’\u00a0«a» §4 b…c·d ©2020 l’avion D’Été'
    expect(plain(line.replace('D’Été', 'end'))).toEqual([...plain(line).slice(0, -1), 'end'])
    expect(plain('‘tis the dogs’ rock‑n‑roll')).toEqual(['tis', 'the', 'dogs', 'rock', 'n', 'roll'])
  })

  it('of enormous length are left out, and numbers are not stemmed', () => {
    expect(plain(`${'x'.repeat(200)} 1984 b12`)).toEqual(['1984', 'b12'])
  })
})
