// Opens search: the index and its indexer, the enabled providers, and the combined search.

import { startIndexer } from '../../search/indexer.ts'
import { rewriteSegments } from '../../search/rewrite-segments.ts'
import { openTeamPageSearch } from '../../search/search-team-pages.ts'
import { openSearchThreads } from '../../search/search-threads.ts'
import { searchStore } from '../../search/store/index.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import type { SharedServices } from '../route.ts'
import { makeCombinedSearch } from './index-and-provider-search.ts'
import type { SearchServices } from './own-services.ts'
import { openProviderFetch } from './provider-egress.ts'
import { ProviderHealth } from './provider-health.ts'
import { makeProviders } from './providers/index.ts'

const script = (name: string): URL => new URL(`../../search/${name}.js`, import.meta.url)

export function openSearchServices({
  config,
  store,
  clock,
  log,
  closing,
}: CapabilityContext): OpenedCapability<SearchServices> {
  const threads = openSearchThreads({
    buildScript: script('build-thread'),
    findScript: script('find-thread'),
    memoryBytes: config.searchMemoryMb * 1024 * 1024,
  })
  const health = new ProviderHealth(clock)
  const providers = makeProviders(config)
  const bases = new Map(
    config.searchBases.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]),
  )
  const web = openProviderFetch({
    named: [...bases.values(), ...(config.searxngUrl ? [config.searxngUrl] : [])],
    allowPrivate: config.allowPrivate,
    dnsServers: config.dnsServers,
    proxies: config.llmProxy
      ? { basic: [config.llmProxy], enhanced: [] }
      : { basic: config.proxiesBasic, enhanced: config.proxiesEnhanced },
    ...(config.llmCertificates ? { trust: [config.llmCertificates] } : {}),
    log,
  })
  const index = openTeamPageSearch({ store: searchStore(store).searchIndex, threads })
  const commonHosts = config.searchCommon
  const mode = config.searchIndex
  const indexer =
    mode === 'never'
      ? undefined
      : startIndexer({ store: searchStore(store).searchIndex, threads, clock, log, mode, commonHosts })
  const catchUpIndex: SharedServices['catchUpIndex'] = async (teamId, signal) => indexer?.catchUp(teamId, signal)
  const searchProviders = () => health.states(providers.map(({ name }) => name))
  closing.add(async () => {
    await indexer?.stop()
    await Promise.all([threads.close(), web.close()])
  })
  return {
    services: {
      search: makeCombinedSearch({
        index: indexer && { ...index, catchUp: indexer.catchUp },
        ...{ votes: searchStore(store).searchVotes, providers, bases, health, web: web.ask, clock },
      }),
      catchUpIndex,
      rewriteIndex: (teamIds) => {
        const rewrite = () => rewriteSegments({ store: searchStore(store).searchIndex, threads }, teamIds)
        return indexer ? indexer.inTurn(rewrite) : rewrite()
      },
    },
    own: { searchProviders },
    notes: () =>
      searchProviders()
        .filter(({ state }) => state === 'suspended')
        .map(
          ({ name, because, until }) => `search: ${name} is paused until ${new Date(until!).toISOString()}: ${because}`,
        ),
  }
}
