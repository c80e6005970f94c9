// The registrable domain of a host, including private suffixes such as `me.github.io`.
import { getDomain } from 'tldts'

/** For IP addresses and single-label hosts, the host itself. */
export const registrableDomainOrHost = (hostname: string): string => {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}
