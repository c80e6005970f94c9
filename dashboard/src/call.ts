// Talking to the service: one function for every request, one shape for every failure. The proof of the session goes
// along with each; the cookie goes by itself.

const PROOF = 'orb-session-proof'

/** What a reverse proxy puts before our paths; empty where we are at the root. */
export const root = new URL('.', location.href).pathname.slice(0, -1)

/** The team that this page acts for, when that is not the own one: it stands in the address, so that a tab, a reload and a
 * link stay with it. Whether we may, the service decides with every request. */
export const actsFor: string | undefined = new URLSearchParams(location.search).get('team') || undefined

/** The same page for another team; without one, for the own. All of it is loaded anew: nothing of one is seen in the other. */
export function actFor(team: string | undefined): void {
  const home = new URL(location.pathname, location.origin)
  if (team) home.searchParams.set('team', team)
  location.assign(home)
}

/** What the service said when it did not do it, or that it could not be reached. */
export class Refused extends Error {
  readonly status: number
  readonly code: string | undefined
  /** The page of our docs that explains it. */
  readonly help: string | undefined
  constructor(status: number, message: string, code?: string, help?: string) {
    super(message)
    this.status = status
    this.code = code
    this.help = help
  }
}

export const proof = {
  get: (): string => localStorage.getItem(PROOF) ?? '',
  set: (value: string): void => localStorage.setItem(PROOF, value),
  clear: (): void => localStorage.removeItem(PROOF),
}

let onSignedOut: () => void = () => undefined
/** Told when the service does not know us any more. */
export function whenSignedOut(tell: () => void): void {
  onSignedOut = tell
}

export interface Asked {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** JSON, or a form with files. */
  body?: unknown
  signal?: AbortSignal
  /** In the name of the own team, whoever the page acts for. */
  own?: boolean
}

export async function send({ method = 'GET', path, body, signal, own = false }: Asked): Promise<Response> {
  const isForm = body instanceof FormData
  let response: Response
  try {
    response = await fetch(root + path, {
      method,
      credentials: 'same-origin',
      headers: {
        ...(proof.get() ? { 'x-orb-session': proof.get() } : {}),
        ...(actsFor && !own ? { 'x-orb-team': actsFor } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Refused(0, 'The service does not respond. Is it still running?')
  }
  if (response.ok) return response
  const told = (await response.json().catch(() => ({}))) as {
    error?: string
    code?: string
    help?: string
    hint?: string
  }
  if (response.status === 401 && path !== '/api/session') onSignedOut()
  // Only its path: the service may know itself by another name than the browser does.
  const help = /\/docs\/errors#\w+$/.exec(told.help ?? '')?.[0]
  const error = told.error ?? `The service returned status ${response.status}`
  throw new Refused(response.status, told.hint ? `${error}. ${told.hint}` : error, told.code, help && root + help)
}

/** The JSON of the answer. `T` is what its schema says. */
export const call = async <T>(asked: Asked): Promise<T> => (await send(asked)).json() as Promise<T>

/** Saves an answer as a file. */
export async function download(path: string, name: string): Promise<void> {
  const bytes = await (await send({ path })).blob()
  saveAs(bytes, name)
}

/** Saves a text that is here already. */
export const saveText = (text: string, name: string, type: string): void => saveAs(new Blob([text], { type }), name)

function saveAs(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
