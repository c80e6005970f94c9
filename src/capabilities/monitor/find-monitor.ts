// Resolves the monitor of a request, limited to the team's own.

import { Problem } from '../../base/problem.ts'
import { isUuid } from '../../base/uuid-format.ts'
import type { HandlerServices } from './own-services.ts'
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
