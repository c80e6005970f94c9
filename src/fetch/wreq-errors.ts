// What the errors of `wreq-js` mean. Its native part reports texts only.
import { Problem } from '../base/problem.ts'

const PROBLEMS = [
  [/certificate/i, 'tls_failed', 'the certificate is not valid. `skipTlsVerification` would accept it'],
  [/ssl|tls|handshake/i, 'tls_failed', 'the handshake failed'],
  [/timed? ?out/i, 'site_failed', 'it did not respond in time'],
] as const

export function problemOfWreqError(cause: unknown): Problem {
  const message = cause instanceof Error ? cause.message : ''
  const [, kind, because] = PROBLEMS.find(([text]) => text.test(message)) ?? []
  return new Problem(kind ?? 'site_failed', { because: because ?? 'the connection failed', cause })
}
