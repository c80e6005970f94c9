// Turns screenshots and PDFs into links valid for a day; with zero data retention they are inlined in the response.
import { createHash } from 'node:crypto'
import type { ActionResults, DownloadedFile, FlowRun } from '../base/browser-action-types.ts'
import { type Clock, DAY_MS } from '../base/clock.ts'
import type { Capture } from '../base/visit-and-capture-types.ts'
import type { Blobs } from '../store/blobs.ts'

export const CAPTURE_FILE_LIFE_MS = DAY_MS

interface PictureParts {
  blobs: Pick<Blobs, 'put' | 'sign'>
  clock: Clock
}

interface PictureOwner {
  teamId: string
  baseUrl: string
  keep: boolean
  lifeMs?: number | undefined
}

interface Pictures {
  screenshot: string | null
  actions: object | undefined
  downloads: DownloadWithLink[] | undefined
}

export async function makeCaptureFileLinks(
  parts: PictureParts,
  owner: PictureOwner,
  capture: Capture,
): Promise<Pictures> {
  const link = async (file: File) => (await linkTo(parts, owner, file)).url
  return {
    screenshot: capture.screenshot ? await link(capture.screenshot) : null,
    actions: capture.actions ? await actionFields(capture.actions, link) : undefined,
    downloads: capture.actions && (await keptDownloads(parts, owner, capture.actions.downloads)),
  }
}

async function actionFields(results: ActionResults, link: (file: File) => Promise<string>): Promise<object> {
  const { scrapes, javascriptReturns } = results
  const screenshots: string[] = []
  for (const shot of results.screenshots) screenshots.push(await link(shot))
  const pdfs: string[] = []
  for (const shot of results.pdfs) pdfs.push(await link(shot))
  const flows: object[] = []
  for (const run of results.flows) flows.push(await flowFields(run, link))
  return { screenshots, scrapes, javascriptReturns, pdfs, ...(flows.length > 0 ? { flows } : {}) }
}

async function flowFields(run: FlowRun, link: (file: File) => Promise<string>): Promise<object> {
  const steps: object[] = []
  for (const { picture, ...step } of run.steps)
    steps.push({ ...step, ...(picture ? { picture: await link(picture) } : {}) })
  const downloads: object[] = []
  for (const { name, bytes } of run.downloads)
    downloads.push({
      name,
      bytes: bytes.byteLength,
      url: await link({ bytes, contentType: 'application/octet-stream' }),
    })
  const { name, version, data, healed, warning } = run
  return { name, version, data, steps, downloads, ...(healed ? { healed } : {}), ...(warning ? { warning } : {}) }
}

export interface DownloadWithLink {
  id: string
  name: string
  contentType: string
  bytes: number
  sha256: string
  url: string
}

async function keptDownloads(
  parts: PictureParts,
  owner: PictureOwner,
  files: readonly DownloadedFile[],
): Promise<DownloadWithLink[]> {
  const kept: DownloadWithLink[] = []
  for (const { name, contentType, bytes } of files) {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const { id = sha256, url } = await linkTo(parts, owner, { bytes, contentType })
    kept.push({ id, name, contentType, bytes: bytes.byteLength, sha256, url })
  }
  return kept
}

interface File {
  bytes: Uint8Array
  contentType: string
}

async function linkTo(
  { blobs, clock }: PictureParts,
  owner: PictureOwner,
  { bytes, contentType }: File,
): Promise<{ id?: string; url: string }> {
  if (!owner.keep) {
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    return { url: `data:${contentType};base64,${base64}` }
  }
  const expiresAt = clock.now() + (owner.lifeMs ?? CAPTURE_FILE_LIFE_MS)
  const { id } = await blobs.put(bytes, { contentType, teamId: owner.teamId, expiresAt })
  return { id, url: `${owner.baseUrl}/v2/media/${blobs.sign(id, expiresAt)}` }
}
