// Types of the JSON responses that a page fetches: what to record, and the record as the browser made it.

export interface NetworkOptions {
  /** URL patterns, in which `*` stands for any characters; empty: all. */
  urls: readonly string[]
  limit: number
  maxBytes: number
}

export interface RecordedResponse {
  url: string
  method: string
  status: number
  contentType: string
  startedMs: number
  durationMs: number
  bytes: number
  /** The request body, as it was sent. */
  request?: string
  /** Absent when the response was too large or is gone. */
  text?: string
}

export interface NetworkRecord {
  responses: RecordedResponse[]
  /** Matching responses beyond `limit`. */
  left: number
  /** Values of cookies and authorisation headers, which must not leave with the texts. */
  secrets: string[]
}
