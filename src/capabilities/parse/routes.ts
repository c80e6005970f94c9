// The HTTP routes of parse: an upload in the request, or a reference to an earlier one.

import { HOUR_MS } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import { requestedFormats } from '../../teams/key-restrictions.ts'
import { defineCapability } from '../capability.ts'
import {
  type BodyPart,
  defineRoute,
  makeSerializedReply,
  ReadyReply,
  type RouteCall,
  type RouteInput,
  type Services,
} from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { listParseFormats } from './file-kinds.ts'
import { MAX_FILE_BYTES, parseFile, sanitizeFileName, type UploadedFile } from './parse-file.ts'
import { renderUploadedPdfPage } from './render-uploaded-pdf-page.ts'
import {
  formatsReply,
  pagePictureQuery,
  parseBody,
  parseOptionsJson,
  parseReply,
  parseUploadOptions,
  uploadQuery,
  uploadUrlBody,
  uploadUrlReply,
} from './schema.ts'
import { uploadStore } from './store/index.ts'
import { signUploadRef, type UploadClaim, verifyUploadRef } from './upload-ref.ts'

const MISSING = "Missing file upload. Send multipart/form-data with a 'file' field and optional 'options' JSON string."
const MISSING_REF = "Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'."
const TOO_LARGE = 'Uploaded file exceeds maximum size of 50MB.'
const EMPTY = 'Uploaded file must not be empty.'
const NOT_THERE = 'Upload URL not found or expired.'
/** Lifetime of files that stay unparsed after the service was stopped. */
const UNPARSED_FILE_LIFE_MS = HOUR_MS

const makeBadRequest = (instead: string): Problem => new Problem('bad_request', { instead })

const postParse = defineRoute({
  method: 'POST',
  path: '/v2/parse',
  activity: 'parse',
  summary: 'Parse a file',
  bucket: 'scrape',
  // Options are read with the file; the handler calls `call.assertFormats`.
  formats: requestedFormats,
  body: parseBody,
  reply: parseReply,
  takes: 'multipart',
  maxFileBytes: MAX_FILE_BYTES,
  async handle(services, input, call) {
    const { file, options } = input.parts
      ? await fromParts(services, input.parts, call)
      : await fromReference(services, input.body, call)
    try {
      const { json, warning } = await parseFile(services, file, optionsOf(options, file.filename, call), call)
      return makeSerializedReply(json, warning ? `,"warning":${JSON.stringify(warning)}}` : '}')
    } finally {
      await services.store.blobs.remove(file.blobId)
    }
  },
})

function optionsOf(options: Record<string, unknown>, filename: string, call: RouteCall): ScrapeBody {
  const read = parseUploadOptions(options, filename)
  call.assertFormats(read)
  return read
}

type Received = { file: UploadedFile; options: Record<string, unknown> }

/** Parts arrive in any order; the file is streamed to disk. */
async function fromParts(services: Services, parts: AsyncIterable<BodyPart>, call: RouteCall): Promise<Received> {
  let file: UploadedFile | undefined
  let text: string | undefined
  try {
    for await (const part of parts) {
      if ('text' in part) {
        if (part.name === 'options') text = part.text
        else if (part.name === 'file') throw makeBadRequest(MISSING)
      } else if (part.name === 'options') throw makeBadRequest("The 'options' field must be a JSON string.")
      else if (part.name === 'file' && !file) file = await receiveUpload(services, part, call)
    }
    if (!file) throw makeBadRequest(MISSING)
    return { file, options: parseOptionsJson(text) }
  } catch (error) {
    if (file) await services.store.blobs.remove(file.blobId)
    throw error
  }
}

async function receiveUpload(
  { store, clock }: Services,
  part: Extract<BodyPart, { filename: string }>,
  { caller }: RouteCall,
): Promise<UploadedFile> {
  const { contentType } = part
  const { id, bytes } = await store.blobs.put(part.stream, {
    contentType,
    teamId: caller.teamId,
    expiresAt: clock.now() + UNPARSED_FILE_LIFE_MS,
    local: true,
  })
  if (part.isCut() || bytes === 0) {
    await store.blobs.remove(id)
    throw makeBadRequest(bytes === 0 ? EMPTY : TOO_LARGE)
  }
  return { blobId: id, filename: sanitizeFileName(part.filename), contentType }
}

async function fromReference(
  services: Services,
  body: RouteInput<{ uploadRef?: string }, unknown>['body'],
  call: RouteCall,
): Promise<Received> {
  const { uploadRef, ...options } = body
  if (uploadRef === undefined) throw makeBadRequest(MISSING_REF)
  const { store, clock } = services
  const claim = verifyUploadRef(uploadRef, await secretOf(services), clock.now())
  if (claim.team !== call.caller.teamId)
    throw new Problem('forbidden', { instead: 'uploadRef does not belong to the authenticated team.' })
  const upload = await uploadStore(store).find(claim.id)
  const missing = 'Uploaded file is not available. Upload the file before parsing.'
  if (!upload?.blobId) throw makeBadRequest(missing)
  // Options are checked before the upload is consumed, so that a caller can correct them and retry.
  optionsOf(options, upload.filename, call)
  if (!(await uploadStore(store).take(claim.id))) throw makeBadRequest(missing)
  return { file: { blobId: upload.blobId, filename: upload.filename, contentType: upload.contentType }, options }
}

const secretOf = async ({ store }: Services): Promise<string> => {
  const secret = await store.settings.get('signing_secret')
  if (!secret) throw new Problem('internal', { because: 'no signing secret' })
  return secret
}

const postUploadUrl = defineRoute({
  method: 'POST',
  path: '/v2/parse/upload-url',
  summary: 'Request an upload URL for a file to parse later',
  bucket: 'scrape',
  body: uploadUrlBody,
  example: { filename: 'report.pdf' },
  reply: uploadUrlReply,
  async handle(services, { body }, { caller, baseUrl }) {
    const filename = sanitizeFileName(body.filename)
    const contentType = body.contentType ?? 'application/octet-stream'
    const upload = await uploadStore(services.store).announce({ teamId: caller.teamId, filename, contentType })
    const claim: UploadClaim = { id: upload.id, team: caller.teamId, exp: upload.expiresAt }
    const uploadRef = signUploadRef(claim, await secretOf(services))
    return {
      success: true,
      data: {
        uploadUrl: `${baseUrl}/v2/parse/upload/${upload.id}?uploadRef=${encodeURIComponent(uploadRef)}`,
        uploadRef,
        method: 'PUT',
        headers: { 'Content-Type': contentType },
        expiresAt: new Date(upload.expiresAt).toISOString(),
        maxSizeBytes: MAX_FILE_BYTES,
      },
    }
  },
})

const putUpload = defineRoute({
  method: 'PUT',
  path: '/v2/parse/upload/:uploadId',
  right: 'none',
  summary: 'Upload an announced file',
  takes: 'raw',
  maxFileBytes: MAX_FILE_BYTES,
  query: uploadQuery,
  reply: successReply(),
  async handle(services, { params, query, raw }) {
    const { store, clock } = services
    const claim = verifyUploadRef(query.uploadRef, await secretOf(services), clock.now())
    const upload = claim.id === params.uploadId ? await uploadStore(store).find(claim.id) : undefined
    if (!upload || upload.blobId) throw new Problem('not_found', { instead: NOT_THERE })
    if (!raw) throw makeBadRequest(EMPTY)
    const blob = {
      contentType: upload.contentType,
      teamId: upload.teamId,
      expiresAt: upload.expiresAt + UNPARSED_FILE_LIFE_MS,
      maxBytes: MAX_FILE_BYTES,
    }
    const stored = await store.blobs.put(raw, blob).catch((error: unknown) => {
      throw error instanceof Problem && error.kind === 'too_large'
        ? new Problem('too_large', { instead: TOO_LARGE })
        : error
    })
    const isMine = stored.bytes > 0 && (await uploadStore(store).fill(upload.id, stored.id))
    if (!isMine) {
      await store.blobs.remove(stored.id)
      throw stored.bytes === 0 ? makeBadRequest(EMPTY) : new Problem('not_found', { instead: NOT_THERE })
    }
    return { success: true }
  },
})

const getFormats = defineRoute({
  method: 'GET',
  path: '/v2/parse/formats',
  summary: 'Supported file types',
  reply: formatsReply,
  async handle() {
    const body = JSON.stringify({ success: true, data: { formats: listParseFormats() } })
    return new ReadyReply(body, 'application/json; charset=utf-8', { 'cache-control': 'private, max-age=3600' })
  },
})

const postPage = defineRoute({
  method: 'POST',
  path: '/v2/parse/page',
  command: null,
  summary: 'A page of a PDF as an image',
  bucket: 'scrape',
  formats: () => ['screenshot'],
  takes: 'multipart',
  maxFileBytes: MAX_FILE_BYTES,
  query: pagePictureQuery,
  serves: ['image/png'],
  async handle(services, { parts, query }, call) {
    if (!parts) throw makeBadRequest(MISSING)
    const { file } = await fromParts(services, parts, call)
    try {
      const { png, totalPages } = await renderUploadedPdfPage(services, file, query, call)
      return new ReadyReply(Buffer.from(png), 'image/png', { 'x-total-pages': String(totalPages) })
    } finally {
      await services.store.blobs.remove(file.blobId)
    }
  },
})

export const parseCapability = defineCapability({
  name: 'parse',
  tag: 'Parse',
  right: 'use',
  cliGroup: 'Get pages',
  mcp: {
    parse: {
      use: 'Read a file or document (PDF, Word, Excel, image, HTML) to markdown with its tables.',
      not: 'web pages (scrape)',
      example: { url: 'https://example.com/paper.pdf' },
      inputs: {
        formats: { type: 'array', items: {}, description: 'As in scrape' },
        parsers: { type: 'array', items: {}, description: '[{"type":"pdf","mode":"fast|auto|ocr","maxPages":10}]' },
      },
    },
  },
  storage: uploadStore,
  group: 'parse',
  routes: [postParse, postPage, postUploadUrl, putUpload, getFormats],
})
