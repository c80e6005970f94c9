// GET /r/<url>: a page as plain markdown, without SDK or JSON. With `@<date>` appended, an earlier version. Headers choose
// another format or part of the page, as clients of Jina's reader send them.
import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import type { RouteCall, ServicesWith } from '../route.ts'
import { parseVersionSuffix, readPageVersions, type TextWithHeaders } from './earlier-page-versions.ts'
import { scrapeBody } from './schema.ts'
import { scrapePage } from './scrape-page.ts'

/** What `x-respond-with` may ask for, as a format and the field of the document that it fills. */
const RESPONSES = {
  markdown: { format: 'markdown', field: 'markdown', type: 'text/markdown; charset=utf-8' },
  html: { format: 'html', field: 'html', type: 'text/html; charset=utf-8' },
  text: { format: 'markdown', field: 'markdown', type: 'text/plain; charset=utf-8' },
  screenshot: { format: 'screenshot', field: 'screenshot', type: 'text/plain; charset=utf-8' },
} as const

type ReadPage = TextWithHeaders & { type: string }

export async function readPageAsMarkdown(
  services: ServicesWith<'catchUpIndex'>,
  rest: string,
  call: RouteCall,
): Promise<ReadPage> {
  const then = parseVersionSuffix(rest)
  const { type } = RESPONSES.markdown
  if (then) return { ...(await readPageVersions(services, withBothSlashes(then.url), then, call)), type }
  const wanted = call.header('x-respond-with') ?? 'markdown'
  if (!Object.hasOwn(RESPONSES, wanted))
    throw new Problem('bad_request', {
      because: `x-respond-with: must be one of ${Object.keys(RESPONSES).join(', ')}`,
    })
  const response = RESPONSES[wanted as keyof typeof RESPONSES]
  const body = validateInput(scrapeBody, {
    url: withBothSlashes(rest),
    formats: [response.format],
    ...optionsFromHeaders(call),
  })
  call.assertFormats(body)
  call.note({ target: body.url })
  const scraped = await scrapePage(services, body, call)
  const document = scraped.document() as Record<string, unknown>
  const metadata = document.metadata as Record<string, unknown>
  const content = String(document[response.field] ?? '').trimEnd()
  const text = response.field === 'markdown' ? addTitle(content, metadata.title) : content
  const headers = {
    'x-source-status': String(metadata.statusCode),
    'x-scrape-id': String(metadata.scrapeId),
    ...(scraped.warning ? { 'x-warning': encodeURIComponent(scraped.warning) } : {}),
  }
  if (!call.header('accept')?.includes('application/json')) return { text: `${text}\n`, headers, type: response.type }
  const { title = '', description = '', url } = metadata
  const data = { title, description, url, content: text, ...(scraped.warning ? { warning: scraped.warning } : {}) }
  return { text: JSON.stringify({ code: 200, status: 20_000, data }), headers, type: 'application/json; charset=utf-8' }
}

function optionsFromHeaders({ header }: RouteCall): Record<string, unknown> {
  const list = (name: string) =>
    header(name)
      ?.split(',')
      .map((one) => one.trim())
  const seconds = header('x-timeout')
  const only = list('x-target-selector')
  const without = list('x-remove-selector')
  const awaited = header('x-wait-for-selector')
  return {
    ...(only ? { includeTags: only, onlyMainContent: false } : {}),
    ...(without ? { excludeTags: without } : {}),
    ...(awaited ? { actions: [{ type: 'wait', selector: awaited }] } : {}),
    ...(seconds ? { timeout: Number(seconds) * 1000 } : {}),
    ...(header('x-no-cache') === 'true' ? { maxAge: 0 } : {}),
  }
}

/** Plain markdown has no metadata, so the title is prepended unless the page starts with a heading. */
function addTitle(markdown: string, title: unknown): string {
  const text = Array.isArray(title) ? title[0] : title
  return typeof text !== 'string' || text === '' || /^# /m.test(markdown) ? markdown : `# ${text}\n\n${markdown}`
}

/** Proxies and browsers collapse `https://` in a path to `https:/`. */
const withBothSlashes = (text: string): string => text.replace(/^(https?:)\/+/i, '$1//')
