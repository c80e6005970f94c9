// One service for all files that need no settings of their own: a start and its first page cost as much CPU as a hundred
// requests. Each file has a team and a site of its own, so that no file meets the jobs, the cache or the limits of another.
import { once } from 'node:events'
import { afterAll, beforeAll } from 'vitest'
import { type DnsReply, startDns } from '../site/dns.ts'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { closedPort, launch, migratedFolder, type Service, serviceOf, TEST_KEY } from './service.ts'
import { newTeam } from './team.ts'

/** What a file may know of a service that others use, too. Key, SDK and calls are those of the file's own team. */
export type SharedService = Pick<Service, 'url' | 'key' | 'sdk' | 'call' | 'dataDir' | 'logged' | 'printed'>

export interface SharedOptions {
  /** Host names that the service resolves while the tests of the file run; others do not exist. */
  names?: Readonly<Record<string, DnsReply | readonly DnsReply[]>>
}

// Ends the service when the input ends, which happens however the worker of vitest ends, and then removes its data; a line
// of input ends it and keeps them. After the end of the input its CPU seconds stay in a file, for the sum of `npm test`; after
// a line the worker is still there, and counts them as those of a child.
const KEEPER =
  '"$@" & pid=$!; read -r keep; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null; [ -n "$keep" ] || { times > "$TMPDIR/orb-shared-cpu-$$"; rm -rf "$0"; }'

interface Running {
  service: Service
  /** Kills it and starts another on the same data and the same port. */
  killAndStart(): Promise<Running>
}

/** Names of the file that runs: a worker runs files one after another, in one process. */
const names: Record<string, DnsReply | readonly DnsReply[]> = {}
let running: Promise<Running> | undefined

async function startShared(): Promise<Running> {
  const dns = await startDns({ answers: names })
  return startOn(await migratedFolder(), {
    ORB_ALLOW_PRIVATE: '127.0.0.1,localhost',
    ORB_CONCURRENCY: '50',
    ORB_DNS_SERVERS: dns.address,
    ORB_MONITOR_CONFIRM_MS: '50',
    ORB_OTHER_APIS: 'tavily, searxng',
    // One that it can have again after a kill.
    ORB_PORT: String(await closedPort()),
    ORB_SEARCH_PROVIDERS: 'none',
    ORB_TRUSTED_PROXIES: '127.0.0.1',
    ORB_VAULT_LOOPBACK_HTTP: 'on',
  })
}

async function startOn(dataDir: string, env: Record<string, string>): Promise<Running> {
  const own = { ORB_DATA_DIR: dataDir, ORB_API_KEY: TEST_KEY, ...env }
  // A group of its own, so that Ctrl-C reaches it only through the end of its input.
  const { child, output } = launch(own, ['start'], { under: ['/bin/sh', '-c', KEEPER, dataDir], detached: true })
  child.unref()
  const service = await serviceOf(child, output, { dataDir })
  const killAndStart = async () => {
    const ended = once(child, 'exit')
    child.stdin?.write('keep\n')
    child.ref()
    await ended
    return startOn(dataDir, { ...env, ORB_PORT: new URL(service.url).port })
  }
  return { service, killAndStart }
}

/** Which files follow one another in a worker is chance: each finds every name of a team free. */
async function freeTeamNames({ call }: SharedService): Promise<void> {
  const { json: me } = await call('GET', '/v2/admin/me')
  const { json: teams } = await call('GET', '/v2/admin/teams')
  for (const { id, name } of teams.data)
    if (id !== me.data.team.id && name !== id) await call('PATCH', `/v2/admin/teams/${id}`, { name: id })
}

/**
 * All are filled before the first test, and empty while the file is read. `service` has the key of the file's own team;
 * `operator` that of the default team, which all files have: a test restores what it sets for the whole service.
 */
export function shared(pages: Pages = {}, options: SharedOptions = {}) {
  const site = {} as Site
  const service = {} as SharedService
  const operator = {} as SharedService
  beforeAll(async () => {
    Object.assign(site, await startSite(pages))
    Object.assign(names, options.names)
    running ??= startShared()
    const { url, key, sdk, call, dataDir, logged, printed } = (await running).service
    Object.assign(operator, { url, key, sdk, call, dataDir, logged, printed })
    const team = await newTeam(operator, `tests of site ${site.port}`)
    Object.assign(service, operator, { key: team.key, sdk: team.sdk, call: team.call })
  })
  afterAll(async () => {
    for (const name of Object.keys(options.names ?? {})) delete names[name]
    await site.close?.()
    if ('call' in operator) await freeTeamNames(operator)
  })
  /** Kills the service and starts it again on its data: keys, SDKs and calls stay valid. */
  const killAndStart = async () => {
    running = (await running)?.killAndStart()
    const { logged, printed } = (await running)!.service
    for (const one of [service, operator]) Object.assign(one, { logged, printed })
  }
  return { site, service, operator, killAndStart }
}
