// The IP allowlist of a team: IPv4 and IPv6 addresses and CIDR blocks. IPv4-mapped IPv6 addresses count as IPv4.
import ipaddr from 'ipaddr.js'
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

type Block = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

export const isAddressBlock = (text: string): boolean => blockOf(text) !== undefined

/** `::ffff:192.0.2.1` becomes 192.0.2.1. */
export function plainAddress(text: string): string {
  const bare = text.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare
}

export function isAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  const caller = ipaddr.process(bare)
  return list.some((entry) => {
    const block = blockOf(entry)
    return block !== undefined && block[0].kind() === caller.kind() && caller.match(block as never)
  })
}

export function assertAddress({ ipAllow }: Pick<Caller, 'ipAllow'>, address: string): void {
  if (!isAllowed(ipAllow, address))
    throw new Problem('forbidden', {
      because: `Request blocked: IP address ${plainAddress(address)} is not on this team's allowed IP list.`,
    })
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
