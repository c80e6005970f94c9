// A real DNS server over UDP with answers that tests write: changing ones, mixed ones, slow ones, none.
import dgram from 'node:dgram'
import { once } from 'node:events'
import dnsPacket from 'dns-packet'

export interface DnsReply {
  a?: readonly string[]
  aaaa?: readonly string[]
  ttl?: number
  /** Milliseconds before the answer leaves. */
  slowMs?: number
  /** Never answer. */
  silent?: boolean
}

/** By name: one reply for all questions, or one for each question for an A record in turn, the last one staying. */
export type DnsAnswers = Readonly<Record<string, DnsReply | readonly DnsReply[]>>

export interface DnsServer {
  /** `127.0.0.1:port`, as ORB_DNS_SERVERS wants it. */
  address: string
  questions(name: string): number
  close(): Promise<void>
}

const NXDOMAIN = 3

export async function startDns({ answers }: { answers: DnsAnswers }): Promise<DnsServer> {
  const asked = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()
  const socket = dgram.createSocket('udp4')

  function replyFor(name: string, type: string): DnsReply | undefined {
    const scripted = answers[name]
    const turn = asked.get(name) ?? 0
    if (type === 'A') asked.set(name, turn + 1)
    if (!isScript(scripted)) return scripted
    // The A and AAAA questions of one look-up see the same turn; A comes first.
    const at = type === 'A' ? turn : Math.max(0, turn - 1)
    return scripted[Math.min(at, scripted.length - 1)]
  }

  socket.on('message', (message, { port, address }) => {
    const query = dnsPacket.decode(message)
    const question = query.questions?.[0]
    if (question === undefined) return
    const name = question.name.toLowerCase()
    const reply = replyFor(name, question.type)
    if (reply?.silent) return
    const { a = [], aaaa = [], ttl = 0, slowMs = 0 } = reply ?? {}
    const records = question.type === 'A' ? a : question.type === 'AAAA' ? aaaa : []
    const packet = dnsPacket.encode({
      type: 'response',
      id: query.id ?? 0,
      flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | (reply === undefined ? NXDOMAIN : 0),
      questions: [question],
      answers: records.map((data) => ({ type: question.type as 'A' | 'AAAA', name: question.name, ttl, data })),
    })
    const timer = setTimeout(() => {
      timers.delete(timer)
      socket.send(packet, port, address)
    }, slowMs)
    timers.add(timer)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  // A test waits for its own requests; the server alone keeps no process alive.
  socket.unref()
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions: (name) => asked.get(name) ?? 0,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer)
        socket.close(() => resolve())
      }),
  }
}

const isScript = (reply: DnsReply | readonly DnsReply[] | undefined): reply is readonly DnsReply[] =>
  Array.isArray(reply)
