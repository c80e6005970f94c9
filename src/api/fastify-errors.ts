// What the errors of Fastify mean, by their codes; those of its multipart parser have only texts.
import { Problem } from '../base/problem.ts'

export function problemOfFastifyError(error: {
  code?: string
  statusCode?: number
  message?: string
}): Problem | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', {
        because: 'a JSON body may have at most 10 MiB, and 16 KiB where no key is required',
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('wrong_media_type', { because: 'send a JSON body with `Content-Type: application/json`' })
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
    case 'FST_PARTS_LIMIT':
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return new Problem('bad_request', { because: 'the multipart body is malformed or has too many parts' })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('bad_request', { because: 'the length of the body differs from its Content-Length' })
    case 'FST_ERR_BAD_URL':
      return new Problem('bad_request', { because: 'the path is not valid' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ROUTE_MAX_PARAM_LENGTH':
      return new Problem('too_long')
    case 'ECONNRESET':
      return new Problem('cancelled')
    default:
      return /[Mm]ultipart|Unexpected end of (form|multipart)|Malformed part header/.test(error.message ?? '')
        ? new Problem('bad_request', { because: 'the multipart body is malformed or ends too early' })
        : undefined
  }
}
