// Requests between machines of one deployment: signed, and sent to the address in the session's row. Independent of the
// operations.

import type { Clock } from '../../base/clock.ts'
import { asProblem, Problem, type SerialisedProblem } from '../../base/problem.ts'
import type { LinkTokens } from './link-tokens.ts'
import type { SessionRow } from './store/index.ts'

export type PeerRequests = ReturnType<typeof openPeerRequests>

type Sealed = { text: string; seal: string }

export const PEER_PATH = '/live/peer'
const FRESH_MS = 60_000

export function openPeerRequests(tokens: LinkTokens, clock: Clock) {
  return {
    async ask(row: SessionRow, op: string, args: unknown, signal: AbortSignal) {
      if (!row.address)
        throw new Problem('unavailable', {
          because: 'this session is held by another machine, which has no ORB_INTERNAL_URL',
        })
      const text = JSON.stringify({ id: row.id, op, args, at: clock.now() })
      const response = await fetch(row.address + PEER_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text, seal: tokens.seal(text) }),
        signal,
      }).catch((cause) => {
        throw new Problem('session_gone', { because: 'the machine that held it does not respond', cause })
      })
      const answer = (await response.json()) as { result?: unknown; problem?: SerialisedProblem }
      if (answer.problem) throw Problem.revive(answer.problem)
      if (!response.ok) throw new Problem('unavailable', { because: 'the machine that holds this session refused' })
      return answer.result
    },
    /** The verified request; throws when the signature is invalid. */
    opened({ text, seal }: Sealed) {
      if (!tokens.isSealed(text, seal)) throw new Problem('forbidden')
      const { id, op, args, at } = JSON.parse(text) as { id: string; op: string; args: unknown; at: number }
      if (Math.abs(clock.now() - at) > FRESH_MS) throw new Problem('forbidden', { because: 'the request is too old' })
      return { id, op, args }
    },
  }
}

export const toPeerReply = async (work: () => Promise<unknown>): Promise<object> => {
  try {
    return { success: true, result: await work() }
  } catch (error) {
    return { success: false, problem: asProblem(error).toJSON() }
  }
}
