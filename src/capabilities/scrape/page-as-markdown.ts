// GET /r/<url>: a page as plain markdown, without SDK or JSON. With `@<date>` appended, an earlier version.
import { validateInput } from '../../base/validate-input.ts'
import type { RouteCall } from '../route.ts'
import { parseVersionSuffix, readPageVersions, type TextWithHeaders } from './earlier-page-versions.ts'
import type { HandlerServices } from './needs.ts'
import { scrapeBody } from './schema.ts'
import { scrapePage } from './scrape-page.ts'

export async function readPageAsMarkdown(
  services: HandlerServices,
  rest: string,
  call: RouteCall,
): Promise<TextWithHeaders> {
  const then = parseVersionSuffix(rest)
  if (then) return readPageVersions(services, withBothSlashes(then.url), then, call)
  const body = validateInput(scrapeBody, { url: withBothSlashes(rest), formats: ['markdown'] })
  call.note({ target: body.url })
  const scraped = await scrapePage(services, body, call)
  const { markdown, metadata } = scraped.document()
  return {
    text: `${titled(String(markdown ?? '').trimEnd(), metadata.title)}\n`,
    headers: {
      'x-source-status': String(metadata.statusCode),
      'x-scrape-id': String(metadata.scrapeId),
      ...(scraped.warning ? { 'x-warning': encodeURIComponent(scraped.warning) } : {}),
    },
  }
}

/** Plain markdown has no metadata, so the title is prepended unless the page starts with a heading. */
function titled(markdown: string, title: unknown): string {
  const text = Array.isArray(title) ? title[0] : title
  return typeof text !== 'string' || text === '' || /^# /m.test(markdown) ? markdown : `# ${text}\n\n${markdown}`
}

/** Proxies and browsers collapse `https://` in a path to `https:/`. */
const withBothSlashes = (text: string): string => text.replace(/^(https?:)\/+/i, '$1//')
