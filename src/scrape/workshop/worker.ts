// What a worker thread runs: the digest, under the name by which the workshop calls it. Its large parts are handed over,
// not copied.
import { Piscina } from 'piscina'
import { type DigestReply, type DigestRequest, digest as makeDigest } from './digest.ts'

export function digest(request: DigestRequest): unknown {
  const reply = makeDigest(request)
  return Piscina.move({
    [Piscina.transferableSymbol]: transferables(reply),
    [Piscina.valueSymbol]: reply,
  } as never)
}

const transferables = (reply: DigestReply): ArrayBufferLike[] =>
  'digest' in reply ? Object.values(reply.digest.materials).map(({ buffer }) => buffer) : []
