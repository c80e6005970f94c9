// The scorer of the questions, and the set itself: each passage stands on its page, word for word.
import { describe, expect, it } from 'vitest'
import { readCases, readPage } from '../cases.ts'
import { plain } from '../equal.ts'
import { EVERYDAY_SETS } from '../run.ts'
import { hasSharedPages, sharedPages } from '../shared-pages.ts'
import { readable } from '../visible.ts'
import { longestAnswer, type QuestionCase, scoreQuestion } from './score.ts'

const example: QuestionCase = { page: 'x', lang: 'en', question: 'When?', passages: ['opened in 1903', 'since 1903'] }
const unanswered: QuestionCase = { ...example, passages: [] }

describe('scoreQuestion', () => {
  it('finds a passage through spacing, case and marks of markdown', () => {
    const answer = 'The works **opened in\n[1903](https://a.example)** by the river.'
    expect(scoreQuestion(example, answer).get('found')).toEqual({ right: 1, wrong: 0, empty: 0 })
  })

  it('tells a wrong passage from none', () => {
    expect(scoreQuestion(example, 'It was built by hand.').get('found')?.wrong).toBe(1)
    expect(scoreQuestion(example, null).get('found')?.empty).toBe(1)
    expect(scoreQuestion(example, 'This is not on this page.').get('found')?.empty).toBe(1)
  })

  it('does not take the whole page for an answer', () => {
    expect(scoreQuestion(example, `since 1903 ${'and so on '.repeat(longestAnswer / 10)}`).get('found')?.wrong).toBe(1)
  })

  it('wants silence where the page is silent', () => {
    expect(scoreQuestion(unanswered, 'The question is not answered on this page.').get('absent')?.right).toBe(1)
    expect(scoreQuestion(unanswered, null).get('absent')?.right).toBe(1)
    expect(scoreQuestion(unanswered, 'Since 1903.').get('absent')?.wrong).toBe(1)
  })
})

describe('the questions', () => {
  const own = readCases<QuestionCase>(new URL('own.json', import.meta.url))
  const shared = readCases<QuestionCase>(new URL('wceb.json', import.meta.url))
  const second = readCases<QuestionCase>(new URL('second.json', import.meta.url))
  const third = readCases<QuestionCase>(new URL('third.json', import.meta.url))
  const fourth = readCases<QuestionCase>(new URL('fourth.json', import.meta.url))
  const fifth = readCases<QuestionCase>(new URL('fifth.json', import.meta.url))
  const sixth = readCases<QuestionCase>(new URL('sixth.json', import.meta.url))
  const seventh = readCases<QuestionCase>(new URL('seventh.json', import.meta.url))
  const tune = readCases<QuestionCase>(new URL('tune.json', import.meta.url))

  it('are twenty with an answer and five without, on our pages and on shared ones', () => {
    for (const half of [own, shared]) {
      expect(half.filter(({ passages }) => passages.length > 0)).toHaveLength(20)
      expect(half.filter(({ passages }) => passages.length === 0)).toHaveLength(5)
    }
  })

  it('are asked a second time on other shared pages, of which nothing was known when the code was written', () => {
    expect(second.filter(({ passages }) => passages.length > 0).length).toBeGreaterThanOrEqual(20)
    expect(second.filter(({ passages }) => passages.length === 0).length).toBeGreaterThanOrEqual(10)
    const known = new Set(shared.map(({ page }) => page))
    const pages = new Set(second.map(({ page }) => page))
    expect(pages.size).toBeGreaterThanOrEqual(8)
    expect([...pages].filter((page) => known.has(page))).toEqual([])
    expect(second.flatMap(({ passages }) => passages).filter((text) => text.split(' ').length > 12)).toEqual([])
  })

  it('are asked a fifth time on pages of no other set, close to the wording of the page and far from it', () => {
    expect(fifth.filter(({ passages }) => passages.length > 0).length).toBeGreaterThanOrEqual(30)
    expect(fifth.filter(({ passages }) => passages.length === 0).length).toBeGreaterThanOrEqual(8)
    const known = new Set([...shared, ...second, ...third, ...fourth].map(({ page }) => page))
    const pages = new Set(fifth.map(({ page }) => page))
    expect(pages.size).toBeGreaterThanOrEqual(10)
    expect([...pages].filter((page) => known.has(page))).toEqual([])
  })

  it('are asked twice more, each time on pages of no other set', () => {
    const known = new Set([...shared, ...second, ...third, ...fourth, ...fifth, ...tune].map(({ page }) => page))
    for (const set of [sixth, seventh]) {
      expect(set.filter(({ passages }) => passages.length > 0).length).toBeGreaterThanOrEqual(24)
      expect(set.filter(({ passages }) => passages.length === 0)).toHaveLength(6)
      const pages = new Set(set.map(({ page }) => page))
      expect(pages.size).toBeGreaterThanOrEqual(8)
      expect([...pages].filter((page) => known.has(page))).toEqual([])
      for (const page of pages) known.add(page)
    }
  })

  const missing = (cases: QuestionCase[], textOf: (page: string) => string): string[] =>
    cases.flatMap(({ page, passages }) => passages.filter((passage) => !textOf(page).includes(plain(passage))))

  it('have their passages on our pages', () => {
    expect(missing(own, (page) => readable(readPage(new URL(`pages/${page}.html`, import.meta.url))))).toEqual([])
  })

  it.each(EVERYDAY_SETS)('have their passages on the pages of the lot %s, where some have no answer', (set) => {
    const cases = readCases<QuestionCase>(new URL(`${set}.json`, import.meta.url))
    const said = (page: string) =>
      plain(readPage(new URL(`everyday/${page}.md`, import.meta.url)).replace(/[*_`|]/g, ''))
    const bare = cases.map((one) => ({ ...one, passages: one.passages.map((text) => text.replace(/[*_`|]/g, '')) }))
    expect(missing(bare, said)).toEqual([])
    for (const page of new Set(cases.map((one) => one.page)))
      expect(cases.filter((one) => one.page === page && one.passages.length === 0).length).toBeGreaterThanOrEqual(2)
  })

  it.skipIf(!hasSharedPages)('have theirs on the shared ones (skipped where ../shared/bench is absent)', async () => {
    const pages = await sharedPages()
    const cases = [...shared, ...second, ...third, ...fourth, ...fifth, ...sixth, ...seventh, ...tune]
    const texts = new Map(cases.map(({ page }) => [page, readable(pages.get(page)!.html())]))
    expect(missing(cases, (page) => texts.get(page)!)).toEqual([])
  })
})
