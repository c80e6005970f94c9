// Queries the suitable providers in parallel under one deadline.
import { withinTime } from '../../base/deadline.ts'
import type { ProviderOutcome } from '../../base/search-types.ts'
import { type Provider, ProviderError, type ProviderFetch, type ProviderHit, type ProviderQuery } from './provider.ts'
import type { ProviderHealth } from './provider-health.ts'

type ProviderAnswer = { name: string; hits: ProviderHit[] }

export interface ProvidersParts {
  providers: readonly Provider[]
  bases: ReadonlyMap<string, string>
  health: ProviderHealth
  web: ProviderFetch
}

const MOST_ASKED = 5
const MIN_SUIT = 0.3

function chooseProviders(providers: readonly Provider[], query: ProviderQuery): Provider[] {
  return providers
    .filter(({ sources }) => sources.includes(query.source))
    .map((provider) => ({ provider, suit: provider.suits(query) }))
    .filter(({ suit }) => suit >= MIN_SUIT)
    .sort((a, b) => b.suit - a.suit)
    .slice(0, MOST_ASKED)
    .map(({ provider }) => provider)
}

export async function askProviders(
  { providers, bases, health, web }: ProvidersParts,
  query: ProviderQuery,
  patienceMs: number,
  signal: AbortSignal,
): Promise<{ answers: ProviderAnswer[]; asked: ProviderOutcome[] }> {
  const one = async (provider: Provider): Promise<{ asked: ProviderOutcome; hits: ProviderHit[] }> => {
    const { name } = provider
    const began = performance.now()
    const outcomeOf = (state: ProviderOutcome['state'], hits: ProviderHit[], because?: string) => ({
      asked: {
        name,
        state,
        hits: hits.length,
        ms: Math.round(performance.now() - began),
        ...(because ? { because } : {}),
      },
      hits,
    })
    const held = health.claim(name, provider.perMinute)
    if (held) return outcomeOf('suspended', [], `${held.because}; retried at ${new Date(held.until).toISOString()}`)
    const ended = new AbortController()
    const stop = () => ended.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      const asking = provider.ask(query, bases.get(name) ?? provider.base, web, ended.signal)
      const answer = await withinTime(patienceMs, asking, () => 'late' as const)
      if (answer === 'late') {
        health.failed(name, new ProviderError('failed', `no response within ${patienceMs} ms`))
        return outcomeOf('late', [], `no response within ${patienceMs} ms`)
      }
      health.answered(name)
      const hits = answer.filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url)).slice(0, query.limit * 2)
      return outcomeOf(hits.length > 0 ? 'answered' : 'empty', hits)
    } catch (error) {
      if (!signal.aborted) health.failed(name, error)
      return outcomeOf('failed', [], error instanceof Error ? error.message : String(error))
    } finally {
      signal.removeEventListener('abort', stop)
      ended.abort()
    }
  }
  const results = await Promise.all(chooseProviders(providers, query).map(one))
  return {
    asked: results.map(({ asked }) => asked),
    answers: results.filter(({ hits }) => hits.length > 0).map(({ asked, hits }) => ({ name: asked.name, hits })),
  }
}
