// Maps socket, TLS and HTTP errors to Problems. No message contains a resolved address.
import type { PeerCertificate } from 'node:tls'
import { Problem } from '../base/problem.ts'

/** A proxy failed; another may work. `resting`: it is not used again for a while. */
export class ProxyError extends Error {
  readonly resting: boolean
  readonly isLate: boolean
  constructor(message: string, { resting, isLate = false }: { resting: boolean; isLate?: boolean }, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProxyFault'
    this.resting = resting
    this.isLate = isLate
  }
}

export const problemOfProxyError = (fault: ProxyError): Problem =>
  new Problem(fault.isLate ? 'proxy_timeout' : 'proxy_failed', { because: fault.message, cause: fault })

const SAYINGS: Record<string, string> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection before answering',
  UND_ERR_SOCKET: 'it closed the connection before answering',
  EPIPE: 'it closed the connection before answering',
  ETIMEDOUT: 'it did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept the connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped sending in the middle of its answer',
  UND_ERR_HEADERS_OVERFLOW: 'its answer has too many or too long headers',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  EADDRNOTAVAIL: 'it cannot be reached',
}

export function problemOfSocketError(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = codeOf(error)
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code))
    return new Problem('tls_failed', { because: sayTls(code), cause: error })
  const notHttp = code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError')
  const because = SAYINGS[code] ?? (notHttp ? 'its response is not valid HTTP' : 'the connection failed')
  return new Problem('site_failed', { because, cause: error })
}

/** True when a connection closed without a response; on a reused socket the server may only have timed it out. */
export function isConnectionReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error))
}

export function problemOfTlsError(code: string, host: string, certificate: Partial<PeerCertificate>): Problem {
  return new Problem('tls_failed', {
    because: `${sayCertificate(code, host, certificate)}. \`skipTlsVerification\` would accept it`,
  })
}

function sayCertificate(code: string, host: string, certificate: Partial<PeerCertificate>): string {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'the certificate is self-signed'
    case 'CERT_HAS_EXPIRED':
      return `the certificate has been expired since ${certificate.valid_to ?? 'an unknown date'}`
    case 'CERT_NOT_YET_VALID':
      return `the certificate is not valid before ${certificate.valid_from ?? 'an unknown date'}`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate is not for the host ${host}`
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'the certificate comes from an issuer that is not trusted, or its chain is incomplete'
    default:
      return `the certificate is not valid (${code})`
  }
}

function sayTls(code: string): string {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST/.test(code)) return 'this port does not support TLS'
  if (/PROTOCOL|VERSION/.test(code)) return 'the server supports only insecure versions of TLS'
  if (/HANDSHAKE_FAILURE|CIPHER|DH_KEY/.test(code)) return 'no common way of encryption was found'
  if (/UNRECOGNIZED_NAME/.test(code)) return 'the server does not know this host name'
  return `the handshake failed (${code})`
}

/** Node throws an AggregateError after trying several addresses; use its first error's code. */
function codeOf(error: unknown): string {
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown[]; cause?: unknown }
  if (typeof code === 'string') return code
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  return cause instanceof Error ? codeOf(cause) : ''
}
