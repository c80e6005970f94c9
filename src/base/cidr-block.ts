// IP addresses and CIDR blocks as text. IPv4-mapped IPv6 addresses count as IPv4.
import ipaddr from 'ipaddr.js'

type Block = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

export const isCidrBlock = (text: string): boolean => blockOf(text) !== undefined

export function isAddressInCidrBlock(block: string, address: string): boolean {
  const known = blockOf(block)
  const bare = address.replace(/%.*$/, '')
  if (!known || !ipaddr.isValid(bare)) return false
  const given = ipaddr.process(bare)
  return known[0].kind() === given.kind() && given.match(known as never)
}

const PRIVATE = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

export function isPrivateCidrBlock(text: string): boolean {
  const known = blockOf(text)
  if (!known) return false
  const [address, bits] = known
  const cidr = `${address.toString()}/${bits}`
  const ends =
    address instanceof ipaddr.IPv4
      ? [ipaddr.IPv4.networkAddressFromCIDR(cidr), ipaddr.IPv4.broadcastAddressFromCIDR(cidr)]
      : [ipaddr.IPv6.networkAddressFromCIDR(cidr), ipaddr.IPv6.broadcastAddressFromCIDR(cidr)]
  const ranges = ends.map((end) => end.range())
  return ranges[0] === ranges[1] && PRIVATE.has(ranges[0] ?? '')
}

/** Short forms are rejected: `10.1` would be read as 10.0.0.1. */
function blockOf(text: string): Block | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (!isV4 && !ipaddr.IPv6.isValid(address)) return undefined
  const parsed = isV4 ? ipaddr.IPv4.parse(address) : ipaddr.IPv6.parse(address)
  const width = isV4 ? 32 : 128
  const length = bits === undefined ? width : Number(bits)
  if (length > width) return undefined
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= 96)
    return [parsed.toIPv4Address(), length - 96]
  return [parsed, length]
}
