// The interface of an alternative HTTP transport.
import type { ExchangeAnswer, ExchangeRequest } from './exchange.ts'
import type { ProxyRoute } from './proxies.ts'

export interface WireOptions {
  route: ProxyRoute
  skipTlsVerification: boolean
}

/** Undefined when this machine lacks it; the caller then uses plain HTTP. */
export type Wire = (
  request: ExchangeRequest,
  options: WireOptions,
  signal: AbortSignal,
) => Promise<ExchangeAnswer> | undefined
