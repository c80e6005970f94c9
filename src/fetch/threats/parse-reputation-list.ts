// Parses one line of a reputation list: hosts files, RPZ zones, bare domains, adblock rules, bare URLs (OpenPhish) and
// URLhaus CSV.

const HOSTS_FILE_LINE = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?|255\.255\.255\.255)\s+(\S+)/
const RPZ = /^(\S+?)\.?\s+(?:\d+\s+)?(?:IN\s+)?CNAME\s+\.\s*(?:;.*)?$/i
const ADBLOCK = /^\|\|([^\s/^$|*]+)\^/
const CSV_ADDRESS = /"(https?:\/\/[^"\s]{1,2000})"/
const NAME = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,62})\.)+[\p{L}\p{N}-]{2,63}$/u

/** `name` covers a host and its subdomains; `address` one page. */
type ListedAddress = { name: string } | { address: string }

export function parseReputationListLine(line: string): ListedAddress | undefined {
  const text = line.trim()
  if (text === '' || /^[#!;@$[]/.test(text) || text.startsWith('//')) return undefined
  const csv = text.startsWith('"') ? CSV_ADDRESS.exec(text)?.[1] : undefined
  const address = csv ?? (/^https?:\/\/\S+$/.test(text) ? text : undefined)
  if (address) return URL.canParse(address) ? ofAddress(new URL(address)) : undefined
  const name =
    HOSTS_FILE_LINE.exec(text)?.[1] ?? RPZ.exec(text)?.[1] ?? ADBLOCK.exec(text)?.[1] ?? text.split(/[\s,;#]/, 1)[0]!
  const bare = name.toLowerCase().replace(/^\*\./, '').replace(/\.$/, '')
  return NAME.test(bare) && bare !== 'localhost.localdomain' ? { name: bare } : undefined
}

/** A root URL lists the whole host; any other only itself. */
function ofAddress(url: URL): ListedAddress {
  const isWhole = url.pathname === '/' && url.search === ''
  return isWhole ? { name: url.hostname } : { address: reputationListKeyOf(url) }
}

export const reputationListKeyOf = ({ hostname, pathname, search }: URL): string =>
  `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}${search}`
