// The standard `fetch` over the egress, for a client library of a service that a caller named.
import type { Egress } from '../../fetch/egress.ts'

const MAX_REPLY_BYTES = 1024 * 1024

export const fetchThrough =
  (send: Egress['fetch'], signal: AbortSignal): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const bytes = new Uint8Array(await request.arrayBuffer())
    const { status, headers, body } = await send(
      {
        ...{ url: request.url, method: request.method, headers: Object.fromEntries(request.headers) },
        ...(bytes.byteLength > 0 ? { body: bytes } : {}),
        ...{ skipTlsVerification: false, proxy: 'basic', maxRedirects: 0, maxBytes: MAX_REPLY_BYTES },
      },
      AbortSignal.any([signal, request.signal]),
    )
    return new Response(body.byteLength > 0 ? Buffer.from(body) : null, { status, headers })
  }
