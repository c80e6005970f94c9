// Parses one upload through the scrape pipeline, with the file in place of a visit.

import { Problem } from '../../base/problem.ts'
import { type Capture, makeFileUrl, makeUploadCapture } from '../../base/visit-and-capture-types.ts'
import type { ScrapedPage } from '../../scrape/scrape.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import { makeScrapePlan, type ScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import { withCreditReservation } from '../../teams/charge-credits.ts'
import { workInSlot } from '../../teams/concurrency-slots.ts'
import type { RouteCall, Services } from '../route.ts'
import { resolveZeroRetention } from '../start-job.ts'
import { fileKindOf, unsupportedFileMessage } from './file-kinds.ts'

export const MAX_FILE_BYTES = 50 * 1024 * 1024

export type UploadedFile = { blobId: string; filename: string; contentType: string }

/** The last path segment in one line, never a path. */
export const sanitizeFileName = (filename: string): string =>
  (filename.replaceAll('\\', '/').split('/').at(-1) ?? '')
    .replace(/[\0-\x1f\x7f]/g, '')
    .trim()
    .slice(0, 512) || 'upload'

export async function parseFile(
  services: Services,
  file: UploadedFile,
  body: ScrapeBody,
  call: RouteCall,
): Promise<ScrapedPage> {
  const { store, clock, maker, admission, scraper } = services
  const { caller } = call
  // The body is a form, so its options were not available to the activity log earlier.
  if (body.auditMetadata) call.note({ username: body.auditMetadata.username })
  const withImages = body.parsers.some(({ type }) => type === 'image')
  const kind = fileKindOf(file.filename, file.contentType)
  if (!kind || (kind.kind === 'image' && !withImages))
    throw new Problem('unsupported_upload', { instead: unsupportedFileMessage(withImages) })
  const zeroDataRetention = resolveZeroRetention(body.zeroDataRetention, caller.zeroDataRetention, body)
  const plan = withoutCache(makeScrapePlan({ ...body, zeroDataRetention }, maker))
  return workInSlot(admission, caller, plan, call.signal, async (signal, queue) => {
    const id = newId(clock.now())
    const upload = { capture: await captureOf(services, file, kind.contentTypes[0]!), name: file.filename }
    const { teamId, keyId } = caller
    return withCreditReservation(store, caller, { id, endpoint: 'parse', credits: plan.credits }, async (charge) => {
      const work = { id, teamId, keyId, body, plan, baseUrl: call.baseUrl, queue, upload }
      const scraped = await scraper.scrape(work, signal)
      await store.transaction(async (tx) => {
        if (scraped.record) await store.pages.record(tx, scraped.record)
        await charge.settle(scraped.credits, tx)
      })
      call.note({ jobId: id, engine: scraped.source, ...(plan.keep ? { target: file.filename } : {}) })
      return scraped
    })
  })
}

const withoutCache = (plan: ScrapePlan): ScrapePlan => ({
  ...plan,
  storeInCache: false,
  visit: { ...plan.visit, cache: { ...plan.visit.cache, read: false } },
})

async function captureOf({ store, clock }: Services, file: UploadedFile, contentType: string): Promise<Capture> {
  const body = await store.blobs.read(file.blobId)
  if (!body)
    throw new Problem('bad_request', { instead: 'Uploaded file is not available. Upload the file before parsing.' })
  return makeUploadCapture({ url: makeFileUrl(file.filename), contentType, body, fetchedAt: clock.now() })
}
