// Addresses on a page: relative to absolute, once each. Knows URLs only, not what they are used for.

export type Resolve = (href: string | undefined) => string | undefined

/** Makes hrefs absolute against a base; remembers its answers, since pages repeat their links. */
export function resolver(base: string): Resolve {
  const known = new Map<string, string | undefined>()
  return (href) => {
    if (href === undefined) return undefined
    if (known.has(href)) return known.get(href)
    const made = absolute(href, base)
    known.set(href, made)
    return made
  }
}

export function absolute(href: string, base: string): string | undefined {
  try {
    return new URL(href, base).href
  } catch {
    return undefined
  }
}

export const isWeb = (url: string): boolean => url.startsWith('http://') || url.startsWith('https://')
