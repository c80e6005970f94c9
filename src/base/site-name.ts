// Whose host it is: the name that somebody has registered, or was given below one where strangers get names (`me.github.io`).
import { getDomain } from 'tldts'

/** Of an address without such a name (a number, a machine of the house), the host itself. */
export const siteName = (hostname: string): string => {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}
