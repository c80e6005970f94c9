// Html of a stranger as nodes that are safe to show. DOMPurify decides what is safe.
import type DOMPurify from 'dompurify'
import type { Config } from 'dompurify'

const TAG = /<[a-z][^<>]*>?/gi
const REPORTED = /[\s/"'](?:on[a-z]+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi

/**
 * Chromium reports handlers and inline styles to the console by the policy of our page while the sanitizer still parses them,
 * in whatever document. They are taken out of the text first, which makes nothing safer.
 */
const removeReports = (html: string): string => html.replace(TAG, (tag) => tag.replace(REPORTED, ' '))

export const wash = (purify: typeof DOMPurify, html: string, config: Config): DocumentFragment =>
  purify.sanitize(removeReports(html), { ...config, RETURN_DOM_FRAGMENT: true })
