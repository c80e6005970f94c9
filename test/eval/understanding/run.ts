// The product's code run over the sets, without a model: what the tests hold to their floors, and `npm run prove` to its
// bars. Scores only; what they should be is said elsewhere.

import { type ParsedPage, parsePage } from '../../../src/content/parsed-page.ts'
import { compareTextVersions } from '../../../src/understanding/changes/compare-texts.ts'
import { fingerprintWholePage } from '../../../src/understanding/changes/page-fingerprints.ts'
import { answerFromPage } from '../../../src/understanding/passages/answer-with-quotes.ts'
import { openRedactor } from '../../../src/understanding/privacy/redact.ts'
import { DEFAULT_REDACT_OPTIONS } from '../../../src/understanding/privacy/redact-options.ts'
import { readProduct } from '../../../src/understanding/shop/read-product.ts'
import { isSealed } from '../halves.ts'
import { readCases, readPage } from './cases.ts'
import { type PairSet, pairs } from './changes/pairs.ts'
import { scoreChange } from './changes/score.ts'
import { type Privacy, scorePrivacy } from './pii/score.ts'
import { secondSentences, sentences, thirdSentences } from './pii/sentences.ts'
import { type ProductCase, type SharedProductCase, scoreProduct, scoreSharedProduct } from './products/score.ts'
import { type QuestionCase, scoreQuestion } from './questions/score.ts'
import { sharedPages } from './shared-pages.ts'
import { noTally, type Score } from './tally.ts'

export type Scores = readonly (readonly [string, Score])[]

const CHOICES = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const open = (html: string, url: string): ParsedPage =>
  parsePage({ bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url }, CHOICES)
const at = (name: string) => new URL(name, import.meta.url)
const OWN = 'https://own.example/'

/** Share of right cases of one field. */
export function shareOf(scores: Scores, field: string): number {
  const sum = noTally()
  for (const [, score] of scores) {
    const { right, wrong, empty } = score.get(field) ?? noTally()
    sum.right += right
    sum.wrong += wrong
    sum.empty += empty
  }
  return sum.right / (sum.right + sum.wrong + sum.empty)
}

const SHARED_SETS = ['wceb', 'second', 'third', 'fourth', 'tune', 'fifth', 'sixth', 'seventh'] as const
/** Lots of our own pages, kept as markdown. */
export const EVERYDAY_SETS = ['everyday', 'everyday-b', 'everyday-c', 'everyday-d', 'everyday-e'] as const
export const QUESTION_SETS = ['own', ...SHARED_SETS, ...EVERYDAY_SETS] as const

const isOneOf = (set: string, sets: readonly string[]): boolean => sets.includes(set)
/** Whether a set asks of shared pages, which are not on every machine. */
export const isShared = (set: string): boolean => isOneOf(set, SHARED_SETS)

/** Questions of one set, each asked of its page. */
export async function questionScores(set: (typeof QUESTION_SETS)[number]): Promise<Scores> {
  const pages = isShared(set) ? await sharedPages() : undefined
  const read = new Map<string, string>()
  const markdownOf = (name: string): string => {
    const known = read.get(name)
    if (known !== undefined) return known
    const page = pages?.get(name)
    const made = isOneOf(set, EVERYDAY_SETS)
      ? readPage(at(`questions/everyday/${name}.md`))
      : (page ? open(page.html(), page.url) : open(readPage(at(`questions/pages/${name}.html`)), OWN)).markdown
    read.set(name, made)
    return made
  }
  return readCases<QuestionCase>(at(`questions/${set}.json`)).map((one) => {
    const { answer, quotes } = answerFromPage(markdownOf(one.page), one.question)
    const said = scoreQuestion(one, answer)
    // Found in what the answer quotes as well: a row of a table is worded with the names of its columns.
    const isWrong = answer !== null && said.get('found')?.wrong === 1
    return [`${one.page} “${one.question}”`, isWrong ? scoreQuestion(one, quotes.join('\n')) : said] as const
  })
}

export type PrivacySet = 'first' | 'second' | 'open' | 'sealed'

export async function privacyScore(set: PrivacySet): Promise<Privacy> {
  const { find } = await openRedactor()
  const all = set === 'first' ? sentences() : set === 'second' ? secondSentences() : thirdSentences(set)
  return scorePrivacy(all.map((one) => [one, find(one.text, 'markdown', DEFAULT_REDACT_OPTIONS)] as const))
}

/** `half`: of the set `watched`, the half that rules were written by or the sealed one. */
export function changeScores(set: PairSet = 'pairs', half?: 'open' | 'sealed'): Scores {
  const pageText = (html: string, url: string) => {
    const page = open(html, url)
    return { text: page.markdown, lines: fingerprintWholePage(page) }
  }
  const isAsked = ({ id }: { id: string }) =>
    half === undefined || isSealed(`watched ${set} ${id}`) === (half === 'sealed')
  return pairs(set)
    .filter(isAsked)
    .map((pair) => {
      const { changed, diff } = compareTextVersions(pageText(pair.before, pair.url), pageText(pair.after, pair.url))
      return [pair.id, scoreChange(pair, { changeStatus: changed ? 'changed' : 'same', diff })] as const
    })
}

export async function productScores(half: 'own' | 'wceb'): Promise<Scores> {
  if (half === 'own')
    return readCases<ProductCase>(at('products/own.json')).map((one) => {
      const { product } = readProduct(open(readPage(at(`products/pages/${one.id}.html`)), one.url))
      return [one.id, scoreProduct(one, product)] as const
    })
  const pages = await sharedPages()
  return readCases<SharedProductCase>(at('products/wceb.json')).map((one) => {
    const page = pages.get(one.id)!
    return [one.id, scoreSharedProduct(one, readProduct(open(page.html(), page.url)).product)] as const
  })
}
