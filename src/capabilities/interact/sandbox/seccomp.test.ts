import { describe, expect, it } from 'vitest'
import { type Architecture, makeSeccompFilter, type SocketAccess } from './seccomp.ts'
import table from './seccomp-calls.json' with { type: 'json' }

const ALLOW = 0x7fff0000
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 }

/** What the kernel would answer: the few instructions of its filter language that are used. */
function decide(filter: Buffer, architecture: number, call: number, args: number[] = []): number {
  const words = [call, architecture, 0, 0, ...Array.from({ length: 6 }, (_, at) => [args[at] ?? 0, 0]).flat()]
  let value = 0
  for (let at = 0; at < filter.length; at += 8) {
    const code = filter.readUInt16LE(at)
    const operand = filter.readUInt32LE(at + 4)
    if (code === 0x06) return operand
    if (code === 0x20) value = words[operand / 4] as number
    else if (code === 0x54) value = (value & operand) >>> 0
    else {
      const isTrue =
        code === 0x15
          ? value === operand
          : code === 0x25
            ? value > operand
            : code === 0x35
              ? value >= operand
              : (value & operand) !== 0
      at += 8 * filter.readUInt8(at + (isTrue ? 2 : 3))
    }
  }
  throw new Error('no answer')
}

describe.each([
  ['x64', { socket: 41, connect: 42, socketpair: 53, clone: 56, mmap: 9, read: 0, execve: 59 }],
  ['arm64', { socket: 198, connect: 203, socketpair: 199, clone: 220, mmap: 222, read: 63, execve: 221 }],
] as const)('the filter for %s', (architecture: Architecture, calls) => {
  const allows = (sockets: SocketAccess, call: number, ...args: number[]) =>
    decide(makeSeccompFilter(architecture, sockets), AUDIT[architecture], call, args) === ALLOW

  it.each(['loopback', 'none'] as const)('refuses every call of the table and newer ones (sockets: %s)', (sockets) => {
    const column = architecture === 'x64' ? 0 : 1
    for (const [name, row] of Object.entries(table.refused as Record<string, (number | null)[]>))
      if (typeof row[column] === 'number') expect(allows(sockets, row[column]), name).toBe(false)
    expect(allows(sockets, table.newest + 1)).toBe(false)
    for (const call of [calls.read, calls.execve]) expect(allows(sockets, call)).toBe(true)
    expect(decide(makeSeccompFilter(architecture, sockets), 0x40000003, calls.read)).toBe(0x80000000)
  })

  it('refuses namespaces and memory that nobody is charged for, not threads and heaps', () => {
    expect(allows('loopback', calls.clone, 0x3d0f00)).toBe(true)
    expect(allows('loopback', calls.clone, 0x10000011)).toBe(false)
    const mmap = (flags: number) => allows('loopback', calls.mmap, 0, 4096, 3, flags)
    expect([mmap(0x22), mmap(0x01), mmap(0x21), mmap(0x23), mmap(0x40022)]).toEqual([true, true, false, false, false])
  })

  it('lets only Unix and IP sockets through, or none', () => {
    const families = { unix: 1, inet: 2, inet6: 10, netlink: 16, packet: 17, bluetooth: 31, alg: 38, vsock: 40 }
    const open = (sockets: SocketAccess) =>
      Object.entries(families).flatMap(([name, family]) => (allows(sockets, calls.socket, family, 1) ? [name] : []))
    expect(open('loopback')).toEqual(['unix', 'inet', 'inet6'])
    expect(open('none')).toEqual([])
    const pair = (sockets: SocketAccess, type: number) => allows(sockets, calls.socketpair, 1, type | 0x80000)
    expect([pair('none', 1), pair('none', 2), pair('loopback', 2)]).toEqual([true, false, true])
    expect(allows('none', calls.connect)).toBe(false)
  })
})
