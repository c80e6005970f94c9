// Whether a screen can be worked by keyboard alone: Tab comes to everything that a mouse could press, and one sees where it is.
import type { Page } from 'playwright-core'

/** A screen with more stops is a long list: the same stop again and again. */
const MOST_STOPS = 150
/** Hours, minutes, half of the day, and the button beside them. */
const MORE_STOPS_OF_A_TIME = 3
/** Tab begins wherever the focus was, and passes the browser's own bar on its way round. */
const ROUND_TRIP = 4
const STOPS_OF_A_FRAME = 12

/** What Tab does not come to, and what does not show that it has come to it; one line each. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const { stops, times, frames } = await page.evaluate<Record<'stops' | 'times' | 'frames', number>>(BEGIN)
  const presses = stops + ROUND_TRIP + times * MORE_STOPS_OF_A_TIME + frames * STOPS_OF_A_FRAME
  for (let at = 0; at < Math.min(presses, MOST_STOPS); at++) await page.keyboard.press('Tab')
  return page.evaluate<string[]>(`(${END})(${presses <= MOST_STOPS})`)
}

/** Runs in the page: notes what should be reached, and watches where the focus goes. Of a group of radio buttons, Tab comes to one. */
const BEGIN = `(() => {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const wanted = [...(dialog ?? document).querySelectorAll('a[href], button, input:not([type=radio]), select, textarea, summary, [tabindex="0"]')]
    .filter((element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true }))
  const seen = new Set([document.activeElement]), unmarked = new Set()
  const note = ({ target }) => {
    seen.add(target)
    const marked = [target, target.closest('label'), target.parentElement].some((element) => {
      if (!element) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    })
    if (!marked) unmarked.add(target)
  }
  document.addEventListener('focusin', note)
  globalThis.orbWalk = { wanted, seen, unmarked, stop: () => document.removeEventListener('focusin', note) }
  const times = wanted.filter((element) => element.type === 'time').length
  return { stops: wanted.length, times, frames: document.querySelectorAll('iframe').length }
})()`

const END = `(isWhole) => {
  const { wanted, seen, unmarked, stop } = globalThis.orbWalk
  stop()
  const said = (element) => element.outerHTML.slice(0, 120)
  const missed = isWhole ? wanted.filter((element) => element.isConnected && !seen.has(element)) : []
  return [
    ...missed.map((element) => 'Tab does not come to ' + said(element)),
    ...[...unmarked].map((element) => 'one does not see that Tab has come to ' + said(element)),
  ]
}`
