// Resolves host names by the system or the operator's resolvers, within a timeout. checked-sockets.ts checks every answer
// against the address policy.

import dns from 'node:dns'
import { LRUCache } from 'lru-cache'
import { withinTime } from '../base/deadline.ts'
import { Problem } from '../base/problem.ts'
import { normalizeHostname } from './address-policy.ts'

export interface HostAddress {
  address: string
  family: 4 | 6
}

export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>

interface ResolveOptions {
  /** Empty: the system's resolver, including /etc/hosts. */
  servers: readonly string[]
  timeoutMs: number
}

interface Found {
  answers: readonly HostAddress[]
  ttlSeconds: number
}

// Answers are checked at every connection and a TTL of 0 is honoured, so the cache does not enable DNS rebinding.
const MAX_TTL_SECONDS = 30
const SYSTEM_TTL_SECONDS = 5
const MAX_REMEMBERED = 1000
// A name with thousands of records is an attack on the code that checks and tries them.
const MAX_ANSWERS = 32

export function openResolver({ servers, timeoutMs }: ResolveOptions): ResolveHost {
  const remembered = new LRUCache<string, { until: number; answers: readonly HostAddress[] }>({ max: MAX_REMEMBERED })
  const asking = new Map<string, Promise<readonly HostAddress[]>>()
  const ask = servers.length === 0 ? askSystem : askServers(servers, timeoutMs)

  async function lookUp(host: string): Promise<readonly HostAddress[]> {
    const { answers, ttlSeconds } = await within(timeoutMs, host, ask(host))
    if (answers.length === 0) throw makeDnsProblem(host, 'it has no address')
    if (ttlSeconds > 0)
      remembered.set(host, { until: performance.now() + Math.min(ttlSeconds, MAX_TTL_SECONDS) * 1000, answers })
    return answers
  }

  return function resolve(hostname) {
    const host = normalizeHostname(hostname)
    const known = remembered.get(host)
    if (known !== undefined && known.until > performance.now()) return Promise.resolve(known.answers)
    remembered.delete(host)
    const pending = asking.get(host)
    if (pending !== undefined) return pending
    const answers = lookUp(host).finally(() => asking.delete(host))
    asking.set(host, answers)
    return answers
  }
}

async function askSystem(host: string): Promise<Found> {
  const found = await dns.promises.lookup(host, { all: true, verbatim: true })
  const answers = found.map(({ address, family }): HostAddress => ({ address, family: family === 6 ? 6 : 4 }))
  return { answers: limitAddresses(host, answers), ttlSeconds: SYSTEM_TTL_SECONDS }
}

function askServers(servers: readonly string[], timeoutMs: number): (host: string) => Promise<Found> {
  const resolver = new dns.promises.Resolver({ timeout: Math.max(500, Math.floor(timeoutMs / 3)), tries: 2 })
  resolver.setServers(servers)
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(host, { ttl: true }),
      resolver.resolve6(host, { ttl: true }),
    ])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    const of = (records: typeof v4, family: 4 | 6) =>
      records.status === 'fulfilled' ? records.value.map(({ address, ttl }) => ({ address, family, ttl })) : []
    const answers = [...of(v4, 4), ...of(v6, 6)]
    return {
      answers: limitAddresses(host, answers),
      ttlSeconds: Math.min(...answers.map(({ ttl }) => ttl), MAX_TTL_SECONDS),
    }
  }
}

function limitAddresses(host: string, answers: readonly HostAddress[]): readonly HostAddress[] {
  // Truncating would leave answers unchecked, so refuse instead.
  if (answers.length > MAX_ANSWERS) throw makeDnsProblem(host, 'it has too many addresses')
  return answers
}

async function within<T>(timeoutMs: number, host: string, work: Promise<T>): Promise<T> {
  try {
    return await withinTime(timeoutMs, work, () => {
      throw makeDnsProblem(host, `no response within ${timeoutMs} ms`)
    })
  } catch (error) {
    throw error instanceof Problem ? error : makeDnsProblem(host, sayDnsError(error), error)
  }
}

function sayDnsError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOTFOUND' || code === 'ENODATA' || code === 'ENONAME') return 'there is no such name'
  if (code === 'EAI_AGAIN' || code === 'ETIMEOUT' || code === 'ECONNREFUSED') return 'the name server did not respond'
  return 'the name server returned an error'
}

function makeDnsProblem(host: string, because: string, cause?: unknown): Problem {
  return new Problem('dns_failed', { because: `${host}: ${because}`, cause })
}
