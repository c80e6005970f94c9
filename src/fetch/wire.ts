// Another way to send one request than our own sockets.
import type { ExchangeAnswer, ExchangeRequest } from './exchange.ts'
import type { ProxyRoute } from './proxies.ts'

export interface WireOptions {
  route: ProxyRoute
  skipTlsVerification: boolean
}

/** Another way to send one request; undefined: this machine does not have it, and the plain one must do. */
export type Wire = (
  request: ExchangeRequest,
  options: WireOptions,
  signal: AbortSignal,
) => Promise<ExchangeAnswer> | undefined
