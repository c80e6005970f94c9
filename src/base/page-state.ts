// Addresses of states that a page reaches by its buttons: `…/app#:~:tab=Berths&button=Map`. They are fragment
// directives, which no server and no script of the page receives.
import { valueOr } from './attempt.ts'

export interface ButtonPress {
  role: 'button' | 'menuitem' | 'tab'
  name: string
}

const MAX_PRESSES = 3
const DIRECTIVE = /#?:~:(?=(?:button|menuitem|tab)=)/
const PRESS = /^(button|menuitem|tab)=(.+)$/

/** Where the state begins, with the `#` if nothing else follows that; -1 without a state. Only a fragment has one. */
function startOfState(url: string): number {
  const hash = url.indexOf('#')
  const at = hash === -1 ? -1 : url.slice(hash).search(DIRECTIVE)
  return at === -1 ? -1 : hash + at
}

const directiveOf = (url: string): string => url.slice(url.indexOf(':~:', startOfState(url)))

export const isPageState = (url: string): boolean => startOfState(url) !== -1

export const withoutPageState = (url: string): string => (isPageState(url) ? url.slice(0, startOfState(url)) : url)

/** What is pressed to reach the state, in order. Undefined for an address that is not valid. */
export function readPresses(url: string): ButtonPress[] | undefined {
  if (!isPageState(url)) return []
  const parts = directiveOf(url).slice(3).split('&')
  const presses = parts.slice(0, MAX_PRESSES + 1).map(readPress)
  return presses.length <= MAX_PRESSES && presses.every((one) => one !== undefined) ? presses : undefined
}

function readPress(text: string): ButtonPress | undefined {
  const [, role, name] = PRESS.exec(text) ?? []
  return valueOr(undefined, () =>
    role ? { role: role as ButtonPress['role'], name: decodeURIComponent(name!) } : undefined,
  )
}

/** Undefined if the state is as far from its page as states may be. */
export function addPress(url: string, { role, name }: ButtonPress): string | undefined {
  const presses = readPresses(url)
  if (!presses || presses.length === MAX_PRESSES) return undefined
  const head = presses.length > 0 ? `${url}&` : `${url}${url.includes('#') ? '' : '#'}:~:`
  return `${head}${role}=${encodeURIComponent(name)}`
}

/** Gives `page` the state of `url`. */
export const copyPageState = (url: string, page: string): string =>
  isPageState(url) ? `${page}${page.includes('#') ? '' : '#'}${directiveOf(url)}` : page
