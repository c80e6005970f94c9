// Declares what a route is. Handlers get validated input and return the response body; only api/ uses the web
// framework.
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import type { WriteDocumentJson } from '../base/document-json.ts'
import type { Log } from '../base/log.ts'
import type { RunSearch } from '../base/search-types.ts'
import type { VaultAccess } from '../driving/sign-in.ts'
import type { RunFlow } from '../fetch/chrome/run-actions.ts'
import type { Egress } from '../fetch/egress.ts'
import type { JobChangeNotifier } from '../jobs/job-change-notifier.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { WorkQueue } from '../jobs/work-queue.ts'
import type { CurrentModel } from '../llm/current-model.ts'
import type { Llm } from '../llm/llm.ts'
import type { ExtractorLookup } from '../scrape/learnt-extractor.ts'
import type { UsePolicy } from '../scrape/opt-outs.ts'
import type { Scraper } from '../scrape/scrape.ts'
import type { ContentWorkerPool } from '../scrape/workshop/content-worker-pool.ts'
import type { IndexLag } from '../search/indexer.ts'
import type { SiteDiscoverer } from '../site/discover-site.ts'
import type { Store } from '../store/index.ts'
import type { AdmissionControl } from '../teams/concurrency-slots.ts'
import type { FormatsOfBody } from '../teams/key-restrictions.ts'
import type { NeededRight } from '../teams/key-rights.ts'
import type { Caller } from '../teams/keys.ts'
import type { ModelBudget } from '../teams/model-budget.ts'
import type { RateBucket } from '../teams/plans.ts'
import type { PrivateNetworkReach } from '../teams/private-network-reach.ts'
import type { RateLimiter } from '../teams/rate-limits.ts'
import type { TeamSetting } from '../teams/team-setting.ts'
import type { TeamThreatPolicies } from '../teams/team-threat-policies.ts'
import type { UsageMeter } from '../teams/usage-meter.ts'
import type { ServiceHealth } from './admin/schema.ts'
import type { SessionService } from './interact/session-service.ts'
import type { RequestForm } from './request-form.ts'

/** What every capability works with. */
export interface Services {
  store: Store
  clock: Clock
  log: Log
  version: string
  scraper: Scraper
  drawPage: ContentWorkerPool['drawPage']
  /** Identifies the build and its model, so that cached results of another are not served. */
  maker: string
  /** Base of links in documents that are made outside a request. */
  linkBase: string
  admission: AdmissionControl
  meter: UsageMeter
  site: SiteDiscoverer
  /** Throws `refused_address` for a URL that can be refused without a DNS lookup. */
  assertVisitable(url: string): void
  /** One request to an address that a caller named. */
  sendRequest: Egress['fetch']
  /** Whether callers may ignore robots.txt or choose its user agent. */
  robotsChoice: boolean
  /** Private addresses that a key may reach. */
  reach: PrivateNetworkReach
  threats: TeamThreatPolicies
  /** What each team uses pages for. */
  usePolicies: TeamSetting<UsePolicy>
  llm: Llm
  models: CurrentModel
  modelBudget: ModelBudget
  jobService: JobService
  news: JobChangeNotifier
  queue: WorkQueue
  rates: RateLimiter
  declared: DeclaredGroupsAndActivities
  condition(): Promise<ServiceHealth>
  /** What each capability opened for itself, by its name; its handlers get it merged into these services. */
  own: Readonly<Record<string, object>>
}

/** What one capability opens for others, which declare in `needs` what they use. */
export interface SharedServices {
  /** Our own index and the configured providers; it charges nothing. */
  search: RunSearch
  /** Indexes what a team has fetched within a time limit; returns what is left, if anything. */
  catchUpIndex(teamId: string, signal: AbortSignal): Promise<IndexLag | undefined>
  /** Rewrites the teams' search index without deleted pages. */
  rewriteIndex(teamIds: readonly string[]): Promise<void>
  browserSessions: SessionService
  runFlow: RunFlow
  /** `flow`: the stored flow that signs in. */
  vaultFor(team: string, keyId: string | undefined, flow?: string): VaultAccess
  /** The address that a stored flow opens with these values. */
  flowStart(team: string, name: string, values: Readonly<Record<string, string>>): Promise<string>
  extractors: ExtractorLookup
  startCrawl(
    owner: { teamId: string; keyId: string | null },
    id: string,
    body: object,
    signal: AbortSignal,
  ): Promise<void>
}

export type AllServices = Services & SharedServices
export type ServicesWith<Need extends keyof SharedServices> = Services & Pick<SharedServices, Need>

export interface RouteCall {
  caller: Caller
  signal: AbortSignal
  baseUrl: string
  requestId: string
  /** About the body, for handlers that write their reply themselves; added to all others. */
  warnings: readonly string[]
  idempotencyKey: string | undefined
  range: string | undefined
  /** A header of the request, for routes that other services' clients call. */
  header(name: string): string | undefined
  address: string
  /** Checks the formats of a body that the server does not parse (a form, a list entry) against the caller's key. */
  assertFormats(body: unknown): void
  /** Adds facts for the activity log that the body does not contain. */
  note(facts: CallFacts): void
}

type CallFacts = { jobId?: string; engine?: string; target?: string; username?: string }

/** A part of a multipart body; a file must be read before the next part arrives. */
export type BodyPart =
  | { name: string; text: string }
  | { name: string; filename: string; contentType: string; stream: Readable; isCut(): boolean }

export interface RouteInput<B, Q> {
  body: B
  /** The unparsed body, for responses that depend on its wording. */
  asked?: unknown
  query: Q
  params: Readonly<Record<string, string>>
  parts?: AsyncIterable<BodyPart>
  raw?: Readable & { contentType?: string }
}

export class ReadyReply {
  readonly content: string | Buffer
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  constructor(content: string | Buffer, contentType: string, headers: Readonly<Record<string, string>> = {}) {
    this.content = content
    this.contentType = contentType
    this.headers = headers
  }
}

/** When the routes for older clients became deprecated (RFC 9745), in seconds. */
const DEPRECATED_SINCE = Date.UTC(2026, 0, 1) / 1000

export const deprecationHeaders = (successor: string): Readonly<Record<string, string>> => ({
  deprecation: `@${DEPRECATED_SINCE}`,
  link: `<${successor}>; rel="successor-version"`,
})

/** A success whose data are already JSON; `rest` closes the object. */
export const makeSerializedReply = (data: WriteDocumentJson, rest: string): ReadyReply =>
  new ReadyReply(data('{"success":true,"data":', rest), 'application/json; charset=utf-8')

export class StreamReply {
  readonly stream: Readable
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly isPart: boolean
  constructor(stream: Readable, contentType: string, headers: Readonly<Record<string, string>> = {}, isPart = false) {
    this.stream = stream
    this.contentType = contentType
    this.headers = headers
    this.isPart = isPart
  }
}

export class RedirectReply {
  readonly location: string
  constructor(location: string) {
    this.location = location
  }
}

export interface Route<Has = AllServices> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` segments; a trailing `*` matches the rest unparsed, query string included. */
  path: string
  summary: string
  /** Heading in the API reference; absent: that of its capability. */
  tag?: string | undefined
  /** Its name in `orb` and MCP (`crawl status`). Undefined: derived from the path (derive-operations.ts). Null: HTTP only. */
  command?: string | null | undefined
  /** Rate-limit bucket; absent: that of its capability, or not limited. */
  bucket?: RateBucket | undefined
  /** Endpoint group by which restricted keys reach it; `open`: every key may; absent: no restricted key may. */
  group?: string | undefined
  /** Right that a caller needs; the server refuses to start with a route that declares none. */
  right?: NeededRight | undefined
  /** Formats that a request yields, checked against those of the caller's key; absent: none. */
  formats?: FormatsOfBody | undefined
  activity?: string | undefined
  /** Checks a body before its schema, for calls that share a path and get a specific refusal. */
  screen?: ((body: unknown) => void) | undefined
  /** Converts an older form of the body to the current one. */
  translate?: ((body: unknown) => unknown) | undefined
  body?: z.ZodType | undefined
  /** Clients often send the same body again, so a validated one is kept for a while. */
  repeats?: boolean
  example?: object | undefined
  query?: z.ZodType | undefined
  /** The JSON response; `z.never()` for a route that always refuses. */
  reply?: z.ZodType | undefined
  serves: readonly string[]
  /** Accepted bodies besides JSON: `multipart` as parts, `raw` as a byte stream. */
  takes: 'json' | 'multipart' | 'raw'
  maxFileBytes: number
  /** Limit of a JSON body without a key, where the default is too small. */
  bodyBytes?: number | undefined
  handle: (given: Has, input: RouteInput<unknown, unknown>, call: RouteCall) => Promise<object>
}

/** Every route declares its response: JSON, other content types, or both. */
type Answers = { reply: z.ZodType; serves?: readonly string[] } | { reply?: undefined; serves: readonly string[] }

type RouteDefinition<Has, B extends z.ZodType | undefined, Q extends z.ZodType | undefined> = Answers &
  Omit<Route, 'translate' | 'body' | 'query' | 'reply' | 'serves' | 'takes' | 'maxFileBytes' | 'handle'> &
  Partial<Pick<Route, 'takes' | 'maxFileBytes'>> & {
    body?: B
    query?: Q
    handle(
      given: Has,
      input: RouteInput<B extends z.ZodType ? z.output<B> : undefined, Q extends z.ZodType ? z.output<Q> : undefined>,
      call: RouteCall,
    ): Promise<object>
  }

export const makeRouteBuilder =
  <Has>() =>
  <B extends z.ZodType | undefined = undefined, Q extends z.ZodType | undefined = undefined>(
    definition: RouteDefinition<Has, B, Q>,
  ): Route<Has> => ({
    ...{ serves: [], takes: 'json', maxFileBytes: 0 },
    ...definition,
    handle: definition.handle as Route<Has>['handle'],
  })

export const defineRoute = makeRouteBuilder<Services>()

export interface DeclaredGroupsAndActivities {
  groups: ReadonlySet<string>
  activities: ReadonlySet<string>
  requestForms: readonly RequestForm[]
}
