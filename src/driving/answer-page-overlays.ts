// Answers what lies over a page: cookie notices, dialogs to close, and dialogs that ask whether one is sure.

import {
  type DomSnapshot,
  descendantsOf,
  isDescendantOf,
  isShown,
  labelOfElement,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { isWeakWord, labelWordsOf, scoreLabelCoverage, scoreWordMatch } from './match-label-words.ts'
import { findOpenDialog, findRowOrCardOfButton, listPageControls, type PageButton } from './page-controls.ts'
import {
  ACCEPT_COOKIES_LABEL,
  CLOSE_BUTTON_LABEL,
  CONSENT_TEXT,
  findOverlay,
  type PageDriver,
  REFUSE_COOKIES_LABEL,
} from './page-driver.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from './step-outcome.ts'

/** The innermost part of the page that asks about cookies and has buttons for the answer. */
export const findConsentNotice = (snapshot: DomSnapshot): SnapshotElement | undefined =>
  snapshot.elements.findLast(
    (one) =>
      isShown(one) &&
      /cookie|consent|privacy/i.test(`${one.name ?? ''} ${textOfElement(snapshot, one, 600)}`) &&
      descendantsOf(snapshot, one).some(({ does, role }) => does && role === 'button'),
  )

export async function answerCookieNotice(driver: PageDriver, refuses: boolean): Promise<StepOutcome> {
  const notice = findConsentNotice(driver.snapshot)
  const buttons = notice
    ? listPageControls(driver.snapshot).buttons.filter(
        ({ element }) => isShown(element) && descendantsOf(driver.snapshot, notice).includes(element),
      )
    : []
  const button = buttons.find(({ label }) => (refuses ? REFUSE_COOKIES_LABEL : ACCEPT_COOKIES_LABEL).test(label.trim()))
  if (!notice || !button)
    return failedOutcome(
      `Could not ${refuses ? 'refuse' : 'accept'} cookies: ${notice ? `the notice offers ${describeButtonLabels(buttons)}` : 'the page shows no such notice'}.`,
    )
  await driver.press(button.element)
  const now = driver.again(button.element)
  return now && isShown(now)
    ? failedOutcome(`Pressed ${quoteShort(button.label)}, but the notice did not go away.`)
    : okOutcome(`Pressed ${quoteShort(button.label)}.`)
}

export async function closeDialog(driver: PageDriver): Promise<StepOutcome> {
  const over = findOverlay(driver.snapshot)
  if (!over) return failedOutcome('Could not close anything: no dialog is open.')
  const button = descendantsOf(driver.snapshot, over).find(isCloser)
  if (button) return pressCloserAndCheck(driver, button)
  await driver.key('Escape')
  const now = driver.again(over)
  if (!now || !isShown(now)) return okOutcome('Closed the dialog.')
  return CONSENT_TEXT.test(textOfElement(driver.snapshot, over))
    ? answerCookieNotice(driver, true)
    : failedOutcome('Could not close the dialog: it is still shown.')
}

const isCloser = (one: SnapshotElement): boolean =>
  isShown(one) &&
  !!one.does &&
  (CLOSE_BUTTON_LABEL.test(labelOfElement(one).trim()) || /\bclose\b/i.test(one.cls ?? ''))

/** Close buttons whose label, or the text around them, has all of the words. */
export function findClosers(snapshot: DomSnapshot, words: readonly string[]): SnapshotElement[] {
  const closers = snapshot.elements.filter(isCloser)
  if (words.length === 0) return []
  return closers.filter((closer) => {
    const twins = closers.map((element) => ({ element, label: '' }))
    const part = findRowOrCardOfButton(snapshot, { element: closer, label: '' }, twins) ?? findOverlay(snapshot)
    const isAround = part && part.tag !== 'main' && part.tag !== 'body' && isDescendantOf(snapshot, closer, part)
    const text = labelWordsOf(
      `${labelOfElement(closer)} ${isAround ? `${part.name ?? ''} ${textOfElement(snapshot, part, 400)}` : ''}`,
    )
    return words.every((word) => text.some((other) => scoreWordMatch(word, other) > 0))
  })
}

/** Presses a control that closes something; it must be gone afterwards. */
export async function pressCloserAndCheck(driver: PageDriver, closer: SnapshotElement): Promise<StepOutcome> {
  await driver.press(closer)
  const now = driver.again(closer)
  return now && isShown(now)
    ? failedOutcome('Could not close the dialog: it is still shown.')
    : okOutcome('Closed the dialog.')
}

const YES = /^(yes|ok|okay|confirm|continue|sure|i'm sure)\b/i
const NO = /\b(no|keep|don't|back|never)\b|^cancel$/i

/** The button of an open dialog that says yes to what was asked for; the dialog also has one for no, and no fields. */
export function findAffirmativeButton(snapshot: DomSnapshot, verb: string): PageButton | undefined {
  const dialog = findOpenDialog(snapshot)
  if (!dialog) return undefined
  const isInside = ({ element }: { element: SnapshotElement }) =>
    isShown(element) && isDescendantOf(snapshot, element, dialog)
  const { buttons, fields } = listPageControls(snapshot)
  const inside = buttons.filter(isInside)
  if (fields.some(isInside) || !inside.some(({ label }) => NO.test(label))) return undefined
  const words = labelWordsOf(verb).filter((word) => !isWeakWord(word))
  const fitting = inside.filter(
    ({ label }) => !NO.test(label) && (YES.test(label) || words.some((word) => scoreLabelCoverage([word], label) > 0)),
  )
  return new Set(fitting.map(({ element }) => element.ref)).size === 1 ? fitting[0] : undefined
}

const describeButtonLabels = (buttons: readonly PageButton[]): string => {
  const labels = [...new Set(buttons.map(({ label }) => quoteShort(label)))]
  return labels.slice(0, 12).join(', ') + (labels.length > 12 ? ' and more' : '') || 'nothing to press'
}

/** Lists the page's fields and buttons, for the reply to a request that matches none of them. */
export function describePageControls(snapshot: DomSnapshot): string {
  const { buttons, choices, fields } = listPageControls(snapshot)
  const shown = <T extends { element: SnapshotElement }>(list: readonly T[]) =>
    list.filter(({ element }) => isShown(element))
  const groups = [...new Set(shown(choices).map(({ text }) => `"${text}"`))].slice(0, 12)
  const labels = [...new Set(shown(fields).flatMap(({ labels: [label] }) => (label ? [`"${label}"`] : [])))].slice(
    0,
    10,
  )
  const offers = [
    groups.length > 0 ? `choices ${groups.join(', ')}` : '',
    labels.length > 0 ? `fields ${labels.join(', ')}` : '',
    `buttons ${describeButtonLabels(shown(buttons))}`,
  ]
  return offers.filter(Boolean).join('; ')
}
