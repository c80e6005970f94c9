// Starts a crawl: resolves and validates its options and writes the job. A worker discovers its pages later
// (discover.ts).
import { openCrawlScope } from '../../base/crawl-scope.ts'
import { Problem } from '../../base/problem.ts'
import { validateInput } from '../../base/validate-input.ts'
import { hasCredentialHeaders } from '../../fetch/follow-redirects.ts'
import { assertMayOverrideRobots } from '../../site/site-options.ts'
import type { Caller } from '../../teams/keys.ts'
import { resolveSince } from '../detect-changes-since.ts'
import type { RouteCall, Services, SharedServices } from '../route.ts'
import { checkQueueAndCredits, resolveZeroRetention, startJob } from '../start-job.ts'
import type { JobSettings } from '../visit-job-page.ts'
import type { CrawlSettings } from './crawl-options.ts'
import { resolveCrawlOptions } from './prompt-to-options.ts'
import { type CrawlBody, crawlBody, crawlScrapeOptions } from './schema.ts'

export interface StoredCrawl extends JobSettings {
  url: string
  scope: CrawlSettings
}

/** `requestedId`: for callers that must know the id beforehand. */
export async function startCrawl(
  services: Services,
  body: CrawlBody,
  call: Pick<RouteCall, 'caller' | 'signal' | 'idempotencyKey'> & Partial<Pick<RouteCall, 'baseUrl'>>,
  requestedId?: string,
) {
  const { caller } = call
  services.assertVisitable(body.url)
  const { settings, generated, warning } = await resolveCrawlOptions(services.llm, body, call.signal)
  assertMayOverrideRobots(settings, services.robotsChoice)
  // Throws on an invalid pattern.
  openCrawlScope(settings, body.url)
  const zeroDataRetention = resolveZeroRetention(body.zeroDataRetention, caller.zeroDataRetention, body.scrapeOptions)
  const left = await checkQueueAndCredits(services, call)
  const limit = Math.min(settings.limit, left ?? Number.POSITIVE_INFINITY)
  const poor = limit < settings.limit ? `The limit was lowered to ${limit}, the remaining credits.` : ''
  const kept = isWithoutCredentialsElsewhere(settings, body)
    ? `The headers are sent to ${new URL(body.url).origin} only, the named origin; \`allowCredentialsFor\` names further hosts.`
    : ''
  const {
    since: sinceHere,
    changesOnly: changesHere,
    ...scrapeOptions
  } = body.scrapeOptions ?? crawlScrapeOptions.parse({})
  // Released clients drop fields of a crawl that they do not know, and pass those of its scrape options.
  const [asked, changesOnly] = [body.since ?? sinceHere, body.changesOnly ?? changesHere ?? false]
  const since = asked
    ? await resolveSince(services, {
        ...{ kind: 'crawl', teamId: caller.teamId, since: asked, url: body.url, zeroDataRetention },
        options: [settings, scrapeOptions],
      })
    : undefined
  if (changesOnly && !since)
    throw new Problem('bad_request', { instead: '`changesOnly` has no effect without `since`' })
  const said = [warning, poor, kept, since?.warning].filter(Boolean).join(' ')
  const id = await startJob(
    services,
    call,
    {
      kind: 'crawl',
      url: body.url,
      settings: {
        plan: caller.plan,
        url: body.url,
        scope: { ...settings, limit },
        ...(since ? { since: since.settings, changesOnly } : {}),
      } satisfies StoredCrawl,
      webhook: body.webhook ?? null,
      zeroDataRetention,
      pageLimit: limit,
      maxActive: settings.delay ? 1 : (body.maxConcurrency ?? null),
      delayMs: Math.round((settings.delay ?? 0) * 1000),
      discovering: true,
      warning: said || null,
      options: { ...scrapeOptions, zeroDataRetention },
    },
    [],
    requestedId,
  )
  return {
    id,
    ...(generated ? { promptGeneratedOptions: generated } : {}),
    ...(said ? { warning: said } : {}),
  }
}

function isWithoutCredentialsElsewhere(
  { allowExternalLinks, allowSubdomains }: CrawlSettings,
  { scrapeOptions }: CrawlBody,
): boolean {
  const isWide = allowExternalLinks || allowSubdomains
  return isWide && hasCredentialHeaders(scrapeOptions?.headers) && !scrapeOptions?.allowCredentialsFor?.length
}

/** For other capabilities, under an id that they chose. */
export const makeCrawlStarter =
  (services: () => Services): SharedServices['startCrawl'] =>
  async ({ teamId, keyId }, id, body, signal) => {
    const { store } = services()
    if (await store.jobs.get(id)) return
    const team = await store.teams.get(teamId)
    if (!team) throw new Problem('not_found', { because: 'there is no such team' })
    const caller = { teamId, keyId, plan: team.plan, zeroDataRetention: team.zeroDataRetention } as Caller
    await startCrawl(services(), validateInput(crawlBody, body), { caller, signal, idempotencyKey: undefined }, id)
  }
