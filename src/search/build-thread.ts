// Entry point of the thread that builds segments, exported by task name.
import { Piscina } from 'piscina'
import {
  type BuildSegmentsReply,
  type BuildSegmentsRequest,
  buildSegments,
  type MergeSegmentsRequest,
  mergeSegmentBytes as mergeAll,
} from './build-segments.ts'

export function build(request: BuildSegmentsRequest): unknown {
  const reply: BuildSegmentsReply = buildSegments(request)
  return moveParts(reply, reply.segments)
}

export function merge(request: MergeSegmentsRequest): unknown {
  const reply = mergeAll(request)
  return moveParts(reply, [reply])
}

/** Large buffers are transferred, not copied. */
const moveParts = (reply: object, parts: readonly { bytes: Uint8Array }[]): unknown =>
  Piscina.move({
    [Piscina.transferableSymbol]: parts.map(({ bytes }) => bytes.buffer),
    [Piscina.valueSymbol]: reply,
  } as never)
