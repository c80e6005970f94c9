// The interface of an alternative HTTP transport.
import type { ExchangeAnswer, ExchangeRequest } from './exchange.ts'
import type { ProxyRoute } from './proxies.ts'

export interface TransportOptions {
  route: ProxyRoute
  skipTlsVerification: boolean
}

/** Undefined when this machine lacks it; the caller then uses plain HTTP. */
export type HttpTransport = (
  request: ExchangeRequest,
  options: TransportOptions,
  signal: AbortSignal,
) => Promise<ExchangeAnswer> | undefined
