// Wraps the monitor store: headers of targets and webhooks are encrypted when written and decrypted when read.
import type { HeaderSealer } from '../../../store/sealed-headers.ts'
import type { Monitor, Monitors } from './monitors.ts'

export function wrapMonitorsWithHeaderSealer(monitors: Monitors, { seal, open }: HeaderSealer): Monitors {
  const openMonitor = (monitor: Monitor): Monitor => ({
    ...monitor,
    targets: open(monitor.targets),
    webhook: open(monitor.webhook),
  })
  const one = async (monitor: Promise<Monitor | undefined>): Promise<Monitor | undefined> => {
    const found = await monitor
    return found && openMonitor(found)
  }
  const sealMonitor = <T extends { targets?: unknown; webhook?: unknown }>(given: T): T => ({
    ...given,
    ...('targets' in given ? { targets: seal(given.targets) } : {}),
    ...('webhook' in given ? { webhook: seal(given.webhook) } : {}),
  })
  return {
    ...monitors,
    add: (tx, monitor) => monitors.add(tx, sealMonitor(monitor)),
    change: (tx, id, change) => monitors.change(tx, id, sealMonitor(change)),
    get: (id) => one(monitors.get(id)),
    hold: (tx, id) => one(monitors.hold(tx, id)),
    byFeed: (token) => one(monitors.byFeed(token)),
    list: async (teamId, which) => (await monitors.list(teamId, which)).map(openMonitor),
  }
}
