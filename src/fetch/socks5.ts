// SOCKS5 (RFC 1928) with a password (RFC 1929), to an address that was checked before: the proxy resolves no names.
import type net from 'node:net'
import { ProxyError } from './map-network-errors.ts'
import type { HostAddress } from './resolve-host.ts'

const VERSION = 5
const [NO_LOGIN, PASSWORD] = [0, 2]
const CONNECT = 1
const [IPV4, NAME, IPV6] = [1, 3, 4]
const ADDRESS_BYTES: ReadonlyMap<number, number> = new Map([
  [IPV4, 4],
  [IPV6, 16],
])
const MAX_REPLY_BYTES = 16_384

export const isSocksProxy = ({ protocol }: URL): boolean => protocol === 'socks5:' || protocol === 'socks5h:'

export async function connectThroughSocks5(
  socket: net.Socket,
  proxy: URL,
  { address, family }: HostAddress,
  port: number,
  patience: AbortSignal,
): Promise<void> {
  const login = proxy.username === '' ? undefined : [proxy.username, proxy.password].map(lengthAndBytes)
  const method = login ? PASSWORD : NO_LOGIN
  const [, chosen] = await exchangeWithProxy(socket, Buffer.from([VERSION, 1, method]), () => 2, patience)
  if (chosen !== method) throw new ProxyError('the proxy refuses the login', { resting: true })
  if (login) {
    const [, status] = await exchangeWithProxy(socket, Buffer.concat([Buffer.from([1]), ...login]), () => 2, patience)
    if (status !== 0) throw new ProxyError('the proxy refuses the login', { resting: true })
  }
  const target = family === 6 ? [IPV6, ...ipv6Bytes(address)] : [IPV4, ...address.split('.').map(Number)]
  const request = Buffer.from([VERSION, CONNECT, 0, ...target, port >> 8, port & 0xff])
  const [, status] = await exchangeWithProxy(socket, request, replyLength, patience)
  if (status !== 0) throw new ProxyError(`the proxy returned ${status}`, { resting: false })
}

function lengthAndBytes(encoded: string): Buffer {
  const bytes = Buffer.from(decodeURIComponent(encoded)).subarray(0, 255)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

/** Version, status, reserved, kind of address, address, port. */
function replyLength(head: Buffer): number | undefined {
  const [, status, , kind = 0, nameLength = 0] = head
  if (status !== undefined && status !== 0) return 2
  if (head.length < 5) return undefined
  return 4 + (kind === NAME ? 1 + nameLength : (ADDRESS_BYTES.get(kind) ?? 0)) + 2
}

function ipv6Bytes(address: string): number[] {
  // The parser of URLs writes embedded IPv4 addresses as groups.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]/`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const groups = [...before, ...new Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
}

/** Sends a message and reads the reply, whose length `lengthOf` knows once enough has arrived. */
export function exchangeWithProxy(
  socket: net.Socket,
  message: Buffer | string,
  lengthOf: (head: Buffer) => number | undefined,
  patience: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const stopAndFinish = (finish: () => void) => {
      patience.removeEventListener('abort', failLate)
      socket.off('data', read).off('error', fail).off('close', failClosed)
      finish()
    }
    const fail = (error: Error) => stopAndFinish(() => reject(error))
    const failLate = () => fail(new Error('the proxy did not respond'))
    const failClosed = () => fail(new Error('the proxy hung up'))
    const read = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      const length = lengthOf(head)
      if (length === undefined || head.length < length) {
        if (head.length > MAX_REPLY_BYTES) fail(new Error('the answer of the proxy does not end'))
        return
      }
      socket.pause()
      stopAndFinish(() => resolve(head.subarray(0, length)))
      if (head.length > length) socket.unshift(head.subarray(length))
    }
    socket.on('data', read).on('error', fail).on('close', failClosed)
    patience.addEventListener('abort', failLate, { once: true })
    socket.resume()
    socket.write(message)
  })
}
