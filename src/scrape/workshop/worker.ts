// Entry point of the worker threads, exported by task name. Large buffers are transferred, not copied.
import { Piscina } from 'piscina'
import { lowerThreadPriority, type Rank } from '../../base/priority.ts'
import { comparePages, type PackedWatchReply, type PackedWatchRequest } from './check-watched-page.ts'
import { type CompareReply, type CompareRequest, compareTexts } from './compare-versions.ts'
import { type DigestReply, type DigestRequest, digest as makeDigest } from './digest.ts'
import { type RedactRequest, redactFields } from './redactions.ts'

lowerThreadPriority(Piscina.workerData as Rank)

export async function digest(request: DigestRequest): Promise<unknown> {
  const reply = await makeDigest(request)
  return Piscina.move({
    [Piscina.transferableSymbol]: transferables(reply),
    [Piscina.valueSymbol]: reply,
  } as never)
}

const transferables = (reply: DigestReply): ArrayBufferLike[] =>
  'digest' in reply ? Object.values(reply.digest.materials).map(({ buffer }) => buffer) : []

export const compare = (request: CompareRequest): CompareReply => compareTexts(request)

export const watch = (request: PackedWatchRequest): PackedWatchReply => comparePages(request)

export const redact = (request: RedactRequest): Promise<Record<string, Uint8Array>> => redactFields(request)
