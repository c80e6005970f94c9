// Selects the site's logo and the brand's name.
import { getDomainWithoutSuffix } from 'tldts'
import type { ComputedStyle, LogoStyle } from '../../base/computed-style.ts'

export interface BrandFacts {
  host?: string | undefined
  logo?: string | undefined
  name?: string | undefined
}

export function findLogo({ logos, ogImage }: ComputedStyle, facts: BrandFacts): string | undefined {
  const best = [...logos].sort((a, b) => scoreOf(b) - scoreOf(a))[0]
  if (best && scoreOf(best) >= 4) return best.src
  return facts.logo ?? best?.src ?? (/logo/i.test(ogImage) ? ogImage : undefined)
}

function scoreOf({ where, linksHome, names, kind, width, height, top, lost }: LogoStyle): number {
  return (
    (where === 'header' ? 4 : where === 'footer' ? -2 : 0) +
    (linksHome ? 4 : 0) +
    (/logo|wordmark/i.test(names) ? 3 : /brand/i.test(names) ? 1.5 : 0) +
    (kind === 'background' ? -1 : 0) +
    (lost || (width >= 24 && height >= 12) ? 1 : -2) +
    (width > 700 || height > 300 ? -3 : 0) -
    // Logos of customers and partners are further down.
    Math.min(3, top / 400) -
    (/partner|client|customer|sponsor|payment|press|footer/i.test(names) ? 3 : 0)
  )
}

export function findBrandName({ siteName, logos, title }: ComputedStyle, facts: BrandFacts): string | undefined {
  const alt = [...logos]
    .sort((a, b) => scoreOf(b) - scoreOf(a))[0]
    ?.alt.replace(/\b(?:logo|homepage|home ?page|home|go to|back to)\b/gi, '')
    .replace(/^[\s\-–—|:]+|[\s\-–—|:]+$/g, '')
  // Some systems put the page's title into the site name.
  const site = siteName && (siteName !== title || siteName.length <= MAX_BRAND_NAME_CHARS) ? siteName : ''
  return site || facts.name || (alt && alt.length < 60 ? alt : '') || partOf(title, facts.host)
}

/** A longer undivided title describes the page, not the brand. */
const MAX_BRAND_NAME_CHARS = 24

/**
 * Picks the brand from title parts such as `Prices – Harbour Tools`: the part that matches the domain, else the
 * shortest. A long undivided title is ignored in favour of the domain.
 */
function partOf(title: string, host: string | undefined): string | undefined {
  const parts = title.split(/\s+[|–—·:-]\s+/).filter(Boolean)
  const label = host ? getDomainWithoutSuffix(host)?.replace(/-/g, '') : undefined
  const spelt = label && parts.find((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') === label)
  if (spelt) return spelt
  const shortest = parts.sort((a, b) => a.length - b.length)[0]
  if (parts.length > 1 || !label || (shortest && shortest.length <= MAX_BRAND_NAME_CHARS)) return shortest || undefined
  return label.charAt(0).toUpperCase() + label.slice(1)
}
