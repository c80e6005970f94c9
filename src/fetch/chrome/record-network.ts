// Records the JSON responses that the scripts of a page fetch. A body is read from the browser only if it will be returned.
import { withinTime } from '../../base/deadline.ts'
import type { NetworkOptions, NetworkRecord, RecordedResponse } from '../../base/network-responses.ts'
import type { CdpSession } from './cdp-pipe.ts'

const FETCHED = new Set(['XHR', 'Fetch'])
const JSON_TYPE = /[/+]json|graphql|ndjson/i
/** Shorter values of cookies are settings, such as a language. */
const MIN_SECRET_CHARS = 16
const MAX_SECRETS = 100
const MAX_REQUEST_CHARS = 65_536
const MAX_OPEN = 500
const BODY_MS = 3000

/** Response bodies that the browser keeps; the oldest go first. */
export const NETWORK_BUFFERS = { maxTotalBufferSize: 8 * 1024 * 1024, maxResourceBufferSize: 4 * 1024 * 1024 }

interface OpenRequest {
  record: RecordedResponse
  startedAt: number
  isJson: boolean
}

export interface NetworkRecorder {
  /** Records the requests of a session, also of a worker's. */
  watch(session: CdpSession): void
  end(): Promise<NetworkRecord>
}

export function makeNetworkRecorder({ urls, limit, maxBytes }: NetworkOptions): NetworkRecorder {
  const responses: RecordedResponse[] = []
  const bodies = new Set<Promise<void>>()
  const secrets = new Set<string>()
  let [left, bytesLeft, firstAt, hasEnded] = [0, maxBytes, 0, false]
  const hide = (value: string) => {
    if (value.length >= MIN_SECRET_CHARS && secrets.size < MAX_SECRETS) secrets.add(value)
  }
  const watch = (session: CdpSession) => {
    const open = new Map<string, OpenRequest>()
    session.on('Network.requestWillBeSentExtraInfo', ({ associatedCookies, headers }) => {
      for (const { cookie } of associatedCookies.slice(0, MAX_SECRETS)) hide(cookie.value)
      hideAuthorization(headers, hide)
    })
    session.on('Network.requestWillBeSent', ({ requestId, type, request, timestamp }) => {
      firstAt ||= timestamp
      hideAuthorization(request.headers, hide)
      if (!FETCHED.has(type ?? '') || open.size >= MAX_OPEN || hasEnded) return
      if (urls.length > 0 && !urls.some((pattern) => matchesWildcards(pattern, request.url))) return
      const { url, method, postData } = request
      const sent = postData !== undefined && postData.length <= MAX_REQUEST_CHARS ? { request: postData } : {}
      const startedMs = Math.round((timestamp - firstAt) * 1000)
      const record = { url, method, status: 0, contentType: '', startedMs, durationMs: 0, bytes: 0, ...sent }
      open.set(requestId, { record, startedAt: timestamp, isJson: false })
    })
    session.on('Network.responseReceived', ({ requestId, response: { status, mimeType } }) => {
      const request = open.get(requestId)
      if (!request) return
      request.isJson = JSON_TYPE.test(mimeType)
      Object.assign(request.record, { status, contentType: mimeType })
      if (!request.isJson) open.delete(requestId)
    })
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const request = open.get(requestId)
      if (request) request.record.bytes += dataLength
    })
    session.on('Network.loadingFailed', ({ requestId }) => void open.delete(requestId))
    session.on('Network.loadingFinished', ({ requestId, timestamp }) => {
      const request = open.get(requestId)
      open.delete(requestId)
      if (!request?.isJson || hasEnded) return
      if (responses.length >= limit) {
        left += 1
        return
      }
      const { record, startedAt } = request
      record.durationMs = Math.round((timestamp - startedAt) * 1000)
      responses.push(record)
      if (record.bytes > Math.min(bytesLeft, NETWORK_BUFFERS.maxResourceBufferSize)) return
      bytesLeft -= record.bytes
      // At once, because the next document discards it.
      const body = session
        .send('Network.getResponseBody', { requestId })
        .then(({ body: text, base64Encoded }) => {
          record.text = base64Encoded ? Buffer.from(text, 'base64').toString() : text
        })
        .catch(() => {})
        .finally(() => bodies.delete(body))
      bodies.add(body)
    })
  }
  return {
    watch,
    async end() {
      hasEnded = true
      await withinTime(BODY_MS, Promise.all(bodies))
      return { responses, left, secrets: [...secrets] }
    },
  }
}

function hideAuthorization(headers: Record<string, string>, hide: (value: string) => void): void {
  for (const [name, value] of Object.entries(headers))
    if (/authorization|token|api-?key|secret/i.test(name)) hide(value.replace(/^\w+\s+/, ''))
}

/** Linear in the text for each `*`. */
function matchesWildcards(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const last = parts.pop()!
  if (parts.length === 0) return text === last
  const first = parts.shift()!
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
