// Routes whose link is the credential: the live view, the recording, and requests between machines.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { ReadyReply } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { renderLiveViewPage } from './live-view-page.ts'
import { defineRoute } from './own-services.ts'
import { PEER_PATH, toPeerReply } from './peer-requests.ts'
import { renderRecordingPlayerPage } from './recording-player-page.ts'
import { profileNameSchema } from './schema.ts'
import { sessionStore } from './store/index.ts'

/** The live view; the token in the link is the credential. */
const watch = (kind: 'view' | 'drive') =>
  defineRoute({
    method: 'GET',
    path: `/live/:sessionId/${kind}/:token`,
    right: 'none',
    group: 'open',
    summary: kind === 'view' ? 'Watch a browser session' : 'Watch and drive a browser session',
    command: null,
    query: z.object({ ticket: z.string().optional(), theme: z.enum(['light', 'dark']).optional() }),
    reply: successReply({ ticket: z.string() }).describe('With `ticket` in the query.'),
    serves: ['text/html'],
    async handle({ browserSessions, store, clock }, { params, query }) {
      const id = (params.sessionId ?? '').toLowerCase()
      if (!browserSessions.tokens.check(kind, id, params.token ?? '')) throw new Problem('session_not_found')
      const row = await sessionStore(store).find(id)
      if (!row?.stream) throw new Problem('session_not_found')
      if (row.state !== 'active') throw new Problem('session_gone')
      const ticket = browserSessions.tokens.ticket(kind, id, clock.now())
      if (query.ticket !== undefined) return { success: true, ticket }
      const nonce = randomBytes(16).toString('base64')
      const { theme } = query
      const { html, headers } = renderLiveViewPage({
        id,
        ticket,
        drives: kind === 'drive',
        nonce,
        theme,
        frames: browserSessions.frames,
      })
      return new ReadyReply(html, 'text/html; charset=utf-8', headers)
    },
  })

/** The recording of an ended session; the link is the credential and expires. */
const film = defineRoute({
  method: 'GET',
  path: '/live/:sessionId/film/:token',
  right: 'none',
  group: 'open',
  summary: 'Play the recording of a browser session',
  command: null,
  serves: ['text/html'],
  async handle({ browserSessions, store, clock }, { params }) {
    const id = (params.sessionId ?? '').toLowerCase()
    const [until = '', token = ''] = (params.token ?? '').split('.')
    if (!browserSessions.tokens.check('film', `${id} ${until}`, token) || Number(until) <= clock.now())
      throw new Problem('session_not_found')
    const row = await sessionStore(store).find(id)
    const bytes = row?.recording ? await store.blobs.read(row.recording) : undefined
    if (!bytes) throw new Problem('not_found', { instead: 'The recording is no longer stored.' })
    const nonce = randomBytes(16).toString('base64')
    const { html, headers } = renderRecordingPlayerPage({
      film: Buffer.from(bytes).toString(),
      id,
      nonce,
      frames: browserSessions.frames,
    })
    return new ReadyReply(html, 'text/html; charset=utf-8', headers)
  },
})

/** A driver may save the browser profile; the token in the link is the credential. */
const keepByHand = defineRoute({
  method: 'POST',
  path: '/live/:sessionId/drive/:token',
  right: 'none',
  group: 'open',
  summary: 'Save a profile from the live view',
  command: null,
  body: z.object({ profile: profileNameSchema }),
  reply: successReply(),
  async handle({ browserSessions, store }, { body, params }) {
    const id = (params.sessionId ?? '').toLowerCase()
    if (!browserSessions.tokens.check('drive', id, params.token ?? '')) throw new Problem('session_not_found')
    const row = await sessionStore(store).find(id)
    if (!row?.stream) throw new Problem('session_not_found')
    await browserSessions.keepProfile(row, body.profile)
    return { success: true }
  },
})

const peerReply = z.union([
  successReply({ result: z.unknown().optional().describe('What the session answered.') }),
  z.object({ success: z.literal(false), problem: z.unknown().describe('Why it did not.') }),
])

/** Requests between machines; the signature is the credential. */
const peer = defineRoute({
  method: 'POST',
  path: PEER_PATH,
  // A caller's code, quoted twice.
  bodyBytes: 512 * 1024,
  right: 'none',
  group: 'open',
  summary: 'Forward a request to the machine that holds the session',
  command: null,
  body: z.object({ text: z.string().max(1_000_000), seal: z.string().max(1000) }),
  reply: peerReply,
  async handle({ browserSessions, peers }, { body }, { signal }) {
    const { id, op, args } = peers.opened(body)
    return toPeerReply(() => browserSessions.here(id, op, args, signal))
  },
})

export const linkTokenRoutes = [watch('view'), watch('drive'), keepByHand, film, peer]
