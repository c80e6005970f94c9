// Renders one page of an uploaded PDF, for the dashboard's block overlay. It is free but waits for a slot.

import { deadline } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { PagePicture } from '../../scrape/workshop/digest.ts'
import type { Call } from '../route.ts'
import type { HandlerServices } from './needs.ts'
import type { StoredFile } from './parse-file.ts'
import type { PageQuery } from './schema.ts'

const TIMEOUT_MS = 30_000

export async function pagePicture(
  { store, admission, drawPage }: HandlerServices,
  { blobId }: StoredFile,
  { page, dpi }: PageQuery,
  { caller, signal: client }: Call,
): Promise<PagePicture> {
  const { signal, clear } = deadline(TIMEOUT_MS, client)
  try {
    const slot = await admission.admit(caller, { timeoutMs: TIMEOUT_MS }, signal)
    try {
      const bytes = await store.blobs.read(blobId)
      if (!bytes) throw new Problem('bad_request', { instead: 'The uploaded file is gone. Upload it again.' })
      return await drawPage({ bytes, page, dpi }, TIMEOUT_MS, signal)
    } finally {
      slot.release()
    }
  } finally {
    clear()
  }
}
