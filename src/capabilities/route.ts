// What a route is. A handler unpacks nothing and packs nothing: it gets what the schemas
// checked and returns the answer's body. Only api/ knows the web framework.
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Log } from '../base/log.ts'
import type { Search } from '../base/search.ts'
import type { Clock } from '../base/time.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { News } from '../jobs/news.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Llm } from '../llm/llm.ts'
import type { Scraper } from '../scrape/scrape.ts'
import type { Workshop } from '../scrape/workshop/workshop.ts'
import type { IndexLag } from '../search/indexer.ts'
import type { Site } from '../site/site.ts'
import type { Store } from '../store/index.ts'
import type { Admission } from '../teams/admission.ts'
import type { Assertions } from '../teams/assertions.ts'
import type { Caller } from '../teams/keys.ts'
import type { RateLimiter } from '../teams/limits.ts'
import type { Meter } from '../teams/meter.ts'
import type { RateBucket } from '../teams/plans.ts'
import type { KeyReach } from '../teams/reach.ts'
import type { NeededRight } from '../teams/rights.ts'
import type { Threats } from '../teams/threats.ts'
import type { ServiceCondition } from './admin/schema.ts'
import type { Declared } from './declared.ts'
import type { Interact } from './interact/interact.ts'
import type { Peers } from './interact/peers.ts'
import type { Monitoring, Owner } from './monitor/parts.ts'
import type { ProviderState } from './search/health.ts'

/** What a capability can be given: opened by app.ts, or by another capability (`open`). */
export interface Services {
  scraper: Scraper
  site: Site
  llm: Llm
  drawPage: Workshop['drawPage']
  /** Throws `refused_address` for an address that can be refused before anything is looked up. */
  assertVisitable(url: string): void
  /** What a key may reach beside the public web. */
  reach: KeyReach
  /** Policies on threats, and who decides by them. */
  threats: Threats
  store: Store
  admission: Admission
  desk: JobService
  news: News
  queue: Queue
  clock: Clock
  log: Log
  version: string
  /** Names the build and its model: what one made is not served in another's place. */
  maker: string
  /** Callers may pass by robots.txt, or choose the name it is read under. */
  robotsChoice: boolean
  /** Base of links in documents that no request waits for. */
  linkBase: string
  rates: RateLimiter
  /** Live browser sessions: open one, do things in it by words or by code, close it. */
  interact: Interact
  /** The other machines of this service. */
  peers: Peers
  meter: Meter
  assertions: Assertions
  /** Of teams that come about by registration. */
  registrationPlan: string
  monitoring: Monitoring
  /** Starts a crawl for a team under an id that is known beforehand, once: starting it again does nothing. */
  startCrawl(owner: Owner, id: string, body: object, signal: AbortSignal): Promise<void>
  /** What an agent may do. */
  agentTools: readonly { name: string }[]
  /** Names that the capabilities of this build declare. */
  declared: Declared
  /** Our own index and the providers that are set up; nothing of it charges. */
  search: Search
  searchProviders(): ProviderState[]
  /** Puts what a team has fetched into its index, as far as there is time for it; what still waits, if anything. */
  catchUpIndex(teamId: string, signal: AbortSignal): Promise<IndexLag | undefined>
  /** Writes the search index of teams anew without what is gone. */
  rewriteIndex(teamIds: readonly string[]): Promise<void>
  /** How the service itself is. */
  condition(): Promise<ServiceCondition>
}

/** One request, as a handler sees it. */
export interface Call {
  caller: Caller
  /** Aborts when the client goes away or the service stops. */
  signal: AbortSignal
  /** Base of absolute links in the answer. */
  baseUrl: string
  requestId: string
  /** What the client sent as `x-idempotency-key`. */
  idempotencyKey: string | undefined
  /** The part of a file that the client wants, as it sent it. */
  range: string | undefined
  /** Where it comes from. */
  address: string
  /** What is worth remembering of it, beyond what its body says; for the log of activity. */
  note(facts: CallFacts): void
}

export interface CallFacts {
  /** The scrape or job that it led to. */
  jobId?: string
  /** Where its page came from. */
  engine?: string
  target?: string
  /** Who the caller says is behind it; read at the door unless the body is a form. */
  username?: string
}

/** A part of a multipart body: a field's text, or a file to be read before the next part comes. */
export type BodyPart =
  | { name: string; text: string }
  | { name: string; filename: string; contentType: string; stream: Readable; isCut(): boolean }

export interface RouteInput<B, Q> {
  body: B
  /** The body as it came, before any schema: for answers that follow its wording. */
  asked?: unknown
  query: Q
  params: Readonly<Record<string, string>>
  /** Set when a route that takes `multipart` was sent one. */
  parts?: AsyncIterable<BodyPart>
  /** Set when a route takes `raw` bodies. */
  raw?: Readable & { contentType?: string }
}

/** An answer that is ready to be sent as it is. */
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

/** Since when what is kept for older clients has a successor (RFC 9745), in seconds. */
const DEPRECATED_SINCE = Date.UTC(2026, 0, 1) / 1000

/** Headers that tell a client so, and what to use instead. */
export const deprecation = (successor: string): Readonly<Record<string, string>> => ({
  deprecation: `@${DEPRECATED_SINCE}`,
  link: `<${successor}>; rel="successor-version"`,
})

/** A success whose data are JSON already; `rest` closes the object. */
export const jsonReply = (data: Buffer, rest: string): ReadyReply =>
  new ReadyReply(
    Buffer.concat([Buffer.from('{"success":true,"data":'), data, Buffer.from(rest)]),
    'application/json; charset=utf-8',
  )

/** An answer of any size, sent as it is read. */
export class StreamReply {
  readonly stream: Readable
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  /** True: it is the part of a file that was asked for. */
  readonly isPart: boolean
  constructor(stream: Readable, contentType: string, headers: Readonly<Record<string, string>> = {}, isPart = false) {
    this.stream = stream
    this.contentType = contentType
    this.headers = headers
    this.isPart = isPart
  }
}

export interface Route<Has = Services> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` segments; a trailing `*` takes the rest as it was sent, query string included. */
  path: string
  summary: string
  tag: string
  /** What `orb` and MCP call it (`crawl status`). Undefined: derived from the path (operations.ts). Null: HTTP only. */
  command: string | null | undefined
  /** The rate bucket that a call counts against; absent: none. */
  bucket: RateBucket | undefined
  /** The group of endpoints by which restricted keys reach it; `open`: every key may; absent: none of those. */
  group: string | undefined
  /** The right that a caller needs; the server refuses to start with a route that declares none. */
  right: NeededRight | undefined
  /** Set where bodies ask for formats: what a body stands for that names none. */
  formatsUnsaid: readonly string[] | undefined
  /** The name under which its calls are kept as activity; absent: it is not work. */
  activity: string | undefined
  /** Looks at a body before its schema does, for calls that share a path and are refused by name. */
  screen: ((body: unknown) => void) | undefined
  /** Puts an older wording of the body into the one that the schema knows. */
  translate: ((body: unknown) => unknown) | undefined
  body: z.ZodType | undefined
  /** A body to start from in the docs: one made up of every option would be refused. */
  example: object | undefined
  query: z.ZodType | undefined
  /** The JSON that it answers; `z.never()` for a route that only ever refuses. */
  reply: z.ZodType | undefined
  /** The content types of answers that are not JSON. */
  serves: readonly string[]
  /** Bodies it takes besides JSON: `multipart` as parts, `raw` as a stream of bytes. */
  takes: 'json' | 'multipart' | 'raw'
  /** Most bytes of one file that it takes. */
  maxFileBytes: number
  handle: (given: Has, input: RouteInput<unknown, unknown>, call: Call) => Promise<object>
}

/** Every route declares what it answers: JSON, something else, or both. */
type Answers = { reply: z.ZodType; serves?: readonly string[] } | { reply?: undefined; serves: readonly string[] }

interface RouteDefinition<Has, B extends z.ZodType | undefined, Q extends z.ZodType | undefined> {
  method: Route['method']
  path: string
  summary: string
  tag: string
  command?: string | null
  bucket?: RateBucket
  group?: string
  right?: NeededRight
  activity?: string
  screen?: (body: unknown) => void
  body?: B
  example?: object
  query?: Q
  takes?: Route['takes']
  maxFileBytes?: number
  handle(
    given: Has,
    input: RouteInput<B extends z.ZodType ? z.output<B> : undefined, Q extends z.ZodType ? z.output<Q> : undefined>,
    call: Call,
  ): Promise<object>
}

/** Ties a handler's input to its schemas and what it is given to what its capability names. */
export const routeFor =
  <Has>() =>
  <B extends z.ZodType | undefined = undefined, Q extends z.ZodType | undefined = undefined>(
    definition: RouteDefinition<Has, B, Q> & Answers,
  ): Route<Has> => ({
    command: undefined,
    bucket: undefined,
    group: undefined,
    right: undefined,
    formatsUnsaid: undefined,
    activity: undefined,
    screen: undefined,
    translate: undefined,
    body: undefined,
    example: undefined,
    query: undefined,
    reply: undefined,
    serves: [],
    takes: 'json',
    maxFileBytes: 0,
    ...definition,
    handle: definition.handle as Route<Has>['handle'],
  })
