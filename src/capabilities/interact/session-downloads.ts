// Files that the pages of a session hand out: read in the page, stored for a day, and returned with the next call.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, DAY_MS } from '../../base/clock.ts'
import { fetchUrlInPage, HAS_SECRET } from '../../fetch/chrome/collect-page-downloads.ts'
import type { LiveSession } from '../../fetch/chrome/live/live-session.ts'
import type { Store } from '../../store/index.ts'

const MAX_WAITING = 20
/** For reading a file inside the page, whose scripts may run without end. */
const READ_TIMEOUT_MS = 15_000
const LIFE_MS = DAY_MS

export interface SessionDownload {
  /** Of the stored file; absent with zero data retention, where `data` has it. */
  blobId?: string
  data?: string
  name: string
  contentType: string
  bytes: number
  sha256: string
  expiresAt: number
}

export type SessionDownloads = ReturnType<typeof openSessionDownloads>

export function openSessionDownloads(
  { store, clock }: { store: Store; clock: Clock },
  live: LiveSession,
  teamId: string,
) {
  const waiting: Promise<SessionDownload | string>[] = []
  live.context.onDownload((method, params) => {
    if (method !== 'Browser.downloadWillBegin' || waiting.length === MAX_WAITING) return
    const { url, suggestedFilename: name } = params as { url: string; suggestedFilename: string }
    const formatFailure = (error: Error) =>
      `"${name.slice(0, 200)}" could not be kept: ${error.message.split('\n', 1)[0]}`
    waiting.push(Promise.race([keepDownload(url, name), tooLate()]).catch(formatFailure))
  })
  const keepDownload = async (url: string, name: string): Promise<SessionDownload> => {
    const { bytes: found, contentType } = await fetchUrlInPage(await pageFor(live, url), url)
    const bytes = live.guard.masker.file(found, contentType)
    if (!bytes) throw new Error(HAS_SECRET)
    const facts = {
      ...{ name, contentType, bytes: bytes.byteLength, expiresAt: clock.now() + LIFE_MS },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
    const team = await store.teams.get(teamId)
    if (team?.zeroDataRetention === 'forced')
      return { ...facts, data: `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}` }
    const { id } = await store.blobs.put(bytes, { contentType, teamId, expiresAt: facts.expiresAt })
    return { ...facts, blobId: id }
  }
  return {
    /** The files since the last call, and why others could not be stored. One that takes longer comes with the next call. */
    async take(limitMs: number) {
      const late = new AbortController()
      const done: (SessionDownload | string)[] = []
      const isLate = sleep(limitMs, undefined, { signal: late.signal }).catch(() => undefined)
      for (const one of [...waiting]) {
        const file = await Promise.race([one, isLate])
        if (file === undefined) break
        done.push(file)
        waiting.splice(waiting.indexOf(one), 1)
      }
      late.abort()
      return {
        files: done.filter((one) => typeof one !== 'string'),
        failures: done.filter((one) => typeof one === 'string'),
      }
    },
  }
}

const tooLate = (): Promise<never> =>
  new Promise(
    (_, reject) => void setTimeout(() => reject(new Error('the page did not respond')), READ_TIMEOUT_MS).unref(),
  )

/** An open page of the file's origin, since CORS lets it read the file; else the first page. */
async function pageFor(live: LiveSession, url: string) {
  const first = await live.page()
  const { origin } = new URL(url)
  return (
    first
      .context()
      .pages()
      .find((page) => page.url().startsWith(origin)) ?? first
  )
}
