// Keeps the files that a page hands out while actions run. The browser is not allowed to write files, so each is fetched
// again: from the web through egress with the cookies of the page, from a `blob:` in the page itself.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Download, Page, Request } from 'playwright-core'
import type { DownloadedFile } from '../../base/browser-action-types.ts'
import type { Capture } from '../../base/visit-and-capture-types.ts'
import { makeFetchFileScript } from './page-scripts.ts'
import { netErrorOf } from './playwright-errors.ts'

const MAX_FILES = 20
export const MAX_DOWNLOAD_BYTES = 50 * 1024 * 1024
export const HAS_SECRET = 'it contains a value of the vault'
const TOO_LARGE = 'it is larger than 50 MB'
/** For the first bytes of what opens in a window of its own, which may be a file. */
const WINDOW_MS = 10_000
/** A download is announced after its request has ended: as aborted, since the window does not show it. */
const ANNOUNCED_MS = { aborted: 5000, ended: 250 }

/** Runs in every document: pages often revoke a `blob:` as soon as its download has begun. */
export const DELAY_BLOB_REVOKE_SCRIPT = `;(() => {
  const revoke = URL.revokeObjectURL
  URL.revokeObjectURL = (url) => void setTimeout(() => revoke.call(URL, url), 10000)
})();`

type FetchedFile = Pick<Capture, 'body' | 'status' | 'truncated' | 'headers'>

interface DownloadOptions {
  /** False: files are announced by a warning and not fetched. */
  keep: boolean
  fetch(url: string): Promise<FetchedFile>
  /** Undefined for a file that must not leave. */
  mask(bytes: Uint8Array, contentType: string): Uint8Array | undefined
  warn(warning: string): void
}

export function collectDownloads(page: Page, options: DownloadOptions): { end(): Promise<DownloadedFile[]> } {
  const files: Promise<DownloadedFile | undefined>[] = []
  const names: string[] = []
  const windows = new Set<Request>()
  const onDownload = (download: Download) => {
    for (const request of windows) if (request.url() === download.url()) windows.delete(request)
    names.push(download.suggestedFilename())
    if (!options.keep || files.length === MAX_FILES) return
    files.push(fileOf(page, download, options))
  }
  const onPage = (popup: Page) => void popup.on('download', onDownload)
  const context = page.context()
  const onRequest = (request: Request) => void (isOfNewWindow(request, page) && windows.add(request))
  const onEnd = (request: Request) => {
    const wasAborted = netErrorOf(request.failure()?.errorText)?.code === 'ERR_ABORTED'
    setTimeout(() => windows.delete(request), ANNOUNCED_MS[wasAborted ? 'aborted' : 'ended']).unref()
  }
  page.on('download', onDownload)
  context.on('page', onPage)
  context.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd)
  return {
    async end() {
      for (const ends = performance.now() + WINDOW_MS; windows.size > 0 && performance.now() < ends; ) await sleep(50)
      page.off('download', onDownload)
      context.off('page', onPage)
      context.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd)
      if (names.length > files.length) {
        const left = names.slice(files.length).join(', ').slice(0, 300)
        const why = options.keep ? `at most ${MAX_FILES} are kept` : '`downloads: {}` keeps such files'
        options.warn(`The page offered ${names.length - files.length} more files than were stored (${left}): ${why}.`)
      }
      return (await Promise.all(files)).filter((file) => file !== undefined)
    },
  }
}

function isOfNewWindow(request: Request, page: Page): boolean {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame().page() !== page
  } catch {
    // Its window has not been announced yet.
    return true
  }
}

async function fileOf(page: Page, download: Download, options: DownloadOptions): Promise<DownloadedFile | undefined> {
  const [name, url] = [download.suggestedFilename(), download.url()]
  try {
    const { bytes: found, contentType } = await contentOf(page, url, options)
    const bytes = options.mask(found, contentType)
    if (!bytes) throw new Error(HAS_SECRET)
    return { name, from: url.slice(0, MAX_FROM), bytes, contentType }
  } catch (error) {
    options.warn(
      `The download "${name.slice(0, 200)}" could not be kept: ${(error as Error).message.split('\n', 1)[0]}.`,
    )
    return undefined
  }
}

const MAX_FROM = 2000

async function contentOf(
  page: Page,
  url: string,
  { fetch }: DownloadOptions,
): Promise<Pick<DownloadedFile, 'bytes' | 'contentType'>> {
  if (/^https?:/.test(url)) {
    const { status, truncated, headers, body } = await fetch(url)
    if (status >= 400) throw new Error(`the site returned ${status}`)
    if (truncated) throw new Error(TOO_LARGE)
    return { bytes: body, contentType: headers['content-type'] ?? UNKNOWN }
  }
  return fetchUrlInPage(page, url)
}

/** Fetches inside the page, with its cookies; fails where CORS forbids the page to read the file. */
export async function fetchUrlInPage(page: Page, url: string): Promise<Pick<DownloadedFile, 'bytes' | 'contentType'>> {
  const data = url.startsWith('data:')
    ? url
    : await page.evaluate<string>(makeFetchFileScript(url, MAX_DOWNLOAD_BYTES, TOO_LARGE))
  const [, contentType, base64, content = ''] = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(data) ?? []
  const bytes = base64 ? Buffer.from(content, 'base64') : Buffer.from(decodeURIComponent(content))
  if (bytes.byteLength > MAX_DOWNLOAD_BYTES) throw new Error(TOO_LARGE)
  return { bytes, contentType: contentType || UNKNOWN }
}

const UNKNOWN = 'application/octet-stream'
