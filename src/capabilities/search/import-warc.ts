// Imports the pages of a WARC file into the team's index: each is read like an upload, under its own URL and date.

import { z } from 'zod'
import { HOUR_MS } from '../../base/clock.ts'
import { startDeadline } from '../../base/deadline.ts'
import { asProblem, Problem } from '../../base/problem.ts'
import { makeUploadCapture } from '../../base/visit-and-capture-types.ts'
import { type ArchivedPage, readWarcPages } from '../../content/read-warc.ts'
import { scrapeBody } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import { withCreditReservation } from '../../teams/charge-credits.ts'
import type { RouteCall } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { resolveZeroRetention } from '../start-job.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'

const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_REPORTED = 20
const MISSING = 'Send multipart/form-data with a WARC file in the field `file`.'

const importReply = successReply({
  data: z.object({
    pages: z.int().describe('Pages that a search now finds.'),
    skipped: z.int().describe('Pages that could not be read.'),
    errors: z.array(z.object({ url: z.string(), error: z.string() })).describe(`The first ${MAX_REPORTED} of these.`),
    creditsUsed: z.int(),
  }),
  warning: z.string().optional(),
})
type Imported = z.output<typeof importReply>['data']

export const importWarc = defineRoute({
  method: 'POST',
  path: '/v2/search/import',
  summary: 'Import the pages of a WARC file into the index',
  bucket: 'crawl',
  body: z.looseObject({}).describe('Multipart with a `file`: WARC 1.0 or 1.1, also as `.warc.gz`, at most 256 MB.'),
  reply: importReply,
  takes: 'multipart',
  maxFileBytes: MAX_FILE_BYTES,
  async handle(services, { parts }, call) {
    if (resolveZeroRetention(false, call.caller.zeroDataRetention, undefined))
      throw new Problem('forbidden', { because: 'this team keeps no pages, so there is no index to import them into' })
    for await (const part of parts ?? []) {
      if (!('stream' in part)) continue
      const data: Imported = { pages: 0, skipped: 0, errors: [], creditsUsed: 0 }
      let warning: string | undefined
      try {
        for await (const page of readWarcPages(part.stream)) await importPage(services, page, call, data)
      } catch (error) {
        const broken =
          error instanceof Problem ? error : new Problem('bad_request', { because: (error as Error).message })
        if (data.pages === 0 || call.signal.aborted) throw broken
        warning = part.isCut()
          ? 'The file is larger than 256 MB; split it, and import the rest.'
          : `The import ended early: ${broken.message}`
      }
      return { success: true, data, ...(warning ? { warning } : {}) }
    }
    throw new Problem('bad_request', { instead: MISSING })
  },
})

async function importPage(
  { store, clock, maker, admission, scraper }: HandlerServices,
  { url, at, contentType, body: bytes }: ArchivedPage,
  { caller, baseUrl, signal }: RouteCall,
  data: Imported,
): Promise<void> {
  const id = newId(clock.now())
  const body = scrapeBody.parse({ url, formats: ['markdown'], storeInCache: false })
  const plan = makeScrapePlan(body, maker)
  const upload = { capture: makeUploadCapture({ url, contentType, body: bytes, fetchedAt: at }), name: url }
  const slot = await admission.admit(caller, { timeoutMs: HOUR_MS }, signal)
  // After the wait for a slot, which does not count as time of the page.
  const limit = startDeadline(plan.timeoutMs, signal)
  try {
    const work = { id, teamId: caller.teamId, keyId: caller.keyId, body, plan, baseUrl, queue: slot, upload }
    await withCreditReservation(store, caller, { id, endpoint: 'parse', credits: plan.credits }, async (charge) => {
      const { record, credits } = await limit.during(() => scraper.scrape(work, limit.signal))
      await store.transaction(async (tx) => {
        if (record) await store.pages.record(tx, record)
        await charge.settle(credits, tx)
      })
      data.pages++
      data.creditsUsed += credits
    })
  } catch (error) {
    const { message, row } = asProblem(error)
    // Without credits, or when the caller has left, further pages fail as well.
    if (signal.aborted || row.status === 402) throw error
    data.skipped++
    if (data.errors.length < MAX_REPORTED) data.errors.push({ url, error: message })
  } finally {
    limit.clear()
    slot.release()
  }
}
