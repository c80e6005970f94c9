// The error table: HTTP status, code, whether a retry can help, and sentence. Only api/send-problem.ts turns a Problem
// into a response.

interface Row {
  readonly status: number
  readonly code?: string
  readonly retry: boolean
  readonly say: string
}

export const problems = {
  bad_request: { status: 400, code: 'BAD_REQUEST', retry: false, say: 'Bad Request' },
  invalid_json: { status: 400, code: 'BAD_REQUEST_INVALID_JSON', retry: false, say: 'Bad request, malformed JSON' },
  invalid_url: { status: 400, code: 'BAD_REQUEST', retry: false, say: 'Invalid URL' },
  invalid_job_id: {
    status: 400,
    code: 'BAD_REQUEST',
    retry: false,
    say: 'Invalid job ID format. Job ID must be a valid UUID.',
  },
  zdr_not_enabled: {
    status: 400,
    code: 'BAD_REQUEST',
    retry: false,
    say: 'Zero data retention is not enabled for this team',
  },
  keeps_nothing: {
    status: 400,
    code: 'SCRAPE_ZDR_VIOLATION_ERROR',
    retry: false,
    say: 'The formats `audio` and `video` are links to files that are kept for an hour, which zero data retention forbids',
  },
  actions_impossible: {
    status: 400,
    code: 'SCRAPE_ACTIONS_NOT_SUPPORTED',
    retry: false,
    say: 'Actions need a web page, and this URL is another kind of file',
  },
  thread_not_found: { status: 404, code: 'thread_not_found', retry: false, say: 'Thread not found' },
  thread_busy: { status: 409, code: 'thread_busy', retry: false, say: 'A run of this thread is still active' },
  thread_expired: { status: 410, code: 'thread_expired', retry: false, say: 'This thread has expired' },
  unauthorized: { status: 401, retry: false, say: 'Unauthorized: Invalid token' },
  no_credit: { status: 402, retry: false, say: 'Payment Required: Insufficient credits' },
  forbidden: { status: 403, retry: false, say: 'Forbidden' },
  refused_address: {
    status: 403,
    code: 'UNSUPPORTED_SITE',
    retry: false,
    say: 'This URL is not on the public web, so it is not visited. The operator can allow it with ORB_ALLOW_PRIVATE.',
  },
  prompt_injection: {
    status: 403,
    code: 'SCRAPE_PROMPT_INJECTION_DETECTED',
    retry: false,
    say: 'SCRAPE_PROMPT_INJECTION_DETECTED',
  },
  unsafe_domain: {
    status: 403,
    code: 'unsafe_domain_blocked',
    retry: false,
    say: 'Threat protection blocks this URL',
  },
  left_alone: {
    status: 403,
    code: 'SITE_LEFT_ALONE',
    retry: false,
    say: 'The operator does not visit this site, as its owner requested',
  },
  use_reserved: {
    status: 403,
    code: 'USE_RESERVED',
    retry: false,
    say: 'The owner of this page reserves the declared use',
  },
  media_denied: {
    status: 403,
    code: 'SCRAPE_MEDIA_ACCESS_DENIED',
    retry: false,
    say: 'The audio or video of this page is not public',
  },
  no_tool_catalogue: {
    status: 403,
    code: 'exchange_not_enabled',
    retry: false,
    say: 'The tool catalogue is not part of this service',
  },
  not_found: { status: 404, code: 'NOT_FOUND', retry: false, say: 'Not Found' },
  job_not_found: { status: 404, code: 'NOT_FOUND', retry: false, say: 'Job not found.' },
  session_not_found: { status: 404, code: 'NOT_FOUND', retry: false, say: 'Browser session not found.' },
  session_gone: { status: 410, code: 'SESSION_DESTROYED', retry: false, say: 'Browser session has been destroyed.' },
  flow_not_found: { status: 404, code: 'NOT_FOUND', retry: false, say: 'Flow not found.' },
  vault_not_found: { status: 404, code: 'NOT_FOUND', retry: false, say: 'Vault entry not found.' },
  flow_step_not_found: {
    status: 422,
    code: 'FLOW_STEP_NOT_FOUND',
    retry: false,
    say: 'The flow stopped: an element was not found',
  },
  flow_step_failed: {
    status: 422,
    code: 'FLOW_STEP_FAILED',
    retry: false,
    say: 'The flow stopped: a step could not be done',
  },
  no_replay: {
    status: 409,
    retry: false,
    say: 'Replay context is unavailable for this scrape job. Please rerun the scrape.',
  },
  profile_in_use: {
    status: 409,
    code: 'PROFILE_IN_USE',
    retry: true,
    say: 'Another session is currently writing to this profile.',
  },
  no_sandbox: {
    status: 503,
    code: 'NO_SANDBOX',
    retry: false,
    say: 'Code cannot be run safely on this machine',
  },
  session_failed: { status: 502, retry: true, say: 'Failed to execute code in browser session.' },
  prompt_failed: { status: 502, retry: true, say: 'Browser agent failed to execute the task.' },
  no_cached_data: {
    status: 404,
    code: 'SCRAPE_NO_CACHED_DATA',
    retry: false,
    say: 'No cached data is old enough for this request, and `minAge` forbids a fresh visit',
  },
  lockdown_miss: {
    status: 404,
    code: 'SCRAPE_LOCKDOWN_CACHE_MISS',
    retry: false,
    say: 'The cache does not have this page, and `lockdown` forbids visiting it',
  },
  lockdown_impossible: {
    status: 404,
    code: 'SCRAPE_LOCKDOWN_CACHE_MISS',
    retry: false,
    say: 'No cached page can satisfy this request, and `lockdown` forbids visiting it',
  },
  wrong_method: { status: 405, retry: false, say: 'Method Not Allowed' },
  timeout: { status: 408, code: 'SCRAPE_TIMEOUT', retry: true, say: 'Request Timeout' },
  pdf_time: {
    status: 408,
    code: 'SCRAPE_PDF_INSUFFICIENT_TIME_ERROR',
    retry: true,
    say: 'Request Timeout: the PDF takes longer to read than `timeout` allows',
  },
  queue_timeout: { status: 408, code: 'CONCURRENCY_QUEUE_TIMEOUT', retry: true, say: 'Request Timeout' },
  map_timeout: { status: 408, code: 'MAP_TIMEOUT', retry: true, say: 'The map operation timed out' },
  conflict: { status: 409, retry: false, say: 'Conflict' },
  retired: { status: 410, retry: false, say: 'Gone' },
  profile_busy: {
    status: 409,
    retry: false,
    say: 'Another scrape is saving this profile. Wait for it, or send `saveChanges: false`.',
  },
  too_large: { status: 413, retry: false, say: 'Payload Too Large' },
  too_long: { status: 414, code: 'BAD_REQUEST', retry: false, say: 'URI Too Long' },
  headers_too_large: { status: 431, code: 'BAD_REQUEST', retry: false, say: 'Request Header Fields Too Large' },
  wrong_media_type: { status: 415, retry: false, say: 'Unsupported Media Type' },
  no_such_range: { status: 416, retry: false, say: 'Range Not Satisfiable' },
  unprocessable: { status: 422, retry: false, say: 'Unprocessable Entity' },
  unsupported_file: {
    status: 422,
    code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    retry: false,
    say: 'This kind of file cannot be read',
  },
  unreadable_file: {
    status: 422,
    code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    retry: false,
    say: 'This file cannot be read',
  },
  pdf_ocr_required: {
    status: 422,
    code: 'SCRAPE_PDF_OCR_REQUIRED',
    retry: false,
    say: 'This PDF has no text, and `mode: "fast"` forbids OCR',
  },
  no_audio: {
    status: 422,
    code: 'SCRAPE_AUDIO_UNSUPPORTED_URL',
    retry: false,
    say: 'No audio found at this URL',
  },
  no_video: {
    status: 422,
    code: 'SCRAPE_VIDEO_UNSUPPORTED_URL',
    retry: false,
    say: 'No video found at this URL',
  },
  no_transcript: {
    status: 422,
    code: 'SCRAPE_NO_TRANSCRIPT',
    retry: false,
    say: 'No transcript found at this URL',
  },
  unsupported_upload: { status: 400, code: 'UNSUPPORTED_FILE_TYPE', retry: false, say: 'Unsupported upload type' },
  parse_options: {
    status: 400,
    code: 'PARSE_UNSUPPORTED_OPTIONS',
    retry: false,
    say: 'Parse uploads do not support this option',
  },
  upload_limit: {
    status: 429,
    code: 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED',
    retry: true,
    say: 'Too many uploads are waiting to be parsed',
  },
  rate_limited: { status: 429, retry: true, say: 'Rate limit exceeded' },
  too_busy: { status: 429, retry: true, say: 'Concurrency limit reached' },
  cancelled: { status: 499, code: 'SCRAPE_JOB_CANCELLED', retry: false, say: 'The client closed the connection' },
  internal: { status: 500, code: 'UNKNOWN_ERROR', retry: true, say: 'Internal Server Error' },
  dns_failed: {
    status: 500,
    code: 'SCRAPE_DNS_RESOLUTION_ERROR',
    retry: true,
    say: 'Could not reach the site: the host name does not resolve',
  },
  tls_failed: { status: 500, code: 'SCRAPE_SSL_ERROR', retry: false, say: 'The secure connection failed' },
  site_failed: { status: 500, code: 'SCRAPE_SITE_ERROR', retry: true, say: 'The site could not be read' },
  blocked: {
    status: 500,
    code: 'SCRAPE_SITE_ERROR',
    retry: true,
    say: 'The site returned a block or challenge page instead of its content',
  },
  redirect_loop: { status: 500, code: 'SCRAPE_SITE_ERROR', retry: false, say: 'The site redirected too many times' },
  bomb: {
    status: 500,
    code: 'SCRAPE_SITE_ERROR',
    retry: false,
    say: 'The compressed response unpacks to more than is allowed',
  },
  map_failed: { status: 500, code: 'MAP_FAILED', retry: true, say: 'The site could not be mapped' },
  action_failed: { status: 500, code: 'SCRAPE_ACTION_ERROR', retry: false, say: 'An action could not be run' },
  proxy_failed: {
    status: 502,
    code: 'SCRAPE_PROXY_SELECTION_ERROR',
    retry: true,
    say: 'Bad Gateway: no proxy of this service works',
  },
  proxy_timeout: {
    status: 504,
    code: 'SCRAPE_PROXY_SELECTION_ERROR',
    retry: true,
    say: 'Gateway Timeout: a proxy of this service did not respond in time',
  },
  all_engines_failed: {
    status: 500,
    code: 'SCRAPE_ALL_ENGINES_FAILED',
    retry: true,
    say: 'No engine could fetch the page',
  },
  browser_failed: {
    status: 500,
    code: 'SCRAPE_BROWSER_ERROR',
    retry: true,
    say: 'The browser of this service failed; the site is not the cause',
  },
  not_offered: { status: 501, retry: false, say: 'Not Implemented' },
  no_browser: {
    status: 503,
    code: 'BROWSER_UNAVAILABLE',
    retry: false,
    say: 'Service Unavailable: this needs a browser, and none is available',
  },
  remote_browser_failed: {
    status: 502,
    code: 'BROWSER_UNAVAILABLE',
    retry: true,
    say: 'Bad Gateway: no browser of ORB_BROWSER_ENDPOINTS responds',
  },
  remote_browser_timeout: {
    status: 504,
    code: 'BROWSER_UNAVAILABLE',
    retry: true,
    say: 'Gateway Timeout: no browser of ORB_BROWSER_ENDPOINTS responds in time',
  },
  search_unavailable: {
    status: 503,
    code: 'SEARCH_UNAVAILABLE',
    retry: true,
    say: 'Service Unavailable: no source could serve this search',
  },
  unavailable: { status: 503, retry: true, say: 'Service Unavailable' },
} as const satisfies Record<string, Row>

export type ProblemName = keyof typeof problems

interface ProblemExtras {
  because?: string
  /** Replaces the table's sentence, for cross-field rules whose text the contract fixes. */
  instead?: string
  details?: unknown
  retryAfterSeconds?: number
  also?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** Used for a job's stored failure and for an HTTP response. */
export class Problem extends Error {
  readonly kind: ProblemName
  readonly details: unknown
  readonly retryAfterSeconds: number | undefined
  readonly also: Readonly<Record<string, unknown>> | undefined

  constructor(kind: ProblemName, extras: ProblemExtras = {}) {
    const { because, instead, details, retryAfterSeconds, also, cause } = extras
    const { say } = problems[kind]
    super(instead ?? (because ? `${say.replace(/\.$/, '')}: ${because}` : say), cause === undefined ? {} : { cause })
    this.name = 'Problem'
    this.kind = kind
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
    this.also = also
  }

  get row(): Row {
    return problems[this.kind]
  }

  toJSON(): SerialisedProblem {
    return { kind: this.kind, message: this.message, details: this.details, retryAfterSeconds: this.retryAfterSeconds }
  }

  static revive({ kind, message, details, retryAfterSeconds }: SerialisedProblem): Problem {
    return new Problem(kind, {
      instead: message,
      ...(details === undefined ? {} : { details }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
}

export interface SerialisedProblem {
  kind: ProblemName
  message: string
  details?: unknown
  retryAfterSeconds?: number | undefined
}

const DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk is full (EDQUOT)',
  EROFS: 'the disk is read-only (EROFS)',
}

/** Any other error becomes `internal` and keeps its cause for the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const because = DISK[(error as { code?: unknown } | undefined)?.code as string]
  return because ? new Problem('unavailable', { because, cause: error }) : new Problem('internal', { cause: error })
}
