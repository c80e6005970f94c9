// Orders links by how promising they are. The score never excludes a link.
import { stemText, synonymStemsOf } from '../../understanding/passages/stem-terms.ts'
import type { Goal } from './derive-goal.ts'

export interface CandidateLink {
  url: string
  text: string
  /** Where a person sees it; absent: in the body, or not known. */
  region?: 'menu' | 'footer' | 'aside'
  /** Leads to the next page of the same list or text. */
  isNext?: true
}

/** A synonym counts for less than the word itself. */
const SYNONYM_WEIGHT = 0.7

export const linkKeyOf = (url: string): string => url.replace(/#.*$/, '').replace(/\/$/, '')

/** Links, best first: by shared words weighted by rarity, then in page order. */
export function rankLinks<T extends CandidateLink & { order: number }>({ question }: Goal, links: readonly T[]) {
  const stems = links.map(({ url, text }) => new Set([...stemText(text), ...stemText(urlToWords(url))]))
  const shares = question.terms.map(({ term, weight }) => {
    const worth = stems.map((one) =>
      one.has(term) ? 1 : [...synonymStemsOf(term)].some((same) => one.has(same)) ? SYNONYM_WEIGHT : 0,
    )
    const times = worth.filter((one) => one > 0).length
    // A word in every link, such as the site's name, carries no information.
    const rarity = links.length > 1 ? Math.log(links.length / Math.max(1, times)) / Math.log(links.length) : 1
    return { worth, weight: weight * rarity }
  })
  const scored = links.map((link, at) => ({
    link,
    score: shares.reduce((sum, { worth, weight }) => sum + worth[at]! * weight, 0),
  }))
  return scored.sort((one, other) => other.score - one.score || one.link.order - other.link.order)
}

export const urlToWords = (url: string): string => {
  try {
    const { pathname, search } = new URL(url)
    return decodeURIComponent(pathname + search).replace(/[^\p{L}\p{N}]+/gu, ' ')
  } catch {
    return url
  }
}

const PAGE_NUMBER = /[?&][\w[\]-]+=\d{1,4}(?=&|$)|\/(?:page|seite|pagina|p)[/-]?\d{1,4}(?=\/|$)/gi

export const withoutPageNumber = (url: string): string => linkKeyOf(url.replace(PAGE_NUMBER, '')).replace(/[?&]$/, '')

export const differOnlyInPageNumber = (one: string, other: string): boolean =>
  linkKeyOf(one) !== linkKeyOf(other) && withoutPageNumber(one) === withoutPageNumber(other)

const NO_TEXT = /\.(?:png|jpe?g|webp|gif|svg|ico|css|js|zip|gz|exe|dmg|mp[34]|mov|avi|woff2?|rss|xml|ics)(?:$|[?#])/i
export const mayContainText = (url: string): boolean => !NO_TEXT.test(url)
