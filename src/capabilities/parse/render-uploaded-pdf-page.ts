// Renders one page of an uploaded PDF, for the dashboard's block overlay. It is free but waits for a slot.

import { Problem } from '../../base/problem.ts'
import type { RenderedPdfPage } from '../../scrape/workshop/digest-page.ts'
import { workInSlot } from '../../teams/concurrency-slots.ts'
import type { RouteCall, Services } from '../route.ts'
import type { UploadedFile } from './parse-file.ts'
import type { PagePictureQuery } from './schema.ts'

const TIMEOUT_MS = 30_000

export async function renderUploadedPdfPage(
  { store, admission, drawPage }: Services,
  { blobId }: UploadedFile,
  { page, dpi, bbox }: PagePictureQuery,
  { caller, signal: client }: RouteCall,
): Promise<RenderedPdfPage> {
  return workInSlot(admission, caller, { timeoutMs: TIMEOUT_MS }, client, async (signal) => {
    const bytes = await store.blobs.read(blobId)
    if (!bytes) throw new Problem('bad_request', { instead: 'The uploaded file is gone. Upload it again.' })
    const area = bbox?.split(',').map(Number) ?? []
    return drawPage({ bytes, page, dpi, area }, TIMEOUT_MS, signal)
  })
}
