// Turns files that the pages of a session handed out into markdown, at the price of their pages.
import { asProblem, Problem } from '../../base/problem.ts'
import { makeFileUrl, makeUploadCapture } from '../../base/visit-and-capture-types.ts'
import { DEFAULT_TIMEOUT_MS, scrapeBody } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import { newId } from '../../store/id.ts'
import { withCreditReservation } from '../../teams/charge-credits.ts'
import { workInSlot } from '../../teams/concurrency-slots.ts'
import type { RouteCall } from '../route.ts'
import type { HandlerServices } from './own-services.ts'
import type { SessionDownload } from './session-downloads.ts'

/** Of each file its markdown, or a warning that says why there is none. */
export async function parseDownloads(
  services: HandlerServices,
  files: readonly SessionDownload[],
  call: RouteCall,
): Promise<{ markdown?: string; warning?: string }[]> {
  const parsed = []
  // One after another: a call has one place in the queue of its team.
  for (const file of files)
    parsed.push(
      await markdownOf(services, file, call).then(
        (markdown) => ({ markdown }),
        (error: unknown) => {
          if (call.signal.aborted) throw error
          return { warning: `The download "${file.name.slice(0, 200)}" could not be read: ${asProblem(error).message}` }
        },
      ),
    )
  return parsed
}

async function markdownOf(
  { store, clock, maker, admission, scraper }: HandlerServices,
  file: SessionDownload,
  call: RouteCall,
): Promise<string> {
  const { caller } = call
  const options = scrapeBody.parse({ url: 'https://download.invalid/', formats: ['markdown'], storeInCache: false })
  const body = { ...options, url: file.name, maxAge: 0, zeroDataRetention: true }
  const plan = makeScrapePlan(body, maker)
  return workInSlot(admission, caller, { timeoutMs: DEFAULT_TIMEOUT_MS }, call.signal, async (signal, queue) => {
    const id = newId(clock.now())
    const bytes = file.blobId === undefined ? dataOf(file) : await store.blobs.read(file.blobId)
    if (!bytes) throw new Problem('not_found')
    const { name, contentType } = file
    const capture = makeUploadCapture({ url: makeFileUrl(name), contentType, body: bytes, fetchedAt: clock.now() })
    const who = { id, teamId: caller.teamId, keyId: caller.keyId, baseUrl: call.baseUrl }
    return withCreditReservation(store, caller, { id, endpoint: 'parse', credits: plan.credits }, async (charge) => {
      const scraped = await scraper.scrape({ ...who, body, plan, queue, upload: { capture, name } }, signal)
      await store.transaction((tx) => charge.settle(scraped.credits, tx))
      const { markdown } = scraped.document()
      return typeof markdown === 'string' ? markdown : ''
    })
  })
}

const dataOf = ({ data = '' }: SessionDownload): Uint8Array => Buffer.from(data.slice(data.indexOf(',') + 1), 'base64')
