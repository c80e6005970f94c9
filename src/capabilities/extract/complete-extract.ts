// Completes an extraction: merges the pages' data, stores the result and queues the webhook in one transaction.

import { Problem } from '../../base/problem.ts'
import type { WorkMessageHandler } from '../../jobs/work-queue.ts'
import { sumModelUsage, type TokenUsage } from '../../llm/llm.ts'
import type { Store } from '../../store/index.ts'
import type { Job } from '../../store/jobs.ts'
import type { Services } from '../route.ts'
import { type ExtractedPage, mergeExtractedPages } from './merge-pages.ts'
import { MAX_EXTRACT_PAGES } from './schema.ts'
import type { CompletedExtract, StoredExtract } from './start-extract.ts'

type CompleteParts = Pick<Services, 'store' | 'jobService'>

export function makeExtractCompletion({ store, jobService }: CompleteParts): WorkMessageHandler {
  return async (jobId) => {
    const job = await store.jobs.get(jobId)
    if (job?.kind !== 'extract' || !isIdle(job)) return
    const result = await gather(store, job)
    const error = result ? '' : await whyNothing(store, jobId)
    await store.transaction(async (tx) => {
      await store.frontier.lockTeam(tx, job.teamId)
      const held = await store.jobs.hold(tx, jobId)
      if (!held || !isIdle(held)) return
      if (!result) return jobService.finish(tx, jobId, 'failed', { error })
      const settings: StoredExtract = { ...(JSON.parse(held.settings) as StoredExtract), result }
      await store.jobs.change(tx, jobId, { settings })
      await jobService.finish(tx, jobId, 'completed', { dataText: replyOf(held, settings, result) })
    })
    jobService.forget(jobId)
    jobService.news(jobId)
  }
}

const isIdle = ({ state, queued, active, discovering }: Job): boolean =>
  state === 'scraping' && queued === 0 && active === 0 && !discovering

async function gather(store: Store, { id, teamId, completed }: Job): Promise<CompletedExtract | undefined> {
  if (completed === 0) return undefined
  const texts = await store.frontier.texts(id, 1, Math.min(completed, MAX_EXTRACT_PAGES))
  const answers: ExtractedPage[] = []
  const warnings = new Set<string>()
  const usages: (TokenUsage | undefined)[] = []
  for (const { body, overlay } of texts) {
    const document = JSON.parse(Buffer.from(body).toString()) as { json?: unknown; warning?: string }
    const { sourceURL = '', scrapeId = '' } = JSON.parse(overlay) as { sourceURL?: string; scrapeId?: string }
    if (document.warning) warnings.add(document.warning)
    if (document.json === null || document.json === undefined) continue
    answers.push({ url: sourceURL, json: document.json })
    usages.push(usageIn((await store.pages.getScrape(teamId, scrapeId))?.explain))
  }
  if (answers.length === 0) return undefined
  const { data, sources, warnings: unlike } = mergeExtractedPages(answers)
  const { inputTokens = 0, outputTokens = 0, cost } = sumModelUsage(usages) ?? {}
  const spent = { tokens: inputTokens + outputTokens, ...(cost === undefined ? {} : { cost }) }
  return { data, sources, warnings: [...warnings, ...unlike], ...spent }
}

function usageIn(explain: unknown): TokenUsage | undefined {
  const { steps = [] } = (explain ?? {}) as { steps?: Partial<TokenUsage>[] }
  return sumModelUsage(steps)
}

async function whyNothing(store: Store, jobId: string): Promise<string> {
  const [trouble] = await store.frontier.troubles(jobId, 1)
  if (trouble?.problem) return `No page could be read. ${trouble.url}: ${Problem.revive(trouble.problem).message}`
  return 'No page could be read.'
}

function replyOf(job: Job, { showSources }: StoredExtract, { data, sources, tokens }: CompletedExtract): string {
  return JSON.stringify({
    success: true,
    data,
    extractId: job.id,
    ...(tokens > 0 ? { llmUsage: tokens } : {}),
    totalUrlsScraped: job.completed,
    ...(showSources ? { sources } : {}),
  })
}
