// Opens all that searching needs: the index and what fills it, the providers that the operator wants, and the one question
// that can be put to them together.
import type { Log } from '../../base/log.ts'
import type { Search } from '../../base/search.ts'
import type { Clock } from '../../base/time.ts'
import { startIndexer } from '../../search/indexer.ts'
import { rewriteSegments } from '../../search/rewrite.ts'
import { openTeamIndex } from '../../search/team-index.ts'
import { openThreads } from '../../search/threads.ts'
import type { Store } from '../../store/index.ts'
import { ProviderHealth, type ProviderState } from './health.ts'
import { type ProviderWish, providersFor } from './providers/index.ts'
import { openSearch } from './search.ts'
import { openAskWeb } from './web.ts'

export interface SearchSettings extends ProviderWish {
  searchCommon: readonly string[]
  searchMemoryMb: number
  searchBases: readonly string[]
  allowPrivate: readonly string[]
  dnsServers: readonly string[]
  proxiesBasic: readonly string[]
  proxiesEnhanced: readonly string[]
}

export interface Searching {
  search: Search
  searchProviders(): ProviderState[]
  rewriteIndex(teamIds: readonly string[]): Promise<void>
  /** What is worth knowing for /health: providers that are left alone. */
  notes(): string[]
}

/** Where to say how to close what was opened. */
interface Closing {
  add(step: () => Promise<void>): void
}

export interface SearchingParts {
  config: SearchSettings
  store: Store
  clock: Clock
  log: Log
}

const script = (name: string): URL => new URL(`../../search/${name}.js`, import.meta.url)

export function openSearching({ config, store, clock, log }: SearchingParts, closing: Closing): Searching {
  const threads = openThreads({
    buildScript: script('build-thread'),
    findScript: script('find-thread'),
    roomBytes: config.searchMemoryMb * 1024 * 1024,
  })
  const indexer = startIndexer({ store: store.searchIndex, threads, clock, log, commonHosts: config.searchCommon })
  const health = new ProviderHealth(clock)
  const providers = providersFor(config)
  const bases = new Map(
    config.searchBases.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]),
  )
  const web = openAskWeb({
    named: [...bases.values(), ...(config.searxngUrl ? [config.searxngUrl] : [])],
    allowPrivate: config.allowPrivate,
    dnsServers: config.dnsServers,
    proxies: { basic: config.proxiesBasic, enhanced: config.proxiesEnhanced },
    log,
  })
  const index = openTeamIndex({ store: store.searchIndex, threads })
  const searchProviders = () => health.states(providers.map(({ name }) => name))
  closing.add(async () => {
    await indexer.stop()
    await Promise.all([threads.close(), web.close()])
  })
  return {
    search: openSearch({ index, votes: store.searchVotes, providers, bases, health, web: web.ask, clock }),
    searchProviders,
    rewriteIndex: (teamIds) => rewriteSegments({ store: store.searchIndex, threads }, teamIds),
    notes: () =>
      searchProviders()
        .filter(({ state }) => state === 'suspended')
        .map(
          ({ name, because, until }) =>
            `search: ${name} is left alone until ${new Date(until!).toISOString()}: ${because}`,
        ),
  }
}
