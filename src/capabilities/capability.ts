// Declares what a capability is. `app.ts` and `api/` wire declarations without naming any, so a new capability is a
// folder and one line in `index.ts`.
import type { Discover } from '../jobs/discovery.ts'
import type { EventName, JobKind } from '../jobs/job-kinds.ts'
import type { VisitPage } from '../jobs/pages.ts'
import type { WakeUpHandler } from '../jobs/wake-up-queue.ts'
import type { Storage } from '../store/storage.ts'
import type { FormatsOf } from '../teams/restrictions.ts'
import type { NeededRight } from '../teams/rights.ts'
import type { Declared } from './declared-names.ts'
import type { McpCards, TeamTool } from './mcp-card.ts'
import type { CapabilityContext, Opened } from './opened-services.ts'
import type { CliGroup } from './operation.ts'
import { type GivenServices, membersOf, type Route, type ServiceGroup, type Services } from './route.ts'

export interface JobDeclaration<Has> {
  kind: string
  endpoint: string
  events: { namespace: string; names: readonly EventName[] }
  /** `settle` computes the result after all pages have ended. */
  completes?: boolean
  needsPages?: boolean
  /** Runs in the transaction that completes a job. */
  onCompleted?: JobKind['onCompleted']
  work(given: Has): JobWork
}

export interface JobWork {
  visit: VisitPage
  discover?: Discover
  complete?: WakeUpHandler
}

/** Work besides pages: its own wake-up messages, and a poll every few seconds for abandoned work. */
export interface OtherWork {
  wakeUps?: Readonly<Record<string, { concurrency: number; answer: WakeUpHandler }>>
  poll?(): Promise<void>
  close?(): Promise<void> | void
}

interface PriceRow {
  what: string
  credits: number
}

interface Declaration<Need extends ServiceGroup, Own extends object> {
  name: string
  /** Groups whose members its routes and jobs get, beside what it opens for itself; checked by the compiler. */
  needs: readonly Need[]
  routes: readonly Route<GivenServices<Need> & NoInfer<Own>>[]
  /** Endpoint group that restricted keys name to reach its routes; a route may override it. */
  group?: string
  right: NeededRight
  /** What its routes yield, held against the formats of the caller's key; a route may override it. */
  formats?: FormatsOf
  storage?: Storage
  open?(context: CapabilityContext): Opened<Own> | Promise<Opened<Own>>
  jobs?: readonly JobDeclaration<GivenServices<Need> & NoInfer<Own>>[]
  work?(given: GivenServices<Need> & NoInfer<Own>): OtherWork
  prices?: readonly PriceRow[]
  /** Its heading in `orb help`; absent: its own heading at the end. */
  cliGroup?: CliGroup
  /** Operations that MCP lists by name; the others share one tool. */
  mcp?: McpCards
  /** MCP tools that a team has made itself. */
  teamTools?(given: GivenServices<Need> & NoInfer<Own>, teamId: string): Promise<TeamTool[]>
}

export interface Capability {
  name: string
  needs: readonly ServiceGroup[]
  routes: readonly Route[]
  storage: Storage | undefined
  open(context: CapabilityContext): Opened<object> | Promise<Opened<object>>
  jobs: readonly (JobKind & { work(services: Services): JobWork })[]
  work(services: Services): OtherWork
  prices: readonly PriceRow[]
  cliGroup: CliGroup | undefined
  mcp: McpCards
  teamTools(services: Services, teamId: string): Promise<TeamTool[]>
}

export function defineCapability<const Need extends ServiceGroup, Own extends object = object>(
  declaration: Declaration<Need, Own>,
): Capability {
  const { name, needs, group, right, formats, jobs = [], prices = [], cliGroup, mcp = {} } = declaration
  const given = givenOnce<Need, Own>(name, needs)
  return {
    name,
    needs,
    routes: declaration.routes.map((route) => ({
      ...route,
      group: route.group ?? group,
      right: route.right ?? right,
      formats: route.formats ?? formats,
      handle: (services, input, call) => route.handle(given(services), input, call),
    })),
    storage: declaration.storage,
    open: (context) => declaration.open?.(context) ?? {},
    jobs: jobs.map(({ kind, endpoint, events, completes = false, needsPages = false, onCompleted, work }) => ({
      name: kind,
      endpoint,
      events,
      completes,
      needsPages,
      ...(onCompleted ? { onCompleted } : {}),
      work: (services) => work(given(services)),
    })),
    work: (services) => declaration.work?.(given(services)) ?? {},
    prices,
    cliGroup,
    mcp,
    teamTools: async (services, teamId) => declaration.teamTools?.(given(services), teamId) ?? [],
  }
}

/** Returns the same object on every call, so that a capability can key caches by it. */
function givenOnce<Need extends ServiceGroup, Own extends object>(name: string, needs: readonly Need[]) {
  const known = new WeakMap<Services, GivenServices<Need> & Own>()
  return (services: Services): GivenServices<Need> & Own => {
    const given = known.get(services) ?? Object.assign(membersOf(services, needs) as object, services.own[name])
    known.set(services, given as GivenServices<Need> & Own)
    return given as GivenServices<Need> & Own
  }
}

export const declaredBy = (capabilities: readonly Capability[]): Declared => ({
  groups: new Set(
    capabilities.flatMap(({ routes }) => routes.flatMap(({ group }) => (group && group !== 'open' ? [group] : []))),
  ),
  activities: new Set(capabilities.flatMap(({ routes }) => routes.flatMap(({ activity }) => activity ?? []))),
})
