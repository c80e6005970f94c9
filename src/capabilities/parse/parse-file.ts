// Parses one upload through the scrape pipeline, with the file in place of a visit.

import { deadline } from '../../base/clock.ts'
import type { Capture } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { ScrapeBody } from '../../scrape/options.ts'
import { planFor, type ScrapePlan } from '../../scrape/plan.ts'
import type { Scraped } from '../../scrape/scrape.ts'
import { newId } from '../../store/id.ts'
import { withCredits } from '../../teams/credits.ts'
import { zeroRetention } from '../job-start.ts'
import type { Call } from '../route.ts'
import { kindOf, unsupportedText } from './kinds.ts'
import type { HandlerServices } from './needs.ts'

export const MAX_FILE_BYTES = 50 * 1024 * 1024

export interface StoredFile {
  blobId: string
  filename: string
  contentType: string
}

/** The last path segment in one line, never a path. */
export const plainName = (filename: string): string =>
  (filename.replaceAll('\\', '/').split('/').at(-1) ?? '')
    .replace(/[\0-\x1f\x7f]/g, '')
    .trim()
    .slice(0, 512) || 'upload'

export async function parseFile(
  services: HandlerServices,
  file: StoredFile,
  body: ScrapeBody,
  call: Call,
): Promise<Scraped> {
  const { store, clock, maker, admission, scraper } = services
  const { caller } = call
  // The body is a form, so its options were not available to the activity log earlier.
  if (body.auditMetadata) call.note({ username: body.auditMetadata.username })
  const withImages = body.parsers.some(({ type }) => type === 'image')
  const kind = kindOf(file.filename, file.contentType)
  if (!kind || (kind.kind === 'image' && !withImages))
    throw new Problem('unsupported_upload', { instead: unsupportedText(withImages) })
  const zeroDataRetention = zeroRetention(body.zeroDataRetention, caller.zeroDataRetention, body)
  const plan = withoutCache(planFor({ ...body, zeroDataRetention }, maker))
  const { signal, clear, during } = deadline(plan.timeoutMs, call.signal)
  try {
    const slot = await admission.admit(caller, { timeoutMs: plan.timeoutMs }, signal)
    try {
      const id = newId(clock.now())
      const capture = await captureOf(services, file, kind.contentTypes[0]!)
      const work = {
        id,
        teamId: caller.teamId,
        keyId: caller.keyId,
        body,
        plan,
        baseUrl: call.baseUrl,
        queue: slot,
        upload: { capture, name: file.filename },
      }
      return await withCredits(store, caller, { id, endpoint: 'parse', credits: plan.credits }, async (charge) => {
        const scraped = await during(() => scraper.scrape(work, signal))
        await store.transaction(async (tx) => {
          if (scraped.record) await store.pages.record(tx, scraped.record)
          await charge.settle(scraped.credits, tx)
        })
        call.note({ jobId: id, engine: scraped.source, ...(plan.keep ? { target: file.filename } : {}) })
        return scraped
      })
    } finally {
      slot.release()
    }
  } finally {
    clear()
  }
}

const withoutCache = (plan: ScrapePlan): ScrapePlan => ({
  ...plan,
  storeInCache: false,
  visit: { ...plan.visit, cache: { ...plan.visit.cache, read: false } },
})

async function captureOf({ store, clock }: HandlerServices, file: StoredFile, contentType: string): Promise<Capture> {
  const body = await store.blobs.read(file.blobId)
  if (!body)
    throw new Problem('bad_request', { instead: 'Uploaded file is not available. Upload the file before parsing.' })
  return {
    engine: 'upload',
    url: `file:///${encodeURIComponent(file.filename)}`,
    status: 200,
    headers: { 'content-type': contentType },
    body,
    truncated: false,
    hops: [],
    proxyUsed: 'basic',
    timings: { totalMs: 0 },
    fetchedAt: clock.now(),
    warnings: [],
  }
}
