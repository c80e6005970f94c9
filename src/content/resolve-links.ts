// Makes addresses of a page absolute, with a cache.
import { withoutPageState } from '../base/page-state.ts'

export type ResolveLink = (href: string | undefined) => string | undefined

// About 90 % of links are already normalised; recognising them avoids the URL parser.
const PLAIN_PATH = /^\/(?!\/)[\w\-./~?=&]*$/
const PLAIN_URL = /^https?:\/\/[a-z\d][a-z\d-]*(?:\.[a-z\d][a-z\d-]*)*\.[a-z]{2,20}\/[\w\-./~?=&]*$/

export function makeLinkResolver(base: string): ResolveLink {
  const known = new Map<string, string | undefined>()
  const origin = URL.canParse(base) ? new URL(base).origin : 'null'
  return (href) => {
    if (href === undefined) return undefined
    // Dot segments and `xn--` names need the URL parser.
    if (!href.includes('/.') && !href.includes('xn--')) {
      if (origin !== 'null' && PLAIN_PATH.test(href)) return origin + href
      if (PLAIN_URL.test(href)) return href
    }
    if (known.has(href)) return known.get(href)
    const made = base.startsWith('file:') ? inUploadedFile(href, base) : toAbsoluteUrl(href, base)
    known.set(href, made)
    return made
  }
}

export function toAbsoluteUrl(href: string, base: string): string | undefined {
  try {
    const { href: made, protocol } = new URL(href, base)
    // A page must not choose what is pressed on another.
    return RUNS.test(protocol) ? undefined : withoutPageState(made)
  } catch {
    return undefined
  }
}

/** An uploaded file has no address of its own: relative links stay relative. */
function inUploadedFile(href: string, base: string): string | undefined {
  if (href.startsWith('//')) return toAbsoluteUrl(`https:${href}`, base)
  const made = toAbsoluteUrl(href, base)
  return made?.startsWith('file:///') ? made.slice(href.startsWith('/') ? 7 : 8) : made
}

const RUNS = /^(?:javascript|vbscript|livescript):/i

/** Like the URL parser, ignores leading control characters, and tabs and newlines anywhere. */
export const isScriptUrl = (href: string): boolean =>
  RUNS.test(href.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+/, ''))

export const isHttpUrl = (url: string): boolean => url.startsWith('http://') || url.startsWith('https://')
