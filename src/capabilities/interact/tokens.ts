// The secrets in a session's links: made of its id and the instance's own secret, so that every machine of the service knows
// them without a table. Each kind of link has its own, and none can be made from another.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** `cdp`: speak with the browser; `view`: watch; `drive`: take the mouse; `inner`: one machine of the service to another. */
export type LinkKind = 'cdp' | 'view' | 'drive'

export interface Tokens {
  of(kind: LinkKind, id: string): string
  check(kind: LinkKind, id: string, token: string): boolean
  /** Seals what one machine tells another. */
  seal(text: string): string
  isSealed(text: string, seal: string): boolean
}

export function openTokens(secret: string): Tokens {
  const of = (kind: string, id: string) =>
    createHmac('sha256', secret).update(`live session ${kind} ${id}`).digest('base64url')
  const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
  return {
    of,
    check: (kind, id, token) => same(of(kind, id), token),
    seal: (text) => of('inner', text),
    isSealed: (text, seal) => same(of('inner', text), seal),
  }
}

export interface Links {
  cdpUrl: string
  liveViewUrl: string
  interactiveLiveViewUrl: string
}

/** Empty texts where there is nothing to open: the released clients take them for granted. */
export function linksOf(
  tokens: Tokens,
  { id, state, stream }: { id: string; state: string; stream: boolean },
  baseUrl: string,
): Links {
  if (state !== 'active') return { cdpUrl: '', liveViewUrl: '', interactiveLiveViewUrl: '' }
  const view = (kind: 'view' | 'drive') => (stream ? `${baseUrl}/live/${id}/${kind}/${tokens.of(kind, id)}` : '')
  return {
    cdpUrl: `${baseUrl.replace(/^http/, 'ws')}/live/${id}/cdp/${tokens.of('cdp', id)}`,
    liveViewUrl: view('view'),
    interactiveLiveViewUrl: view('drive'),
  }
}
