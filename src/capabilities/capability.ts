// Declares what a capability is. `app.ts` and `api/` wire declarations without naming any, so a new capability is a
// folder and one line in `index.ts`.

import type { JobEventName, JobKind } from '../jobs/job-kinds.ts'
import type { VisitPage } from '../jobs/process-pages.ts'
import type { DiscoverPages } from '../jobs/run-discovery.ts'
import type { WorkMessageHandler } from '../jobs/work-queue.ts'
import type { CapabilityStorage } from '../store/capability-storage.ts'
import type { FormatsOfBody } from '../teams/key-restrictions.ts'
import type { NeededRight } from '../teams/key-rights.ts'
import type { RateBucket } from '../teams/plans.ts'
import type { CapabilityContext, OpenedCapability } from './capability-context.ts'
import type { McpToolDescriptions, TeamMcpTool } from './mcp-tool-descriptions.ts'
import type { CliGroup } from './operation.ts'
import type { RequestForm } from './request-form.ts'
import type {
  AllServices,
  DeclaredGroupsAndActivities,
  Route,
  Services,
  ServicesWith,
  SharedServices,
} from './route.ts'

export interface JobDeclaration<Has> {
  kind: string
  endpoint: string
  events: { namespace: string; names: readonly JobEventName[] }
  /** `complete` computes the result after all pages have ended. */
  completes?: boolean
  needsPages?: boolean
  /** Runs in the transaction that completes a job. */
  onCompleted?: JobKind['onCompleted']
  work(given: Has): JobHandlers
}

export type JobHandlers = { visit: VisitPage; discover?: DiscoverPages; complete?: WorkMessageHandler }

/** Work besides pages: its own work messages, and a poll every few seconds for abandoned work. */
export interface BackgroundWork {
  wakeUps?: Readonly<Record<string, { concurrency: number; answer: WorkMessageHandler }>>
  poll?(): Promise<void>
  close?(): Promise<void> | void
}

type PriceRow = { what: string; credits: number }

type Given<Need extends keyof SharedServices, Own> = ServicesWith<Need> & Own

interface Declaration<Need extends keyof SharedServices, Own extends object> {
  name: string
  /** Heading of its routes in the API reference; a route may have another. */
  tag: string
  /** What other capabilities open and this one uses. Handlers are not typed with any other; a start without it fails. */
  needs?: readonly Need[]
  routes: readonly Route<Given<Need, NoInfer<Own>>>[]
  /** Endpoint group that restricted keys name to reach its routes; a route may override it. */
  group?: string
  right: NeededRight
  /** Rate-limit bucket of its routes; a route may override it. Absent: those without one are not limited. */
  bucket?: RateBucket
  /** Formats that a request yields, checked against those of the caller's key; a route may override it. */
  formats?: FormatsOfBody
  storage?: CapabilityStorage
  open?(context: CapabilityContext): OpenedCapability<Own> | Promise<OpenedCapability<Own>>
  jobs?: readonly JobDeclaration<Given<Need, NoInfer<Own>>>[]
  work?(given: Given<Need, NoInfer<Own>>): BackgroundWork
  prices?: readonly PriceRow[]
  /** Its heading in `orb help`; absent: its own heading at the end. */
  cliGroup?: CliGroup
  /** Operations that MCP lists by name; the others share one tool. */
  mcp?: McpToolDescriptions
  /** Typed requests that it answers, for the dashboard's box, `orb "…"` and the MCP tool `do`. */
  requestForms?: readonly RequestForm[]
  teamTools?(given: Given<Need, NoInfer<Own>>, teamId: string): Promise<TeamMcpTool[]>
}

export interface Capability {
  name: string
  needs: readonly (keyof SharedServices)[]
  routes: readonly Route[]
  storage: CapabilityStorage | undefined
  open(context: CapabilityContext): OpenedCapability<object> | Promise<OpenedCapability<object>>
  jobs: readonly (JobKind & { work(services: AllServices): JobHandlers })[]
  work(services: AllServices): BackgroundWork
  prices: readonly PriceRow[]
  cliGroup: CliGroup | undefined
  mcp: McpToolDescriptions
  requestForms: readonly RequestForm[]
  teamTools(services: AllServices, teamId: string): Promise<TeamMcpTool[]>
}

export function defineCapability<const Need extends keyof SharedServices = never, Own extends object = object>(
  declaration: Declaration<Need, Own>,
): Capability {
  const {
    name,
    tag,
    needs = [],
    group,
    right,
    bucket,
    formats,
    jobs = [],
    prices = [],
    cliGroup,
    mcp = {},
  } = declaration
  const given = givenOnce<Need, Own>(name)
  return {
    name,
    needs,
    routes: declaration.routes.map((route) => ({
      ...route,
      tag: route.tag ?? tag,
      group: route.group ?? group,
      right: route.right ?? right,
      bucket: route.bucket ?? bucket,
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
    requestForms: declaration.requestForms ?? [],
    teamTools: async (services, teamId) => declaration.teamTools?.(given(services), teamId) ?? [],
  }
}

/** Returns the same object on every call, so that a capability can key caches by it. */
function givenOnce<Need extends keyof SharedServices, Own extends object>(name: string) {
  const known = new WeakMap<AllServices, Given<Need, Own>>()
  return (services: AllServices): Given<Need, Own> => {
    const given = known.get(services) ?? ({ ...services, ...services.own[name] } as Services as Given<Need, Own>)
    known.set(services, given)
    return given
  }
}

export const collectGroupsAndActivities = (capabilities: readonly Capability[]): DeclaredGroupsAndActivities => ({
  groups: new Set(
    capabilities.flatMap(({ routes }) => routes.flatMap(({ group }) => (group && group !== 'open' ? [group] : []))),
  ),
  activities: new Set(capabilities.flatMap(({ routes }) => routes.flatMap(({ activity }) => activity ?? []))),
  requestForms: capabilities.flatMap(({ requestForms }) => requestForms),
})
