// Multipart and raw file bodies, as streams.
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyPart, Route } from '../capabilities/route.ts'

const MAX_FIELD_BYTES = 1024 * 1024
const MAX_PARTS = 10

export const isMultipart = (request: FastifyRequest): boolean =>
  /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')

export async function registerFileBodyParser(scope: FastifyInstance, { takes, maxFileBytes }: Route): Promise<void> {
  if (takes === 'multipart')
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: maxFileBytes, fieldSize: MAX_FIELD_BYTES, files: 1, fields: MAX_PARTS, parts: MAX_PARTS },
    })
  if (takes === 'raw') {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request: unknown, payload: unknown, done: (error: null, body: unknown) => void) =>
      done(null, payload),
    )
  }
}

export function fileBodyOf(
  request: FastifyRequest,
  { takes }: Route,
): { parts?: AsyncIterable<BodyPart>; raw?: Readable & { contentType?: string } } {
  if (takes === 'multipart' && isMultipart(request)) return { parts: partsOf(request) }
  if (takes !== 'raw') return {}
  const contentType = request.headers['content-type']
  const body = (request.body ?? request.raw) as Readable
  return { raw: contentType ? Object.assign(body, { contentType }) : body }
}

async function* partsOf(request: FastifyRequest): AsyncGenerator<BodyPart> {
  for await (const part of request.parts()) {
    if (part.type === 'field')
      yield { name: part.fieldname, text: typeof part.value === 'string' ? part.value : String(part.value ?? '') }
    else {
      const { fieldname: name, filename, mimetype: contentType, file } = part
      yield { name, filename: filename ?? '', contentType, stream: file, isCut: () => file.truncated }
      // Drain an unread file, or the next part never arrives.
      file.resume()
    }
  }
}
