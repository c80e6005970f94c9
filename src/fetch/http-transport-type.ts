// The interface of an alternative HTTP transport.

import type { ProxyCriteria } from './proxy-selector.ts'
import type { ExchangeRequest, ExchangeResponse } from './send-request.ts'

export interface TransportOptions {
  route: ProxyCriteria
  skipTlsVerification: boolean
}

/** Undefined when this machine lacks it; the caller then uses plain HTTP. */
export type HttpTransport = (
  request: ExchangeRequest,
  options: TransportOptions,
  signal: AbortSignal,
) => Promise<ExchangeResponse> | undefined
