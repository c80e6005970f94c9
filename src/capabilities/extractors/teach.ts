// Gets the pages of examples and learns from them.
import { isIP } from 'node:net'
import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import { hostOf } from '../../base/values.ts'
import { scrapeBody } from '../../scrape/scrape-options.ts'
import type { RouteCall } from '../route.ts'
import { scrapeAndCharge } from '../scrape-and-charge.ts'
import type { HandlerServices } from './own-services.ts'
import type { ExtractorBody } from './store/index.ts'

type Example = { url?: string | undefined; scrapeId?: string | undefined; data: unknown }

interface Taught extends Pick<ExtractorBody, 'program' | 'examples' | 'scope'> {
  notFound: string[]
}

/** A program of more characters is refused: it would be sent to a worker with every page. */
export const MAX_PROGRAM_CHARS = 20_000

export async function learnFromExamples(
  services: HandlerServices,
  examples: readonly Example[],
  schema: Record<string, unknown> | null,
  call: RouteCall,
): Promise<Taught> {
  const pages: { html: string; url: string; data: unknown }[] = []
  for (const { url, scrapeId, data } of examples) {
    const address = url ?? (await addressOf(services, call.caller.teamId, scrapeId!))
    // The values are those of the page as it is now.
    const scraped = await scrapeAndCharge(
      services,
      validateInput(scrapeBody, { url: address, formats: ['rawHtml'], maxAge: 0 }),
      call,
    )
    const { rawHtml, metadata } = scraped.document() as { rawHtml?: string; metadata: Record<string, unknown> }
    if (!rawHtml || Number(metadata.statusCode) >= 400)
      throw new Problem('unprocessable', { because: `${address} returned no page (status ${metadata.statusCode})` })
    pages.push({ html: rawHtml, url: address, data })
  }
  const { program, notFound } = await services.learnFromPages({ pages, schema }, call.signal)
  if (Object.keys(program.fields).length === 0 && !program.records)
    throw new Problem('unprocessable', {
      because: `none of the values occurs in its page; searched for ${notFound.slice(0, 20).join(', ')}`,
    })
  if (JSON.stringify(program).length > MAX_PROGRAM_CHARS)
    throw new Problem('unprocessable', { because: 'the program is longer than 20,000 characters; teach fewer fields' })
  return {
    program,
    notFound,
    examples: pages.map(({ url, data }) => ({ url, data })),
    scope: scopeOf(pages.map(({ url }) => url)),
  }
}

async function addressOf({ store }: HandlerServices, teamId: string, scrapeId: string): Promise<string> {
  const found = await store.pages.getScrape(teamId, scrapeId.toLowerCase())
  if (!found) throw new Problem('not_found', { instead: `There is no scrape ${scrapeId}` })
  return found.url
}

/** The hosts of the pages, and the part of the path that they share. */
export function scopeOf(urls: readonly string[]): ExtractorBody['scope'] {
  const hosts = [...new Set(urls.flatMap((url) => hostOf(url) ?? []))]
  const paths = urls.map((url) => new URL(url).pathname.split('/').slice(1))
  const [first = []] = paths
  const shared: string[] = []
  for (const [n, part] of first.entries()) {
    const isLast = n === first.length - 1
    if (isLast || !paths.every((path) => path[n] === part) || /\d{3}/.test(part)) break
    shared.push(part)
  }
  return { hosts, like: `/${shared.map((part) => `${part}/`).join('')}*` }
}

export function isInScope({ hosts, like }: ExtractorBody['scope'], url: string): boolean {
  if (!URL.canParse(url)) return false
  const { host, pathname } = new URL(url)
  const isHost = hosts.some((one) => one === host || (!isIP(one) && host === `www.${one}`) || one === `www.${host}`)
  return isHost && pathname.startsWith(like.replace(/\*$/, ''))
}
