// What the formats need, made once: the digest of the page by the workshop, or the file itself where it is not to be
// opened.
import { Json } from '../base/json.ts'
import type { Capture } from '../base/page.ts'
import type { Materials } from './formats/format.ts'
import type { Plan } from './plan.ts'
import type { Digest, DigestedMaterials } from './workshop/digest.ts'
import type { Workshop } from './workshop/workshop.ts'

export interface Prepared {
  have: Partial<Materials>
  digest: Digest
}

export async function prepare(
  capture: Capture,
  plan: Plan,
  workshop: Workshop,
  signal: AbortSignal,
): Promise<Prepared> {
  if (isPdf(capture.body) && !plan.parsers.includes('pdf')) return unopened(capture)
  const digest = await workshop.digest(
    {
      bytes: capture.body,
      contentType: capture.headers['content-type'],
      url: capture.url,
      choices: plan.choices,
      needs: plan.needs,
      reads: plan.formats.flatMap(({ format, options }) => (format.read ? [options] : [])),
    },
    signal,
  )
  return { have: revived(digest.materials), digest }
}

const revived = (materials: DigestedMaterials): Partial<Materials> =>
  Object.fromEntries(Object.entries(materials).map(([need, bytes]) => [need, new Json(bytes)]))

const isPdf = (body: Uint8Array): boolean =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(5, body.byteLength)).equals(PDF_HEAD)
const PDF_HEAD = Buffer.from('%PDF-')

/** With `parsers: []` a PDF is not read: every text of it is the file in Base64. */
function unopened({ body }: Capture): Prepared {
  const base64 = Json.of(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'))
  const none = Json.of<string[]>([])
  const have = { base64, markdown: base64, html: base64, rawHtml: base64, links: none, images: none }
  const digest = {
    kind: 'file',
    charset: '',
    metadata: {},
    materials: {},
    reads: {},
    failures: {},
    cuts: [],
    warnings: [],
    ms: 0,
  }
  return { have, digest }
}
