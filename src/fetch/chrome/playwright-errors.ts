// What errors of the browser library and of Chromium's protocol mean. Only a timeout has a type of its own; the others
// are distinguished by their texts, and only here.

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const LIBRARY = /[\\/]node_modules[\\/](?:playwright|patchright)-core[\\/]/

export const isTimeout = (error: unknown): error is Error => error instanceof Error && error.name === 'TimeoutError'

/** The milliseconds that a call of the library had, when they ran out. */
export const timeoutOf = (error: unknown): number | undefined =>
  isTimeout(error) ? Number(/Timeout (\d+)ms exceeded/.exec(error.message)?.[1] ?? 0) : undefined

/** Chromium's reason why a request failed, and the URL where the message has it. */
interface NetError {
  /** Without `net::`. */
  code: string
  url?: string
}

const NET_ERROR = /net::(ERR_[A-Z_0-9]+)(?: at (https?:\/\/[^\s"']+))?/

export function netErrorOf(error: unknown): NetError | undefined {
  const [, code, url] = NET_ERROR.exec(messageOf(error)) ?? []
  return code === undefined ? undefined : { code, ...(url === undefined ? {} : { url }) }
}

/** Adds `reasonOf` the URL to each failed navigation that a text of the library reports. */
export const explainNetErrors = (text: string, reasonOf: (url: string) => string | undefined): string =>
  text.replace(new RegExp(NET_ERROR, 'g'), (whole, _code, url?: string) => {
    const reason = url && reasonOf(url)
    return reason ? `${whole} (${reason})` : whole
  })

/** The navigation ended because the response is a file that the browser downloads, or may be one. */
export const mayBeDownload = (error: unknown): boolean =>
  netErrorOf(error)?.code === 'ERR_ABORTED' || /Download is starting/.test(messageOf(error))

/** A full Chromium replaces an error response without a body by an error page of its own. */
export const isEmptyErrorResponse = (error: unknown): boolean =>
  netErrorOf(error)?.code === 'ERR_HTTP_RESPONSE_CODE_FAILURE'

/** Another navigation, to this URL, replaced the one of the call. */
export const isInterruptedBy = (error: unknown, url: string): boolean => messageOf(error).includes(url)

/** The GPU process of the browser restarts within moments after such an error. */
export const isScreenshotFailure = (error: unknown): boolean => /Unable to capture screenshot/.test(messageOf(error))

/** When a browser dies mid-call, the library leaves rejected promises of its own. */
export const isLostReply = ({ stack = '', message }: Error): boolean =>
  LIBRARY.test(stack) && /closed|crashed|detached|disconnected/i.test(message)

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
