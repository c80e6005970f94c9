// Opens search: the index and its indexer, the enabled providers, and the combined search.

import { Problem } from '../../base/problem.ts'
import { type PageSink, segmentFinder } from '../../search/finder.ts'
import { startIndexer } from '../../search/indexer.ts'
import { type AskServer, openSearchServer } from '../../search/opensearch.ts'
import { pruneSink } from '../../search/prune.ts'
import { rewriteSegments } from '../../search/rewrite.ts'
import { searchStore } from '../../search/store/index.ts'
import type { SearchIndexStore } from '../../search/store/search-index.ts'
import { openTeamIndex } from '../../search/team-index.ts'
import { openThreads } from '../../search/threads.ts'
import type { CapabilityContext, Opened } from '../opened-services.ts'
import type { Services } from '../route.ts'
import { ProviderHealth } from './health.ts'
import type { SearchServices } from './needs.ts'
import type { AskWeb } from './provider.ts'
import { openAskWeb } from './provider-egress.ts'
import { providersFor } from './providers/index.ts'
import { openSearch } from './search.ts'

/** The URL may contain user and password. */
function askServer(ask: AskWeb, address: string): AskServer {
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
async function forgetThere(store: SearchIndexStore, server: PageSink): Promise<void> {
  await pruneSink(store, server).catch((error: unknown) => {
    const instead = `Everything was removed here, but the search server may still hold it: ${(error as Error).message}. Send the same again.`
    throw new Problem('unavailable', { instead })
  })
}

const script = (name: string): URL => new URL(`../../search/${name}.js`, import.meta.url)

export function openSearching({ config, store, clock, log, closing }: CapabilityContext): Opened<SearchServices> {
  const threads = openThreads({
    buildScript: script('build-thread'),
    findScript: script('find-thread'),
    memoryBytes: config.searchMemoryMb * 1024 * 1024,
  })
  const health = new ProviderHealth(clock)
  const providers = providersFor(config)
  const bases = new Map(
    config.searchBases.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]),
  )
  const web = openAskWeb({
    named: [...bases.values(), ...[config.searxngUrl, config.openSearchUrl].filter((url) => url !== undefined)],
    allowPrivate: config.allowPrivate,
    dnsServers: config.dnsServers,
    proxies: { basic: config.proxiesBasic, enhanced: config.proxiesEnhanced },
    log,
  })
  const server = config.openSearchUrl ? openSearchServer(askServer(web.ask, config.openSearchUrl)) : undefined
  const finder = server ?? segmentFinder(searchStore(store).searchIndex, threads)
  const index = openTeamIndex({ store: searchStore(store).searchIndex, threads, finder })
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
        search: openSearch({
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
