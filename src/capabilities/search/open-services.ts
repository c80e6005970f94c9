// Opens search: the index and its indexer, the enabled providers, and the combined search.

import { decodeText } from '../../content/decode-text.ts'
import { type EgressOptions, openEgress } from '../../fetch/egress.ts'
import { makeBrowserHeaders } from '../../fetch/http-engine.ts'
import { startIndexer } from '../../search/indexer.ts'
import { rewriteSegments } from '../../search/rewrite-segments.ts'
import { openTeamPageSearch } from '../../search/search-team-pages.ts'
import { openSearchThreads } from '../../search/search-threads.ts'
import { searchStore } from '../../search/store/index.ts'
import type { CapabilityContext, OpenedCapability } from '../capability-context.ts'
import type { SharedServices } from '../route.ts'
import { makeCombinedSearch } from './index-and-provider-search.ts'
import type { SearchServices } from './own-services.ts'
import { ProviderError, type ProviderFetch } from './provider.ts'
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

const MAX_BYTES = 3 * 1024 * 1024
const AGENT = 'Orbweaver/1 (self-hosted web data service)'

interface WebOptions extends Pick<EgressOptions, 'allowPrivate' | 'dnsServers' | 'proxies' | 'trust' | 'log'> {
  named: readonly string[]
}

function openProviderFetch({ named, allowPrivate, dnsServers, proxies, trust = [], log }: WebOptions) {
  const egress = openEgress({
    allowPrivate: [...allowPrivate, ...named.map((address) => new URL(address).host)],
    dnsServers,
    proxies,
    trust,
    log,
    limits: { dnsMs: 3_000, connectMs: 3_000 },
  })
  const ask: ProviderFetch = async ({ url, method = 'GET', headers = {}, body, asBrowser = false }, signal) => {
    const own = asBrowser
      ? makeBrowserHeaders({ headers, languages: ['en-US', 'en'], mobile: false })
      : {
          'user-agent': AGENT,
          accept: 'application/json, */*;q=0.5',
          'accept-encoding': 'gzip, deflate, br',
          ...headers,
        }
    const response = await egress.fetch(
      {
        url,
        method,
        headers: body === undefined ? own : { 'content-type': 'application/json', ...own },
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
        skipTlsVerification: false,
        proxy: 'basic',
        maxRedirects: 3,
        maxBytes: MAX_BYTES,
      },
      signal,
    )
    if (response.truncated)
      throw new ProviderError('changed', `its response is larger than ${MAX_BYTES / 1024 / 1024} MB`)
    const text = decodeText(response.body, response.headers['content-type']).text
    return { status: response.status, headers: response.headers, text }
  }
  return { ask, close: () => egress.close() }
}
