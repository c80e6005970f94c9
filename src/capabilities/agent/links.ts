// Links in the order in which they are worth following. A score orders links and never excludes one. Pure.
import { relatedTo, termsOf } from '../../understanding/passages/terms.ts'
import type { Goal } from './goal.ts'

export interface Link {
  url: string
  text: string
}

/** Another stem of the same meaning counts for less than the word itself. */
const SAME_MEANING = 0.7

export const keyOf = (url: string): string => url.replace(/#.*$/, '').replace(/\/$/, '')

/** The links, best first: by the words that they share with the request, rare ones first, then in the order of the pages. */
export function rankedLinks<T extends Link & { order: number }>({ question }: Goal, links: readonly T[]) {
  const stems = links.map(({ url, text }) => new Set([...termsOf(text), ...termsOf(readable(url))]))
  const shares = question.terms.map(({ term, weight }) => {
    const worth = stems.map((one) =>
      one.has(term) ? 1 : [...relatedTo(term)].some((same) => one.has(same)) ? SAME_MEANING : 0,
    )
    const times = worth.filter((one) => one > 0).length
    // A word that every link has, such as the name of the site, tells nothing.
    const rarity = links.length > 1 ? Math.log(links.length / Math.max(1, times)) / Math.log(links.length) : 1
    return { worth, weight: weight * rarity }
  })
  const scored = links.map((link, at) => ({
    link,
    score: shares.reduce((sum, { worth, weight }) => sum + worth[at]! * weight, 0),
  }))
  return scored.sort((one, other) => other.score - one.score || one.link.order - other.link.order)
}

export const readable = (url: string): string => {
  try {
    const { pathname, search } = new URL(url)
    return decodeURIComponent(pathname + search).replace(/[^\p{L}\p{N}]+/gu, ' ')
  } catch {
    return url
  }
}

const PAGE_NUMBER = /[?&][\w[\]-]+=\d{1,4}(?=&|$)|\/(?:page|seite|pagina|p)[/-]?\d{1,4}(?=\/|$)/gi

/** True for two addresses that differ in the number of a page alone. */
export function continues(one: string, other: string): boolean {
  const bare = (url: string) => keyOf(url.replace(PAGE_NUMBER, '')).replace(/[?&]$/, '')
  return keyOf(one) !== keyOf(other) && bare(one) === bare(other)
}

/** A link of these kinds leads to no text to read. */
const NO_TEXT = /\.(?:png|jpe?g|webp|gif|svg|ico|css|js|zip|gz|exe|dmg|mp[34]|mov|avi|woff2?|rss|xml|ics)(?:$|[?#])/i
export const isReadable = (url: string): boolean => !NO_TEXT.test(url)
