// Hosts as callers name them: `example.org`, `*.example.org` for its subdomains, or an IP address.
import { getDomain } from 'tldts'
import { z } from 'zod'

const SUBDOMAINS = '*.'
/** A name, an IPv4 address or an IPv6 address in brackets, without a port. */
const HOST_WITHOUT_PORT = /^(?:[^\s/?#@:*[\]\\%]+|\[[0-9a-f:.]+\])$/i

/** Spells the host as URLs do (lower case, punycode); undefined when the text is no host pattern. */
function normalizeHostPattern(text: string): string | undefined {
  const wide = text.startsWith(SUBDOMAINS)
  const host = wide ? text.slice(SUBDOMAINS.length) : text
  if (!HOST_WITHOUT_PORT.test(host) || !URL.canParse(`http://${host}/`)) return undefined
  const { hostname } = new URL(`http://${host}/`)
  // `*.com` or `*.github.io` would include strangers.
  if (wide && getDomain(hostname, { allowPrivateDomains: true }) === null) return undefined
  return wide ? SUBDOMAINS + hostname : hostname
}

export const matchesHost = (pattern: string, hostname: string): boolean =>
  pattern.startsWith(SUBDOMAINS) ? hostname.endsWith(pattern.slice(1)) : hostname === pattern

export const hostsOption = (most: number) =>
  z
    .array(
      z
        .string()
        .trim()
        .max(255)
        .transform((text, context) => {
          const pattern = normalizeHostPattern(text)
          if (pattern !== undefined) return pattern
          const message = 'must be a host such as api.example.org, or *.example.org for its subdomains, without a port'
          context.addIssue({ code: 'custom', message, params: { named: true } })
          return z.NEVER
        }),
    )
    .max(most)

const DOMAIN = /^(?!-)(?:[\p{L}\p{N}-]{1,63}\.)*[\p{L}\p{N}-]{1,63}(?::\d{1,5})?$/u

export const domainsOption = (most: number) =>
  z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(253)
        .regex(DOMAIN, { error: 'Domain must be a valid hostname without protocol or path' }),
    )
    .max(most)
    .optional()

interface SearchDomains {
  includeDomains?: string[] | undefined
  excludeDomains?: string[] | undefined
}

export function refuseBothDomainLists(
  { includeDomains, excludeDomains }: SearchDomains,
  context: z.RefinementCtx,
): void {
  if (!includeDomains?.length || !excludeDomains?.length) return
  const message = 'includeDomains and excludeDomains cannot both be specified'
  context.addIssue({ code: 'custom', path: ['excludeDomains'], message })
}
