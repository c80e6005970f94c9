// Questions, personal data and changes, measured on the sets in understanding/ without a model. A figure that falls below
// its floor names the cases that fell.
import { describe, expect, it } from 'vitest'
import { compare } from '../../src/content/changes/compare.ts'
import { wholePage } from '../../src/content/changes/whole-page.ts'
import { cleanMarkdown } from '../../src/content/clean-markdown.ts'
import { openPage } from '../../src/content/page.ts'
import { answerFrom } from '../../src/content/passages/answer.ts'
import { highlightsOf } from '../../src/content/passages/highlights.ts'
import { summaryOf } from '../../src/content/passages/summary.ts'
import { openRedactor } from '../../src/content/privacy/redact.ts'
import { DEFAULT_WISH } from '../../src/content/privacy/wish.ts'
import floors from './text-floors.json' with { type: 'json' }
import { readCases, readPage } from './understanding/cases.ts'
import { pairs } from './understanding/changes/pairs.ts'
import { scoreChange } from './understanding/changes/score.ts'
import { precisionOf, recallOf, scorePrivacy } from './understanding/pii/score.ts'
import { secondSentences, sentences } from './understanding/pii/sentences.ts'
import { type QuestionCase, scoreQuestion } from './understanding/questions/score.ts'
import { hasSharedPages, sharedPages } from './understanding/shared-pages.ts'
import { faults, noTally, type Score } from './understanding/tally.ts'

const CHOICES = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const pageOf = (html: string, url: string) =>
  openPage({ bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url }, CHOICES)
/** Several questions are asked of one page; it is read once. */
const read = new Map<string, string>()
const markdownOf = (html: string, url: string): string => {
  const known = read.get(html) ?? pageOf(html, url).markdown
  read.set(html, known)
  return known
}
const lookAt = (html: string, url: string) => {
  const page = pageOf(html, url)
  return { text: page.markdown, lines: wholePage(page) }
}

type Scored = readonly (readonly [string, Score])[]

/** Share of right cases of one field. */
function shareOf(scores: Scored, field: string): number {
  const sum = noTally()
  for (const [, score] of scores) {
    const { right, wrong, empty } = score.get(field) ?? noTally()
    sum.right += right
    sum.wrong += wrong
    sum.empty += empty
  }
  return sum.right / (sum.right + sum.wrong + sum.empty)
}

/** The passage is found when the answer holds it, or the source it quotes: a row of a table is worded with its columns. */
const ask = (one: QuestionCase, html: string, url: string) => {
  const { text, quotes } = answerFrom(markdownOf(html, url), one.question)
  const said = scoreQuestion(one, text)
  const isWrong = text !== undefined && said.get('found')?.wrong === 1
  return [`${one.page} “${one.question}”`, isWrong ? scoreQuestion(one, quotes.join('\n')) : said] as const
}

describe('questions', () => {
  it('finds the passages of our own pages, and says when there is none', () => {
    const scores = readCases<QuestionCase>(new URL('understanding/questions/own.json', import.meta.url)).map((one) =>
      ask(
        one,
        readPage(new URL(`understanding/questions/pages/${one.page}.html`, import.meta.url)),
        'https://own.example/',
      ),
    )
    expect(shareOf(scores, 'found'), faults(scores).join('\n')).toBeGreaterThanOrEqual(floors['questions.own.found'])
    expect(shareOf(scores, 'absent'), faults(scores).join('\n')).toBeGreaterThanOrEqual(floors['questions.own.absent'])
  })

  it.skipIf(!hasSharedPages).each(['wceb', 'second', 'third'] as const)(
    'finds them on the shared pages of the set %s too (skipped where ../shared/bench is absent)',
    async (set) => {
      const pages = await sharedPages()
      const scores = readCases<QuestionCase>(new URL(`understanding/questions/${set}.json`, import.meta.url)).map(
        (one) => ask(one, pages.get(one.page)!.html(), pages.get(one.page)!.url),
      )
      for (const field of ['found', 'absent'] as const)
        expect(shareOf(scores, field), faults(scores).join('\n')).toBeGreaterThanOrEqual(
          floors[`questions.${set}.${field}`],
        )
    },
  )
})

describe('personal data', () => {
  it.each([
    ['first', sentences],
    ['second', secondSentences],
  ] as const)('is found in many locales, and little else is: the %s set', async (set, sentences) => {
    const { find } = await openRedactor()
    const cases = sentences().map((one) => [one, find(one.text, 'markdown', DEFAULT_WISH)] as const)
    const score = scorePrivacy(cases)
    for (const mark of ['EMAIL', 'PHONE', 'CARD', 'IBAN', 'SECRET', 'PERSON', 'LOCATION'] as const)
      expect(recallOf(score, [mark]), mark).toBeGreaterThanOrEqual(floors[`pii.${set}.${mark}`])
    expect(precisionOf(score)).toBeGreaterThanOrEqual(floors[`pii.${set}.precision`])
  })
})

describe('changes', () => {
  it('are silent on noise, and every edit is found and shown', () => {
    const scores = pairs().map((pair) => {
      const { changed, diff } = compare(lookAt(pair.before, pair.url), lookAt(pair.after, pair.url))
      return [pair.id, scoreChange(pair, { changeStatus: changed ? 'changed' : 'same', diff })] as const
    })
    for (const field of ['noise', 'edit', 'shown'] as const)
      expect(shareOf(scores, field), faults(scores).join('\n')).toBeGreaterThanOrEqual(floors[`changes.${field}`])
  })
})

describe('what it costs', () => {
  const one = new URL('understanding/questions/pages/waterworks-en.html', import.meta.url)
  const text = markdownOf(readPage(one), 'https://own.example/')
  const page = text.repeat(Math.ceil(60_000 / text.length)).slice(0, 60_000)
  const works: Record<string, () => unknown> = {
    question: () => answerFrom(page, 'Who designed the waterworks, and when was it opened?'),
    highlights: () => highlightsOf(page, 'the price of water'),
    summary: () => summaryOf(page),
    changeTracking: () => compare({ text: page, lines: [] }, { text: page.replaceAll('water', 'wine'), lines: [] }),
    onlyCleanContent: () => cleanMarkdown(page),
  }

  it.each(Object.keys(works))('%s takes at most 40 ms of processor time on a page of 60 kB', (name) => {
    const runs = Array.from({ length: 9 }, () => {
      const before = process.cpuUsage()
      works[name]!()
      return process.cpuUsage(before).user / 1000
    })
    // The best of several: what else the machine does is not ours.
    expect(Math.min(...runs)).toBeLessThanOrEqual(40)
  })
})
