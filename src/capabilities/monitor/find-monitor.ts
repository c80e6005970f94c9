// Resolves what a request names: a monitor of the team, and targets that are flows.
import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import type { HandlerServices } from './own-services.ts'
import type { MonitorTarget, RequestedTarget } from './schema.ts'
import { monitorStore } from './store/index.ts'
import type { Monitor } from './store/monitors.ts'

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
