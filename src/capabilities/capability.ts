// What a capability is: a declaration of all it offers. `app.ts` and `api/` wire what is declared and know no names, so
// one more capability costs its folder and one line in `index.ts`.
import type { Discover } from '../jobs/discovery.ts'
import type { EventName, JobKind } from '../jobs/kinds.ts'
import type { VisitPage } from '../jobs/pages.ts'
import type { WakeUpHandler } from '../jobs/queue.ts'
import type { NeededRight } from '../teams/rights.ts'
import type { Declared } from './declared.ts'
import type { McpCards } from './mcp-card.ts'
import type { CapabilityContext, Opened } from './opening.ts'
import type { CliGroup } from './operation.ts'
import type { Route, Services } from './route.ts'

/** A kind of job that is a set of pages: how it is called in the books, what it tells, how its pages are worked on. */
export interface JobDeclaration<Has> {
  kind: string
  /** Its name in the ledger, in usage and in the log of activity. */
  endpoint: string
  /** What webhooks are told: `<namespace>.<name>`. */
  events: { namespace: string; names: readonly EventName[] }
  /** Its pages are not its result: `settle` makes that of them when all have ended. */
  settles?: boolean
  /** Without a single page it failed. */
  needsPages?: boolean
  /** Opened once in each process that works. */
  work(given: Has): JobWork
}

export interface JobWork {
  visit: VisitPage
  /** Finds the pages of a job that was started with `discovering`. */
  discover?: Discover
  /** For a kind that `settles`. */
  settle?: WakeUpHandler
}

/** Work besides pages: bells of its own, and a look every few seconds for what nobody does any more. */
export interface OtherWork {
  bells?: Readonly<Record<string, { concurrency: number; answer: WakeUpHandler }>>
  look?(): Promise<void>
  close?(): Promise<void> | void
}

/** A price, as users read it in docs/credits.md. */
export interface PriceRow {
  what: string
  credits: number
}

interface Declaration<Need extends keyof Services> {
  name: string
  /** What app.ts hands to its routes and its work; the compiler holds them to it. */
  needs: readonly Need[]
  routes: readonly Route<Pick<Services, Need>>[]
  /** The group of endpoints that restricted keys name to reach its routes; a route may name another. */
  group?: string
  /** The right that its routes need; a route may name another. */
  right: NeededRight
  /**
   * Set where bodies ask for formats, which are checked against those that the key may have: what a body stands for
   * that names none.
   */
  formatsUnsaid?: readonly string[]
  /** Opens what it gives to others or holds for itself, once in each process. */
  open?(ground: CapabilityContext): Opened | Promise<Opened>
  jobs?: readonly JobDeclaration<Pick<Services, Need>>[]
  work?(given: Pick<Services, Need>): OtherWork
  prices?: readonly PriceRow[]
  /** Where `orb help` lists its commands; absent: under their own heading at the end. */
  cliGroup?: CliGroup
  /** Operations that MCP lists by name; the others are behind one tool. */
  mcp?: McpCards
}

export interface Capability {
  name: string
  needs: readonly (keyof Services)[]
  routes: readonly Route[]
  open(ground: CapabilityContext): Opened | Promise<Opened>
  jobs: readonly (JobKind & { work(services: Services): JobWork })[]
  work(services: Services): OtherWork
  prices: readonly PriceRow[]
  cliGroup: CliGroup | undefined
  mcp: McpCards
}

export function defineCapability<const Need extends keyof Services>(declaration: Declaration<Need>): Capability {
  const { name, needs, group, right, formatsUnsaid, jobs = [], prices = [], cliGroup, mcp = {} } = declaration
  const given = pickOnce(needs)
  return {
    name,
    needs,
    routes: declaration.routes.map((route) => ({
      ...route,
      group: route.group ?? group,
      right: route.right ?? right,
      formatsUnsaid,
      handle: (services, input, call) => route.handle(given(services), input, call),
    })),
    open: (ground) => declaration.open?.(ground) ?? {},
    jobs: jobs.map(({ kind, endpoint, events, settles = false, needsPages = false, work }) => ({
      name: kind,
      endpoint,
      events,
      settles,
      needsPages,
      work: (services) => work(given(services)),
    })),
    work: (services) => declaration.work?.(given(services)) ?? {},
    prices,
    cliGroup,
    mcp,
  }
}

/** The same object on every call, so that a capability may key caches by it. */
function pickOnce<Need extends keyof Services>(needs: readonly Need[]): (services: Services) => Pick<Services, Need> {
  const known = new WeakMap<Services, Pick<Services, Need>>()
  return (services) => {
    const found = known.get(services)
    if (found) return found
    const picked = Object.fromEntries(needs.map((need) => [need, services[need]])) as Pick<Services, Need>
    known.set(services, picked)
    return picked
  }
}

export const declaredBy = (capabilities: readonly Capability[]): Declared => ({
  groups: new Set(
    capabilities.flatMap(({ routes }) => routes.flatMap(({ group }) => (group && group !== 'open' ? [group] : []))),
  ),
  activities: new Set(capabilities.flatMap(({ routes }) => routes.flatMap(({ activity }) => activity ?? []))),
})
