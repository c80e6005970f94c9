// Clauses that need no matching of settings: going, scrolling, sorting, dragging, cookies, dialogs, searching, reading.

import { findAnswerOnPage, findLabelledAnswer } from '../driving/answer-from-page.ts'
import {
  answerCookieNotice,
  closeDialog,
  findClosers,
  findConsentNotice,
  pressCloserAndCheck,
} from '../driving/answer-page-overlays.ts'
import { dragElement } from '../driving/drag-element.ts'
import {
  findWordRun,
  foldText,
  keyWordsOf,
  labelWordsOf,
  scoreLabelCoverage,
  scoreWordMatch,
  stemWord,
} from '../driving/match-label-words.ts'
import { goBack, goBackOrForwardInHistory, scrollPage } from '../driving/navigate.ts'
import { type FormField, listPageControls } from '../driving/page-controls.ts'
import { findOverlay, type PageDriver } from '../driving/page-driver.ts'
import { findNextPageControl, openSectionsUntil, scrollUntil, turnPagesUntil } from '../driving/reveal-hidden.ts'
import { doWordsNameField, searchByField, searchFields } from '../driving/search-page.ts'
import { attachFile } from '../driving/set-control.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from '../driving/step-outcome.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  isDescendantOf,
  isShown,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import type { PromptClause } from './parse-prompt.ts'
import { joinTokenValues, type PromptToken, strongWordsOf } from './tokenize-prompt.ts'

export function areTokensOnPage(snapshot: DomSnapshot, tokens: readonly PromptToken[]): boolean {
  const said = strongWordsOf(tokens).filter((word) => !/^(row|post|item|entry|list|table|find|see|reach)$/.test(word))
  // "ticket 711" on a page of tickets is a row with 711.
  const own = wordsNotInTitles(snapshot, said)
  const words = own.length > 0 ? own : said
  if (words.length === 0) return false
  return snapshot.elements.some(
    (one) =>
      isShown(one) && findWordRun(words, labelWordsOf(`${one.text ?? ''} ${one.does ? (one.name ?? '') : ''}`)) >= 0,
  )
}

function wordsNotInTitles(snapshot: DomSnapshot, words: readonly string[]): string[] {
  const titles = snapshot.elements.filter(({ role }) => role === 'heading' || role === 'columnheader')
  const known = [snapshot.title, ...titles.map(({ name, text }) => name ?? text ?? '')].flatMap(labelWordsOf)
  return words.filter((word) => !known.some((other) => stemWord(other) === stemWord(word)))
}

/** Looks on this page, on further pages, and further down. */
export async function findByPagingOrScrolling(
  driver: PageDriver,
  isThere: (snapshot: DomSnapshot) => boolean,
): Promise<boolean> {
  return isThere(driver.snapshot) || (await turnPagesUntil(driver, isThere)) || (await scrollUntil(driver, isThere))
}

/** "until you see the post of Ada"; in "I lost a glove. Go on until you find it", the sentence before says what is sought. */
export function wordsSoughtIn({ until = [], background = [] }: PromptClause): PromptToken[] {
  const named = until.filter(({ word }) => !/^(you|see|find|reach|is|shown|appears|it|them)$/.test(word))
  const article = background.findIndex(({ word }) => /^(a|an|the|my|our)$/.test(word))
  return named.length > 0 ? named : background.slice(article + 1)
}

export async function goBackForwardOrNext(driver: PageDriver, clause: PromptClause): Promise<StepOutcome | undefined> {
  const text = foldText(joinTokenValues(clause.rest))
  if (/^back\b/.test(text) || clause.verb === 'return') return goBack(driver, strongWordsOf(clause.rest))
  if (/^forward$/.test(text)) return goBackOrForwardInHistory(driver, 'goForward')
  const isLast = /\b(last|final) page$/.test(text)
  const until = isLast ? clause.rest : clause.until && wordsSoughtIn(clause)
  const isLeafing = /\b(next|pages?|more|through)\b/.test(`${clause.verb} ${text}`)
  if (!isLast && !/\bnext( page)?$/.test(text) && !(until && isLeafing)) return undefined
  const pressNext = async () => {
    const next = findNextPageControl(driver.snapshot)
    return next !== undefined && driver.press(next)
  }
  if (!until)
    return (await pressNext())
      ? okOutcome('Went to the next page.')
      : failedOutcome('Could not go on: there is no next page.')
  if (/\b(no|none|last|end)\b/.test(foldText(joinTokenValues(until)))) {
    let count = 0
    while (count < 60 && (await pressNext())) count++
    return okOutcome(`Went on ${count} pages, to the last one.`)
  }
  return (await turnPagesUntil(driver, (snapshot) => areTokensOnPage(snapshot, until)))
    ? okOutcome(`Went on until ${quoteShort(joinTokenValues(until))} was shown.`)
    : failedOutcome(`Could not find ${quoteShort(joinTokenValues(until))} on any page.`)
}

export async function scrollOnPage(driver: PageDriver, clause: PromptClause): Promise<StepOutcome> {
  const words = foldText(joinTokenValues(clause.rest))
  if (clause.until) {
    const until = clause.until
    return (await scrollUntil(driver, (snapshot) => areTokensOnPage(snapshot, until)))
      ? okOutcome(`Scrolled until ${quoteShort(joinTokenValues(until))} was shown.`)
      : failedOutcome(`Could not find ${quoteShort(joinTokenValues(until))} by scrolling.`)
  }
  return scrollPage(driver, words)
}

export async function searchOnPage(
  driver: PageDriver,
  tokens: readonly PromptToken[],
): Promise<StepOutcome | undefined> {
  const { snapshot } = driver
  const fields = searchFields(snapshot)
  const [sought, place] = queryIn(snapshot, tokens, fields)
  const query = joinTokenValues(
    sought.filter(({ kind, word }, at) => !(at === 0 && /^(the|a|an|for)$/.test(word)) && kind !== 'mark'),
  )
  const field = fields.find((one) => doWordsNameField(snapshot, one, place, fields)) ?? fields[0]
  if (/^(it|that|them|this|one)$/i.test(query))
    return failedOutcome(`Could not tell what to search for: ${quoteShort(query)}.`)
  if (!field || query === '') return undefined
  const condition = sought.find(({ kind, word }) => kind === 'word' && /^(not|only|without|except)$/.test(word))
  if (condition) return failedOutcome(`Could not search with the condition "${condition.value}".`)
  const other = sought.length > 1 && findOtherMeaning(snapshot, sought, field)
  if (other) return failedOutcome(`Could not search for ${quoteShort(query)}: it is not clear what ${other} means.`)
  return searchByField(driver, field, query)
}

/** What is not part of the query: words beside a quoted one, or "near Rome" where the form has a field of its own for it. */
function findOtherMeaning(snapshot: DomSnapshot, sought: readonly PromptToken[], field: FormField): string | undefined {
  if (sought.filter(({ kind }) => kind === 'quote').length === 1)
    return quoteShort(strongWordsOf(sought.filter(({ kind }) => kind !== 'quote')).join(' '))
  const form = ancestorsOf(snapshot, field.element).find(({ tag }) => tag === 'form')
  const hasOthers = listPageControls(snapshot).fields.some(
    ({ element, kind }) =>
      form && kind === 'text' && element !== field.element && isDescendantOf(snapshot, element, form),
  )
  const link = sought.findIndex(({ word }, at) => at > 0 && /^(in|near|at|from|to|around)$/.test(word))
  return hasOthers && link > 0 ? quoteShort(joinTokenValues(sought.slice(link))) : undefined
}

/** "the collection for tiles", "tiles in the collection": what is sought, and the words that name the field. */
function queryIn(
  snapshot: DomSnapshot,
  tokens: readonly PromptToken[],
  fields: readonly FormField[],
): [sought: readonly PromptToken[], place: string[]] {
  const quote = tokens.findIndex(({ kind }) => kind === 'quote')
  const link = tokens.findIndex(({ kind, word }, at) => at > 0 && kind === 'word' && /^(for|in|on|under)$/.test(word))
  const [before, after] = [tokens.slice(0, Math.max(0, link)), tokens.slice(link + 1)]
  const ways: [readonly PromptToken[], readonly PromptToken[]][] = [
    [tokens.slice(quote, quote + 1), quote < 0 ? [] : tokens.toSpliced(quote, 1)],
    tokens[link]?.word === 'for' ? [after, before] : [before, link < 0 ? [] : after],
  ]
  for (const [sought, rest] of ways) {
    const place = strongWordsOf(rest)
    if (sought.length > 0 && wordsNotInTitles(snapshot, place).length === 0 && quote >= 0) return [sought, place]
    if (fields.some((field) => doWordsNameField(snapshot, field, place, fields))) return [sought, place]
  }
  return [tokens, []]
}

/** "Drag X to the top", "Move X to Done". */
export async function dragOnPage(driver: PageDriver, { rest }: PromptClause): Promise<StepOutcome> {
  const at = rest.findLastIndex(
    ({ kind, word }) => kind === 'word' && /^(to|into|onto|below|above|before|after)$/.test(word),
  )
  if (at < 1) return failedOutcome('Could not tell where to drag it.')
  return dragElement(driver, joinTokenValues(rest.slice(0, at)), joinTokenValues(rest.slice(at + 1)))
}

const REFUSES = /^(reject|decline|refuse|deny|no)\b/
const CONSENT_WORD = /^(all|everything|cookies?|tracking|privacy|notice|policy|only|necessary|essential|ones)$/

/** Answers the cookie notice; nothing when the clause has words of something else. */
export async function answerCookiesOnPage(
  driver: PageDriver,
  { verb, rest, text }: PromptClause,
): Promise<StepOutcome | undefined> {
  const words = strongWordsOf(rest).filter((word) => word !== 'them')
  if (!words.every((word) => CONSENT_WORD.test(word))) return undefined
  if (words.length === 0 || !words.some((word) => /cookie|tracking|privacy/.test(word)))
    if (!findConsentNotice(driver.snapshot)) return undefined
  return answerCookieNotice(driver, REFUSES.test(verb) || /\b(necessary|essential)\b/.test(foldText(text)))
}

const CLOSABLE = /^(popup|window|dialog|dialogue|modal|overlay|box|banner|message|notice|bar|thing|out|way|about)$/

export const wordsOfWhatToClose = ({ rest }: PromptClause): string[] =>
  strongWordsOf(rest).filter((word) => !CLOSABLE.test(word))

/** Closes the dialog or notice whose label or text has the words; without such words, the topmost overlay. */
export async function closeOverlayOnPage(driver: PageDriver, clause: PromptClause): Promise<StepOutcome> {
  const words = wordsOfWhatToClose(clause)
  const find = (snapshot: DomSnapshot) => findClosers(snapshot, words)
  await driver.until((snapshot) => find(snapshot).length > 0 || findOverlay(snapshot) !== undefined, 1000)
  const found = find(driver.snapshot)
  if (found.length === 1) return pressCloserAndCheck(driver, found[0]!)
  const over = findOverlay(driver.snapshot)
  const around = over ? labelWordsOf(`${over.name ?? ''} ${textOfElement(driver.snapshot, over, 400)}`) : []
  if (words.every((word) => around.some((other) => scoreWordMatch(word, other) > 0))) return closeDialog(driver)
  return failedOutcome(
    `Could not do ${quoteShort(clause.text)}: ${found.length > 1 ? 'it is not clear which one is meant' : `nothing that can be closed has ${quoteShort(words.join(' '))}`}.`,
  )
}

/** Reads an answer here, else on further pages of the list or in folded sections. */
export async function answerQuestionOnPage(driver: PageDriver, question: string): Promise<StepOutcome> {
  const isThere = (snapshot: DomSnapshot) => findAnswerOnPage(snapshot, question) !== undefined
  if (!isThere(driver.snapshot) && !(await turnPagesUntil(driver, isThere))) await openSectionsUntil(driver, isThere)
  const answer = findAnswerOnPage(driver.snapshot, question)
  return answer
    ? okOutcome(`${answer.value}${answer.from ? ` (${answer.from})` : ''}`)
    : failedOutcome(`Could not find an answer to ${quoteShort(question)} on the page.`)
}

export const findLabelledText = (snapshot: DomSnapshot, tokens: readonly PromptToken[]): string | undefined =>
  findLabelledAnswer(
    snapshot,
    keyWordsOf(joinTokenValues(tokens)).filter((word) => !/^(text|field|value|content)$/.test(word)),
  )?.value

/** `upload a file named note.txt with the text "…"`. */
export async function uploadFileOnPage(driver: PageDriver, clause: PromptClause): Promise<StepOutcome> {
  const isName = ({ kind, value }: PromptToken) => /^(word|quote)$/.test(kind) && /\.\p{L}\w{1,4}$/u.test(value)
  const named = clause.rest.find(isName) ?? clause.rest.find(({ kind }) => kind === 'quote')
  const [name, text] = [named, clause.rest.find((one) => one.kind === 'quote' && one !== named)].map(
    (one) => one?.value,
  )
  const fields = listPageControls(driver.snapshot).fields.filter(({ kind }) => kind === 'file')
  if (name === undefined || text === undefined)
    return failedOutcome(
      'Could not upload anything: a prompt has no files. Give a name and a text in quotes, or use code with `page.setInputFiles`.',
    )
  if (fields.length !== 1)
    return failedOutcome(`Could not upload ${quoteShort(name)}: the page has ${fields.length} fields for files.`)
  if (!(await attachFile(driver, fields[0]!, name, text)))
    return failedOutcome(`Could not give ${quoteShort(name)} to the page.`)
  const button = listPageControls(driver.snapshot).buttons.filter(
    ({ element, label }) =>
      isShown(element) && element.role === 'button' && scoreLabelCoverage([clause.verb], label) > 0,
  )
  if (button.length === 1) await driver.press(button[0]!.element)
  return okOutcome(`Uploaded ${quoteShort(name)}.`)
}
