// Files that the pages of a session hand out: read in the page, stored for a day, and returned with the next call.
import { createHash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { readInPage } from '../../fetch/chrome/downloads.ts'
import type { LiveSession } from '../../fetch/chrome/live/live-session.ts'
import type { Store } from '../../store/index.ts'

const MAX_WAITING = 20
/** A page whose script runs without end reads nothing. */
const READ_MS = 15_000
const LIFE_MS = 86_400_000

interface SessionFile {
  /** Of the stored file; absent with zero data retention, where `data` has it. */
  blobId?: string
  data?: string
  name: string
  contentType: string
  bytes: number
  sha256: string
  expiresAt: number
}

export interface SessionFiles {
  /** Those that arrived since the last call, and why others could not be kept. */
  take(): Promise<{ files: SessionFile[]; failures: string[] }>
}

export function openSessionFiles(
  { store, clock }: { store: Store; clock: Clock },
  live: LiveSession,
  teamId: string,
): SessionFiles {
  const waiting: Promise<SessionFile | string>[] = []
  live.context.onDownload((method, params) => {
    if (method !== 'Browser.downloadWillBegin' || waiting.length === MAX_WAITING) return
    const { url, suggestedFilename: name } = params as { url: string; suggestedFilename: string }
    const failed = (error: Error) => `"${name.slice(0, 200)}" could not be kept: ${error.message.split('\n', 1)[0]}`
    waiting.push(Promise.race([kept(url, name), tooLate()]).catch(failed))
  })
  const kept = async (url: string, name: string): Promise<SessionFile> => {
    const { bytes, contentType } = await readInPage(await pageFor(live, url), url)
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
    async take() {
      const done = await Promise.all(waiting.splice(0))
      return {
        files: done.filter((one) => typeof one !== 'string'),
        failures: done.filter((one) => typeof one === 'string'),
      }
    },
  }
}

const tooLate = (): Promise<never> =>
  new Promise((_, reject) => void setTimeout(() => reject(new Error('the page did not answer')), READ_MS).unref())

/** A page may read what its own origin has. */
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
