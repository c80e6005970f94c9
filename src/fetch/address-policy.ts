// Address policy (SSRF): allows globally routable addresses and the operator's allow-list. Pure: it judges resolved
// addresses and performs no DNS look-up.
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Problem } from '../base/problem.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

interface Rule {
  text: string
  block?: [Address, number]
  host?: string
  port?: number
}

export type AddressPermission = 'public' | { rule: string }

export interface AddressPolicy {
  /** Throws `refused_address` for a host that can be refused without DNS: a literal address or a loopback name. */
  checkHost(hostname: string, port: number): void
  /** Throws `refused_address` unless every resolved address is allowed for this host and port. */
  checkAnswers(hostname: string, port: number, addresses: readonly string[]): AddressPermission
  /** Whether the operator's list has the host itself, by name or as a literal address. */
  isListed(hostname: string, port: number): boolean
}

const V4_REFUSED = [
  '0.0.0.0/8', // "this network"
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16',
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map((text) => ipaddr.IPv4.parseCIDR(text))

// Only 2000::/3 is globally routable. The blocks below are exceptions: reserved, or they embed another address.
const V6_GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
const V6_REFUSED = [
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarking
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address inside, and deprecated
  '3fff::/20', // documentation
].map((text) => ipaddr.IPv6.parseCIDR(text))
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

export function makeAddressPolicy(
  allowPrivate: readonly string[],
  ownPorts: ReadonlySet<number> = new Set(),
): AddressPolicy {
  const rules = allowPrivate
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(readRule)

  function ruleFor(host: string, port: number, address: Address | undefined): Rule | undefined {
    return rules.find((rule) => {
      if (rule.port !== undefined && rule.port !== port) return false
      if (rule.host !== undefined) return rule.host === host
      return address !== undefined && rule.block !== undefined && inside(address, rule.block)
    })
  }

  const isOurs = (address: Address, port: number): boolean => ownPorts.has(port) && isThisMachine(address)

  function checkHost(hostname: string, port: number): void {
    const host = normalizeHostname(hostname)
    const address = parseAddress(host)
    if (address !== undefined) {
      if (isOurs(address, port)) throw makeRefusedProblem()
      if (!isPublic(address) && ruleFor(host, port, address) === undefined) throw makeRefusedProblem()
    } else if ((host === 'localhost' || host.endsWith('.localhost')) && ruleFor(host, port, undefined) === undefined) {
      throw makeRefusedProblem()
    }
  }

  function checkAnswers(hostname: string, port: number, addresses: readonly string[]): AddressPermission {
    const host = normalizeHostname(hostname)
    let permit: AddressPermission = 'public'
    for (const text of addresses) {
      const address = parseAddress(text)
      if (address === undefined || isOurs(address, port)) throw makeRefusedProblem()
      if (isPublic(address)) continue
      const rule = ruleFor(host, port, address)
      if (rule === undefined) throw makeRefusedProblem()
      permit = { rule: rule.text }
    }
    return permit
  }

  const isListed = (hostname: string, port: number): boolean => {
    const host = normalizeHostname(hostname)
    return ruleFor(host, port, parseAddress(host)) !== undefined
  }

  return { checkHost, checkAnswers, isListed }
}

export function normalizeHostname(hostname: string): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return (bare.endsWith('.') ? bare.slice(0, -1) : bare).toLowerCase()
}

/** Normalises an address for the check: IPv4 embedded in IPv6 (mapped or public NAT64) becomes IPv4. */
function parseAddress(text: string): Address | undefined {
  const bare = text.split('%', 1)[0]!
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  if (!ipaddr.IPv6.isValid(bare)) return undefined
  const address = ipaddr.IPv6.parse(bare)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  // Behind DNS64 every IPv4-only site has such an address, so NAT64 itself cannot be refused.
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12))
  return address
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return !V4_REFUSED.some((block) => address.match(block))
  return address.match(V6_GLOBAL) && !V6_REFUSED.some((block) => address.match(block))
}

const LOOPBACK = ['127.0.0.0/8', '0.0.0.0/8'].map((text) => ipaddr.IPv4.parseCIDR(text))

function isThisMachine(address: Address): boolean {
  if (address instanceof ipaddr.IPv4 && LOOPBACK.some((block) => address.match(block))) return true
  if (address instanceof ipaddr.IPv6 && ['loopback', 'unspecified'].includes(address.range())) return true
  const text = address.toString()
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((one) => parseAddress(one.address)?.toString() === text),
  )
}

function inside(address: Address, block: [Address, number]): boolean {
  return address.kind() === block[0].kind() && address.match(block[0], block[1])
}

function readRule(text: string): Rule {
  const block = readBlock(text)
  if (block !== undefined) return { text, block }
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]/]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const name = bracketed ?? plain
  if (name === undefined || (port !== undefined && Number(port) > 65_535)) throw badRule(text)
  const ports = port === undefined ? {} : { port: Number(port) }
  const literal = readBlock(name)
  if (literal !== undefined) return { text, block: literal, ...ports }
  const host = normalizeHostname(name)
  if (bracketed !== undefined || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) throw badRule(text)
  return { text, host, ...ports }
}

function readBlock(text: string): [Address, number] | undefined {
  const slash = text.lastIndexOf('/')
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash))
  if (address === undefined) return undefined
  const whole = address instanceof ipaddr.IPv4 ? 32 : 128
  if (slash < 0) return [address, whole]
  const bits = text.slice(slash + 1)
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > whole) throw badRule(text)
  return [address, Number(bits)]
}

// The error omits the resolved address: it would let a caller map the internal network.
function makeRefusedProblem(): Problem {
  return new Problem('refused_address')
}

function badRule(text: string): Problem {
  return new Problem('internal', {
    instead: `ORB_ALLOW_PRIVATE: "${text}" is not a host, address, block (10.0.0.0/8), host:port or [v6]:port`,
  })
}
