// What errors of the browser library and of Chromium's protocol mean. Only a timeout has a type of its own; the others
// are distinguished by their texts, and only here.

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The milliseconds that a call of the library had, when they ran out. */
export function timeoutOf(error: unknown): number | undefined {
  if (!(error instanceof Error && error.name === 'TimeoutError')) return undefined
  return Number(/Timeout (\d+)ms exceeded/.exec(error.message)?.[1] ?? 0)
}

/** On a busy machine the time may be up after the press itself, which must not be done twice. */
export const wasPressed = (error: unknown): boolean =>
  /performing click action(?![\s\S]*(?:intercepts pointer events|retrying click action))/.test(messageOf(error))

/** Something lies over the element. */
export const isCovered = (error: unknown): boolean => /intercepts pointer events/.test(messageOf(error))

/** The document of a call was replaced while it ran. */
export const hasNavigated = (error: unknown): boolean => /Execution context was destroyed/.test(messageOf(error))

/** Like `hasNavigated`, for scripts that run in whatever document the page has. */
export const hasLeftDocument = (error: unknown): boolean =>
  /context was destroyed|navigat|Cannot find (default execution )?context|Promise was collected/i.test(messageOf(error))

/** The page, its process or the connection has ended. */
export const isClosedOrCrashed = (error: unknown): boolean => /closed|crashed/i.test(messageOf(error))

/** The page was closed under a visit, which another browser can repeat. */
export const isTargetGone = (error: unknown): boolean =>
  /Target (page, context|closed|crashed)|has been closed|Page crashed|Protocol error.*closed|given id not found|active page/i.test(
    messageOf(error),
  )
