// The seccomp filter of both sandboxes as BPF bytecode. It blocks access to other processes, namespaces, keys and
// modules, and memory that is charged to no process.
import table from './seccomp-calls.json' with { type: 'json' }

/** `loopback`: Unix and IP sockets, for a sandbox with its own network namespace. `none`: no sockets. */
export type SocketAccess = 'loopback' | 'none'

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number]

const ARCHITECTURES = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
} as const
export type Architecture = keyof typeof ARCHITECTURES

const CALLS = {
  socket: [41, 198],
  connect: [42, 203],
  socketpair: [53, 199],
  clone: [56, 220],
  clone3: [435, 435],
  mmap: [9, 222],
} as const

const [LOAD, EQUAL, ANY_BIT, GREATER, AT_LEAST, AND, RETURN] = [0x20, 0x15, 0x45, 0x25, 0x35, 0x54, 0x06]
const [ALLOW, KILL, REFUSE, MISSING] = [0x7fff0000, 0x80000000, 0x0005000d, 0x00050026]
/** Offsets in `struct seccomp_data`: call number, architecture, then six arguments of eight bytes. */
const [NUMBER, ARCHITECTURE, ARGUMENTS] = [0, 4, 16]
const X32_BIT = 0x40000000
const NEW_NAMESPACES = 0x7e020080
const SHARED_ANONYMOUS = 0x21
const HUGE_PAGES = 0x40000
const SOCKET_TYPE = 0xf
const STREAM = 1
const FAMILIES = { unix: 1, inet: 2, inet6: 10 }

export const isSeccompArchitecture = (architecture: string): architecture is Architecture =>
  architecture in ARCHITECTURES

export function makeSeccompFilter(architecture: Architecture, sockets: SocketAccess): Buffer {
  const { audit, column } = ARCHITECTURES[architecture]
  const refused = Object.values(table.refused as Record<string, (number | null)[]>).flatMap((row) => row[column] ?? [])
  const argument = (at: number): Instruction => [LOAD, 0, 0, ARGUMENTS + 8 * at]
  const answer = (value: number): Instruction => [RETURN, 0, 0, value]
  const isCall = (name: keyof typeof CALLS, body: Instruction[]): Instruction[] => [
    [EQUAL, 0, body.length, CALLS[name][column]],
    ...body,
  ]
  const refuseCall = (number: number): Instruction[] => [[EQUAL, 0, 1, number], answer(REFUSE)]
  return packInstructions([
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUAL, 1, 0, audit],
    answer(KILL),
    [LOAD, 0, 0, NUMBER],
    ...(architecture === 'x64' ? ([[AT_LEAST, 0, 1, X32_BIT], answer(KILL)] satisfies Instruction[]) : []),
    // Calls newer than the table: programs fall back to older ones.
    [GREATER, 0, 1, table.newest],
    answer(MISSING),
    ...refused.flatMap(refuseCall),
    // clone3 passes its flags in memory, which a filter cannot read; libraries fall back to clone.
    ...isCall('clone3', [answer(MISSING)]),
    ...isCall('clone', [argument(0), [ANY_BIT, 0, 1, NEW_NAMESPACES], answer(REFUSE), answer(ALLOW)]),
    // Shared anonymous pages survive MADV_DONTNEED without counting as resident memory.
    ...isCall('mmap', [
      argument(3),
      [ANY_BIT, 2, 0, HUGE_PAGES],
      [AND, 0, 0, SHARED_ANONYMOUS],
      [EQUAL, 0, 1, SHARED_ANONYMOUS],
      answer(REFUSE),
      answer(ALLOW),
    ]),
    ...(sockets === 'loopback'
      ? isCall('socket', [
          argument(0),
          [EQUAL, 3, 0, FAMILIES.unix],
          [EQUAL, 2, 0, FAMILIES.inet],
          [EQUAL, 1, 0, FAMILIES.inet6],
          answer(REFUSE),
          answer(ALLOW),
        ])
      : [
          ...refuseCall(CALLS.socket[column]),
          ...refuseCall(CALLS.connect[column]),
          // Datagram sockets could address any peer; a stream pair stays connected.
          ...isCall('socketpair', [
            argument(1),
            [AND, 0, 0, SOCKET_TYPE],
            [EQUAL, 1, 0, STREAM],
            answer(REFUSE),
            answer(ALLOW),
          ]),
        ]),
    answer(ALLOW),
  ])
}

function packInstructions(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [at, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(ifTrue, at * 8 + 2)
    bytes.writeUInt8(ifFalse, at * 8 + 3)
    bytes.writeUInt32LE(value, at * 8 + 4)
  }
  return bytes
}
