// What the playground shows, as part of the address: which call, with which options, and the result that was stored. So
// reload, back and a link that is sent to a colleague all keep it. Pure but for reading the address.

export interface State {
  path: string
  /** Undefined: nothing was said; the form begins as it always does. */
  body: Record<string, unknown> | undefined
  /** Of a stored scrape. */
  id: string | undefined
}

export const FIRST = '/v2/scrape'

export function playgroundAddress(path: string, body: Record<string, unknown>, id?: string | undefined): string {
  const query = new URLSearchParams({ call: path })
  if (Object.keys(body).length > 0) query.set('body', JSON.stringify(body))
  if (id) query.set('id', id)
  return `playground?${query.toString()}`
}

export function stateIn(query: string): State {
  const given = new URLSearchParams(query)
  return {
    path: given.get('call') ?? FIRST,
    body: bodyOf(given.get('body')),
    id: given.get('id') ?? undefined,
  }
}

function bodyOf(text: string | null): State['body'] {
  if (text === null) return undefined
  try {
    const body: unknown = JSON.parse(text)
    return body && typeof body === 'object' && !Array.isArray(body) ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
