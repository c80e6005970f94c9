// Addresses on a page: relative to absolute, once each. Knows URLs only, not what they are used for.

export type ResolveLink = (href: string | undefined) => string | undefined

// Most links are already as the URL parser would write them; recognising those saves it nine times in ten.
const PLAIN_PATH = /^\/(?!\/)[\w\-./~?=&]*$/
const PLAIN_URL = /^https?:\/\/[a-z\d][a-z\d-]*(?:\.[a-z\d][a-z\d-]*)*\.[a-z]{2,20}\/[\w\-./~?=&]*$/

/** Makes hrefs absolute against a base; remembers its answers, since pages repeat their links. */
export function resolver(base: string): ResolveLink {
  const known = new Map<string, string | undefined>()
  const origin = URL.canParse(base) ? new URL(base).origin : 'null'
  return (href) => {
    if (href === undefined) return undefined
    // Dots may be steps up or down, and `xn--` names are checked: those take the long road.
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

/** Addresses that are programs. */
const RUNS = /^(?:javascript|vbscript|livescript):/i

/** As the URL parser reads it: what stands before the address, and tabs and line ends within, do not count. */
export const isProgram = (href: string): boolean => RUNS.test(href.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+/, ''))

export const isWeb = (url: string): boolean => url.startsWith('http://') || url.startsWith('https://')
