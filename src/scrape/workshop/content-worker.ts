// Entry point of the worker threads, exported by task name. Large buffers are transferred, not copied.
import { Piscina } from 'piscina'
import { collectGarbage } from '../../base/collect-garbage.ts'
import { lowerThreadPriority, type PriorityRank } from '../../base/cpu-priority.ts'
import type { LearntProgram } from '../../understanding/learn/rank-ways.ts'
import { type CompareTextsReply, type CompareTextsRequest, compareTexts } from './compare-text-versions.ts'
import { type DigestReply, type DigestRequest, digestBytes as makeDigest } from './digest-page.ts'
import { evaluateWatchedPage, type WatchCheckReply, type WatchCheckRequest } from './evaluate-watched-page.ts'
import { type LearnRequest, learnFromPages } from './learn-from-pages.ts'
import { type RedactRequest, redactFields } from './redact-fields.ts'

lowerThreadPriority(Piscina.workerData as PriorityRank)

export async function digest(request: DigestRequest): Promise<unknown> {
  const reply = await makeDigest(request)
  return Piscina.move({
    [Piscina.transferableSymbol]: transferables(reply),
    [Piscina.valueSymbol]: reply,
  } as never)
}

const transferables = (reply: DigestReply): ArrayBufferLike[] =>
  'digest' in reply ? Object.values(reply.digest.materials).map(({ buffer }) => buffer) : []

export const collect = (): void => collectGarbage()

export const compare = (request: CompareTextsRequest): CompareTextsReply => compareTexts(request)

export const watch = (request: WatchCheckRequest): WatchCheckReply => evaluateWatchedPage(request)

export const learn = (request: LearnRequest): LearntProgram => learnFromPages(request)

export const redact = (request: RedactRequest): Promise<Record<string, Uint8Array>> => redactFields(request)
