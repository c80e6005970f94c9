// Entry point of the thread that builds segments, exported by task name.
import { Piscina } from 'piscina'
import { type BuildReply, type BuildRequest, buildSegments, type MergeRequest, merge as mergeAll } from './build.ts'

export function build(request: BuildRequest): unknown {
  const reply: BuildReply = buildSegments(request)
  return moved(reply, reply.segments)
}

export function merge(request: MergeRequest): unknown {
  const reply = mergeAll(request)
  return moved(reply, [reply])
}

/** Large buffers are transferred, not copied. */
const moved = (reply: object, parts: readonly { bytes: Uint8Array }[]): unknown =>
  Piscina.move({
    [Piscina.transferableSymbol]: parts.map(({ bytes }) => bytes.buffer),
    [Piscina.valueSymbol]: reply,
  } as never)
