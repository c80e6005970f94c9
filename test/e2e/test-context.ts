// What most tests stand on: our own web, and a service that may visit it, for as long as the tests of a file run.
import { afterAll, beforeAll } from 'vitest'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { type Service, startService } from './service.ts'

export interface TestContext {
  site: Site
  service: Service
}

/** Both are filled before the first test, and empty while the file is read. */
export function pageContext(pages: Pages = {}, env: Record<string, string> = {}): TestContext {
  const site = {} as Site
  const service = {} as Service
  beforeAll(async () => {
    Object.assign(site, await startSite(pages))
    Object.assign(service, await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ...env } }))
  })
  afterAll(async () => {
    // What did not start need not be stopped; why it did not is told by the hook above.
    await service.stop?.()
    await site.close?.()
  })
  return { site, service }
}
