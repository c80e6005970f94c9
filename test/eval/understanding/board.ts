// Every labelled case of every set as one list, so that halves can be scored and rules judged by taking them away
// (scripts/ablate.mjs). Pages are opened once for each case; what reads them runs as often as it is asked to.
import { type ParsedPage, parsePage } from '../../../src/content/parsed-page.ts'
import { compareTextVersions } from '../../../src/understanding/changes/compare-texts.ts'
import { fingerprintWholePage } from '../../../src/understanding/changes/page-fingerprints.ts'
import { extractJson } from '../../../src/understanding/extract/extract-json.ts'
import { answerFromPage } from '../../../src/understanding/passages/answer-with-quotes.ts'
import { openRedactor } from '../../../src/understanding/privacy/redact.ts'
import { DEFAULT_REDACT_OPTIONS } from '../../../src/understanding/privacy/redact-options.ts'
import { readProduct } from '../../../src/understanding/shop/read-product.ts'
import { isSealed } from '../halves.ts'
import { readCases, readPage } from './cases.ts'
import { pairs } from './changes/pairs.ts'
import { scoreChange } from './changes/score.ts'
import { type JsonCase, scoreJson } from './json/score.ts'
import { precisionOf, recallOf, scorePrivacy } from './pii/score.ts'
import { type Sentence, secondSentences, sentences, thirdSentences } from './pii/sentences.ts'
import { type ProductCase, type SharedProductCase, scoreProduct, scoreSharedProduct } from './products/score.ts'
import { type QuestionCase, scoreQuestion } from './questions/score.ts'
import { EVERYDAY_SETS, isShared, QUESTION_SETS } from './run.ts'
import { hasSharedPages, sharedPages } from './shared-pages.ts'
import { type Score, type Tally, total } from './tally.ts'

export type Group = 'json' | 'questions' | 'products' | 'changes' | 'watched' | 'personal data'

export interface Case {
  group: Group
  set: string
  id: string
  sealed: boolean
  score: () => Tally
}

export const SHARED_JSON = ['wceb', 'tune', 'fresh', 'unseen-a', 'unseen-b', 'unseen-c']

const CHOICES = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const open = (html: string, url: string): ParsedPage =>
  parsePage({ bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url }, CHOICES)
const at = (name: string) => new URL(name, import.meta.url)

/** Made when first asked for, and kept. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** All cases; those about shared pages only where these are. */
export async function board(): Promise<Case[]> {
  const pages = hasSharedPages ? await sharedPages() : new Map()
  const opened = new Map<string, () => ParsedPage>()
  const sharedPage = (id: string): (() => ParsedPage) => {
    const known = opened.get(id) ?? once(() => open(pages.get(id)!.html(), pages.get(id)!.url))
    opened.set(id, known)
    return known
  }
  const { find } = await openRedactor()
  return [...jsonCases(sharedPage), ...questionCases(sharedPage), ...productCases(sharedPage), ...changeCases()].concat(
    privacyCases((text) => find(text, 'markdown', DEFAULT_REDACT_OPTIONS)),
  )
}

type Shared = (id: string) => () => ParsedPage

const made = (group: Group, set: string, id: string, score: () => Score): Case => ({
  group,
  set,
  id: `${set} ${id}`,
  sealed: isSealed(`${group} ${set} ${id}`),
  score: () => total([score()]),
})

function* jsonCases(shared: Shared): Generator<Case> {
  for (const set of hasSharedPages ? SHARED_JSON : [])
    for (const one of readCases<JsonCase>(at(`json/${set}.json`))) {
      const page = shared(one.id)
      yield made('json', set, `${one.id} ${Object.keys(one.schema.properties ?? {}).join(' ')}`, () =>
        scoreJson(one, extractJson(page(), one.schema, one.prompt).value),
      )
    }
}

function* questionCases(shared: Shared): Generator<Case> {
  for (const set of QUESTION_SETS.filter((name) => hasSharedPages || !isShared(name)))
    for (const one of readCases<QuestionCase>(at(`questions/${set}.json`))) {
      const markdown = once(() => {
        if ((EVERYDAY_SETS as readonly string[]).includes(set)) return readPage(at(`questions/everyday/${one.page}.md`))
        if (isShared(set)) return shared(one.page)().markdown
        return open(readPage(at(`questions/pages/${one.page}.html`)), 'https://own.example/').markdown
      })
      yield made('questions', set, `${one.page} ${one.question}`, () => {
        const { answer, quotes } = answerFromPage(markdown(), one.question)
        const said = scoreQuestion(one, answer)
        const isWrong = answer !== null && said.get('found')?.wrong === 1
        return isWrong ? scoreQuestion(one, quotes.join('\n')) : said
      })
    }
}

function* productCases(shared: Shared): Generator<Case> {
  for (const one of readCases<ProductCase>(at('products/own.json'))) {
    const page = once(() => open(readPage(at(`products/pages/${one.id}.html`)), one.url))
    yield made('products', 'own', one.id, () => scoreProduct(one, readProduct(page()).product))
  }
  if (!hasSharedPages) return
  for (const one of readCases<SharedProductCase>(at('products/wceb.json'))) {
    const page = shared(one.id)
    yield made('products', 'wceb', one.id, () => scoreSharedProduct(one, readProduct(page()).product))
  }
}

function* changeCases(): Generator<Case> {
  const pageText = (page: ParsedPage) => ({ text: page.markdown, lines: fingerprintWholePage(page) })
  for (const set of ['pairs', 'watched'] as const)
    for (const pair of pairs(set)) {
      const [before, after] = [once(() => open(pair.before, pair.url)), once(() => open(pair.after, pair.url))]
      yield made(set === 'pairs' ? 'changes' : 'watched', set, pair.id, () => {
        const { changed, diff } = compareTextVersions(pageText(before()), pageText(after()))
        return scoreChange(pair, { changeStatus: changed ? 'changed' : 'same', diff })
      })
    }
}

/** Right: marked and found. Wrong: given and not what it claims to be. */
function privacyCases(find: (text: string) => ReturnType<typeof asFound>): Case[] {
  const sets: [string, Sentence[]][] = [
    ['first', sentences()],
    ['second', secondSentences()],
    ['third', [...thirdSentences('open'), ...thirdSentences('sealed')]],
  ]
  return sets.flatMap(([set, all]) =>
    all.map((one) => ({
      group: 'personal data' as const,
      set,
      id: `${set} ${one.text}`,
      sealed: isSealed(one.text),
      score: () => {
        const score = scorePrivacy([[one, find(one.text)]])
        const marked = one.entities.length
        const right = Math.round(recallOf(score, one.entities.map(({ mark }) => mark).filter(isFirst)) * marked)
        const given = [...score.precision.values()].reduce((sum, row) => sum + row.given, 0)
        return { right, wrong: Math.round((1 - precisionOf(score)) * given), empty: marked - right }
      },
    })),
  )
}

const isFirst = <T>(one: T, at: number, all: readonly T[]): boolean => all.indexOf(one) === at
const asFound = (
  found: Parameters<typeof scorePrivacy>[0] extends Iterable<readonly [Sentence, infer F]> ? F : never,
) => found
