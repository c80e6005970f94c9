// Many clients over keys with different rules, at a size for every run; `npm run prove teams` does the whole of it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LoadSite, runLoad, startLoadSite } from '../../bench/teams-load.mjs'
import { type Service, startService } from '../e2e/service.ts'

let site: LoadSite
let service: Service
beforeAll(async () => {
  site = await startLoadSite()
  const env = { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_CONCURRENCY: '16', ORB_LOG_LEVEL: 'warn' }
  service = await startService({ env })
})
afterAll(async () => {
  await service?.stop()
  await site?.close()
})

it('keeps every balance and every limit under a thousand requests from fifty clients over five keys', async () => {
  const load = { url: service.url, adminKey: service.key, site, requests: 1000, clients: 50, credits: 120 }
  const { wrong, statuses, mostAtOnce, seconds } = await runLoad(load)
  expect(wrong).toEqual([])
  expect(statuses[402]).toBe(80)
  // Limits are for a minute: on a busy machine the requests may be spread over several.
  if (seconds < 60) expect(statuses[429]).toBeGreaterThan(0)
  expect(mostAtOnce).toBeLessThanOrEqual(6)
  expect(mostAtOnce).toBeGreaterThan(1)
})
