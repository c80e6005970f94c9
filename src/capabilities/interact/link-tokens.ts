// Secrets of a session's links, derived from its id and the instance secret, so that every machine can compute them.
import { createHmac, randomBytes } from 'node:crypto'
import { isSecretEqual } from '../../base/constant-time-equal.ts'

/**
 * `cdp`: control the browser; `view`: watch; `drive`: input; `film`: play the recording; `inner`: machine to machine.
 */
type LinkKind = 'cdp' | 'view' | 'drive' | 'film'

export type LinkTokens = ReturnType<typeof openLinkTokens>

const TICKET_MS = 60_000

export function openLinkTokens(secret: string) {
  const used = new Map<string, number>()
  const of = (kind: string, id: string) =>
    createHmac('sha256', secret).update(`live session ${kind} ${id}`).digest('base64url')
  return {
    of,
    check: (kind: LinkKind, id: string, token: string) => isSecretEqual(of(kind, id), token),
    /** Opens one view socket, within a minute. */
    ticket(kind: 'view' | 'drive', id: string, now: number) {
      const claim = `${kind}.${now + TICKET_MS}.${randomBytes(9).toString('base64url')}`
      return `${claim}.${of('ticket', `${id} ${claim}`)}`
    },
    /** The kind of an unused ticket; undefined for any other. */
    redeem(id: string, ticket: string, now: number) {
      const [kind, until, nonce, seal = ''] = ticket.split('.')
      const claim = `${kind}.${until}.${nonce}`
      if (!isSecretEqual(of('ticket', `${id} ${claim}`), seal) || Number(until) <= now || used.has(claim))
        return undefined
      for (const [old, end] of used) if (end <= now) used.delete(old)
      used.set(claim, Number(until))
      return kind === 'drive' ? 'drive' : 'view'
    },
    /** Signs a message to another machine. */
    seal: (text: string) => of('inner', text),
    isSealed: (text: string, seal: string) => isSecretEqual(of('inner', text), seal),
  }
}

export type SessionLinks = { cdpUrl: string; liveViewUrl: string; interactiveLiveViewUrl: string }

/** Empty texts where there is no link: released clients require the fields. */
export function makeSessionLinks(
  tokens: LinkTokens,
  { id, state, stream }: { id: string; state: string; stream: boolean },
  baseUrl: string,
): SessionLinks {
  if (state !== 'active') return { cdpUrl: '', liveViewUrl: '', interactiveLiveViewUrl: '' }
  const view = (kind: 'view' | 'drive') => (stream ? `${baseUrl}/live/${id}/${kind}/${tokens.of(kind, id)}` : '')
  return {
    cdpUrl: `${baseUrl.replace(/^http/, 'ws')}/live/${id}/cdp/${tokens.of('cdp', id)}`,
    liveViewUrl: view('view'),
    interactiveLiveViewUrl: view('drive'),
  }
}
