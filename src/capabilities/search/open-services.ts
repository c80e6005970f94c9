// Opens search: the index and its indexer, the enabled providers, and the combined search.

import { Problem } from '../../base/problem.ts'
import { startIndexer } from '../../search/indexer.ts'
import { type CallSearchServer, makeOpenSearchPageFinder } from '../../search/opensearch-page-finder.ts'
import { type ExternalIndexWriter, makeSegmentFinder } from '../../search/page-finder.ts'
import { pruneExternalEngine } from '../../search/prune-external-engine.ts'
import { rewriteSegments } from '../../search/rewrite-segments.ts'
import { openTeamPageSearch } from '../../search/search-team-pages.ts'
import { openSearchThreads } from '../../search/search-threads.ts'
import { searchStore } from '../../search/store/index.ts'
import type { SearchIndexStore } from '../../search/store/search-segments-and-outbox.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import type { Services } from '../route.ts'
import { makeCombinedSearch } from './index-and-provider-search.ts'
import type { SearchServices } from './needs.ts'
import type { ProviderFetch } from './provider.ts'
import { openProviderFetch } from './provider-egress.ts'
import { ProviderHealth } from './provider-health.ts'
import { makeProviders } from './providers/index.ts'

/** The URL may contain user and password. */
function askServer(ask: ProviderFetch, address: string): CallSearchServer {
  const { origin, pathname, username, password } = new URL(address)
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const base = origin + pathname.replace(/\/$/, '')
  return ({ method, path, body, type }, signal) => {
    const headers = {
      ...(username === '' ? {} : { authorization: `Basic ${login}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    }
    return ask({ url: base + path, method, headers, ...(body === undefined ? {} : { body }) }, signal)
  }
}

/** Scans the whole index rather than what this request removed, so that a retry after a failure does the same. */
async function forgetThere(store: SearchIndexStore, server: ExternalIndexWriter): Promise<void> {
  await pruneExternalEngine(store, server).catch((error: unknown) => {
    const instead = `Everything was removed here, but the search server may still hold it: ${(error as Error).message}. Send the same again.`
    throw new Problem('unavailable', { instead })
  })
}

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
    named: [...bases.values(), ...[config.searxngUrl, config.openSearchUrl].filter((url) => url !== undefined)],
    allowPrivate: config.allowPrivate,
    dnsServers: config.dnsServers,
    proxies: config.llmProxy
      ? { basic: [config.llmProxy], enhanced: [] }
      : { basic: config.proxiesBasic, enhanced: config.proxiesEnhanced },
    ...(config.llmCertificates ? { trust: [config.llmCertificates] } : {}),
    log,
  })
  const server = config.openSearchUrl ? makeOpenSearchPageFinder(askServer(web.ask, config.openSearchUrl)) : undefined
  const finder = server ?? makeSegmentFinder(searchStore(store).searchIndex, threads)
  const index = openTeamPageSearch({ store: searchStore(store).searchIndex, threads, finder })
  const commonHosts = config.searchCommon
  const mode = config.searchIndex
  const indexer =
    mode === 'never'
      ? undefined
      : startIndexer({ store: searchStore(store).searchIndex, threads, clock, log, mode, commonHosts, sink: server })
  const catchUpIndex: Services['search']['catchUpIndex'] = async (teamId, signal) => indexer?.catchUp(teamId, signal)
  const searchProviders = () => health.states(providers.map(({ name }) => name))
  closing.add(async () => {
    await indexer?.stop()
    await Promise.all([threads.close(), web.close()])
  })
  return {
    services: {
      search: {
        search: makeCombinedSearch({
          index: indexer && { ...index, catchUp: indexer.catchUp },
          ...{ votes: searchStore(store).searchVotes, providers, bases, health, web: web.ask, clock },
        }),
        catchUpIndex,
        rewriteIndex: (teamIds) => {
          if (server) return forgetThere(searchStore(store).searchIndex, server)
          const rewrite = () => rewriteSegments({ store: searchStore(store).searchIndex, threads }, teamIds)
          return indexer ? indexer.inTurn(rewrite) : rewrite()
        },
      },
    },
    own: { searchProviders },
    notes: () =>
      searchProviders()
        .filter(({ state }) => state === 'suspended')
        .map(
          ({ name, because, until }) =>
            `search: ${name} is left alone until ${new Date(until!).toISOString()}: ${because}`,
        ),
  }
}
