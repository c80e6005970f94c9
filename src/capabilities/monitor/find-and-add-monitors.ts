// Finds the monitor that a request names, and adds new ones.
import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import { newId } from '../../store/id.ts'
import type { Caller } from '../../teams/keys.ts'
import type { HandlerServices } from './own-services.ts'
import { queueConsentRequests } from './recipient-consent.ts'
import type { MonitorTarget, NewMonitorBody, RequestedTarget } from './schema.ts'
import { monitorStore } from './store/index.ts'
import type { Monitor } from './store/monitors.ts'
import { makeStoredMonitor } from './stored-monitor.ts'

export async function findMonitorOfTeam(
  { store }: HandlerServices,
  given: string | undefined,
  teamId: string,
): Promise<Monitor> {
  const id = given ?? ''
  if (!isUuid(id)) throw malformedId('monitorId', 'Invalid monitor ID format. Monitor ID must be a valid UUID.')
  const monitor = await monitorStore(store).monitors.get(id.toLowerCase())
  if (!monitor || monitor.teamId !== teamId || monitor.status === 'deleted')
    throw new Problem('not_found', { instead: 'Monitor not found' })
  return monitor
}

export const malformedId = (name: 'monitorId' | 'checkId', message: string): Problem =>
  new Problem('bad_request', { instead: message, details: [{ code: 'invalid_format', path: [name], message }] })

export function assertRetention({ zeroDataRetention }: Pick<Caller, 'zeroDataRetention'>): void {
  if (zeroDataRetention !== 'forced') return
  throw new Problem('bad_request', {
    instead: 'Monitoring requires retained snapshots and diffs, and is not supported for zero data retention teams.',
  })
}

/** Returns its id. */
export async function addMonitor(
  services: HandlerServices,
  body: NewMonitorBody,
  { teamId, keyId }: Pick<Caller, 'teamId' | 'keyId'>,
): Promise<string> {
  const { store, clock } = services
  const id = newId(clock.now())
  const targets = await resolveFlowTargets(services, teamId, body.targets)
  const monitor = makeStoredMonitor({ ...body, targets }, { id, teamId, keyId }, scheduleLimitsOf(services))
  await store.transaction(async (tx) => {
    await monitorStore(store).monitors.add(tx, monitor)
    await queueConsentRequests(services, tx, monitor, body.notification, new Set())
  })
  return id
}

export const scheduleLimitsOf = ({ clock, monitoring }: HandlerServices) => ({
  now: clock.now(),
  smallestMs: monitoring.smallestMs,
})

/** A flow becomes the page that it opens, scraped with the flow as its action. */
export function resolveFlowTargets(
  { flowStart }: HandlerServices,
  teamId: string,
  targets: readonly RequestedTarget[],
): Promise<MonitorTarget[]> {
  return Promise.all(
    targets.map(async (target): Promise<MonitorTarget> => {
      if (target.type !== 'flow') return target
      const { id, name, with: values, scrapeOptions } = target
      const url = await flowStart(teamId, name, values)
      const actions = [{ type: 'flow' as const, name, with: values }]
      return {
        type: 'scrape',
        id,
        urls: [url],
        scrapeOptions: { ...scrapeOptions, actions } as typeof scrapeOptions,
      }
    }),
  )
}
