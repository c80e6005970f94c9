// Targets that are flows: each becomes the page that the flow opens, scraped with the flow as its action.
import type { HandlerServices } from './own-services.ts'
import type { MonitorTarget, RequestedTarget } from './schema.ts'

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
