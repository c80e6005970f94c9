// One service for all files that need no settings of their own: a start costs as much CPU as a hundred requests. Each file has a
// team and a site of its own, so that no file meets the jobs, the cache or the limits of another.
import { afterAll, beforeAll } from 'vitest'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { emptyFolder, launch, type Service, serviceOf, TEST_KEY } from './service.ts'
import { newTeam } from './team.ts'

/** What a file may know of a service that others use, too. Key, SDK and calls are those of the file's own team. */
export type SharedService = Pick<Service, 'url' | 'key' | 'sdk' | 'call' | 'dataDir' | 'logged'>
/** Whoever runs the service: makes teams. */
export type Operator = Pick<Service, 'url' | 'call'>

// Ends the service and removes its data when the input ends, which happens however the worker of vitest ends.
const KEEPER = '"$@" & pid=$!; read -r _; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null; rm -rf "$0"'

let starting: Promise<Service> | undefined

/** The one of this worker, which runs files one after another in one process. */
function sharedService(): Promise<Service> {
  starting ??= (async () => {
    const dataDir = emptyFolder()
    const env = { ORB_DATA_DIR: dataDir, ORB_ALLOW_PRIVATE: '127.0.0.1', ORB_SEARCH_PROVIDERS: 'none' }
    // A group of its own, so that Ctrl-C reaches it only through the end of its input.
    const { child, output } = launch({ ...env, ORB_API_KEY: TEST_KEY }, ['start'], {
      under: ['/bin/sh', '-c', KEEPER, dataDir],
      detached: true,
    })
    child.unref()
    return serviceOf(child, output, { dataDir })
  })()
  return starting
}

/** All are filled before the first test, and empty while the file is read. */
export function shared(pages: Pages = {}): { site: Site; service: SharedService; operator: Operator } {
  const site = {} as Site
  const service = {} as SharedService
  const operator = {} as Operator
  beforeAll(async () => {
    Object.assign(site, await startSite(pages))
    const common = await sharedService()
    const { url, dataDir, logged } = common
    const { key, sdk, call } = await newTeam(common, `tests of site ${site.port}`)
    Object.assign(service, { url, key, sdk, call, dataDir, logged })
    Object.assign(operator, { url, call: common.call })
  })
  afterAll(() => site.close?.())
  return { site, service, operator }
}
