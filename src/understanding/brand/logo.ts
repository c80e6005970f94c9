// Which picture is the site's logo, and what the brand is called.
import { getDomainWithoutSuffix } from 'tldts'
import type { LogoLook, Look } from '../../base/computed-style.ts'

/** What the page says of itself in data. */
export interface SelfFacts {
  /** Of the page's address. */
  host?: string | undefined
  logo?: string | undefined
  name?: string | undefined
}

export function logoOf({ logos, ogImage }: Look, facts: SelfFacts): string | undefined {
  const best = [...logos].sort((a, b) => scoreOf(b) - scoreOf(a))[0]
  if (best && scoreOf(best) >= 4) return best.src
  return facts.logo ?? best?.src ?? (/logo/i.test(ogImage) ? ogImage : undefined)
}

function scoreOf({ where, linksHome, names, kind, width, height, top, lost }: LogoLook): number {
  return (
    (where === 'header' ? 4 : where === 'footer' ? -2 : 0) +
    (linksHome ? 4 : 0) +
    (/logo|wordmark/i.test(names) ? 3 : /brand/i.test(names) ? 1.5 : 0) +
    (kind === 'background' ? -1 : 0) +
    (lost || (width >= 24 && height >= 12) ? 1 : -2) +
    (width > 700 || height > 300 ? -3 : 0) -
    // Rows of logos of customers and partners stand further down.
    Math.min(3, top / 400) -
    (/partner|client|customer|sponsor|payment|press|footer/i.test(names) ? 3 : 0)
  )
}

export function brandName({ siteName, logos, title }: Look, facts: SelfFacts): string | undefined {
  const alt = [...logos]
    .sort((a, b) => scoreOf(b) - scoreOf(a))[0]
    ?.alt.replace(/\b(?:logo|homepage|home ?page|home|go to|back to)\b/gi, '')
    .replace(/^[\s\-–—|:]+|[\s\-–—|:]+$/g, '')
  // Some systems put the page's title where the site's name belongs.
  const site = siteName && (siteName !== title || siteName.length <= MAX_NAME) ? siteName : ''
  return site || facts.name || (alt && alt.length < 60 ? alt : '') || partOf(title, facts.host)
}

/** A longer title without parts says what the page is about, not whose it is. */
const MAX_NAME = 24

/**
 * `Prices – Harbour Tools` names the brand last, `Harbour Tools | Everything for boats` first: the part that the address
 * spells is it, else the shorter one. A title without parts is one only when it is short; else the address tells.
 */
function partOf(title: string, host: string | undefined): string | undefined {
  const parts = title.split(/\s+[|–—·:-]\s+/).filter(Boolean)
  const label = host ? getDomainWithoutSuffix(host)?.replace(/-/g, '') : undefined
  const spelt = label && parts.find((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') === label)
  if (spelt) return spelt
  const shortest = parts.sort((a, b) => a.length - b.length)[0]
  if (parts.length > 1 || !label || (shortest && shortest.length <= MAX_NAME)) return shortest || undefined
  return label.charAt(0).toUpperCase() + label.slice(1)
}
