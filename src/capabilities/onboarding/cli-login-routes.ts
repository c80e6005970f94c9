// Browser login of the CLI: the client polls, a person consents on the dashboard, and the next poll creates and returns
// a key, once.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isSecretEqual } from '../../base/constant-time-equal.ts'
import { Problem } from '../../base/problem.ts'
import { issueKey } from '../../teams/keys.ts'
import { teamStore } from '../../teams/store/index.ts'
import type { Route } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'

const LIFE_MS = 10 * 60_000
/** Polls per minute: a client polls every two seconds, and many may share an IP address. */
const MAX_POLLS_PER_MINUTE = 600
const sessionId = z
  .string()
  .regex(/^[0-9a-f]{32,128}$/i, { error: 'must be hexadecimal digits, 32 at least' })
  .max(128)
const base64url = /^[A-Za-z0-9_-]{43,128}$/

const statusBody = z
  .strictObject({
    session_id: sessionId,
    code_verifier: z
      .string()
      .regex(/^[A-Za-z0-9._~-]{43,128}$/, { error: 'must be a PKCE verifier (RFC 7636)' })
      .max(128),
  })
  .describe('The session that a client started, and its proof.')

const completeBody = z
  .strictObject({
    session_id: sessionId.describe('From the fragment of the URL that the client opened.'),
    code_challenge: z.string().regex(base64url, { error: 'must be a PKCE challenge of method S256' }).max(128),
    name: z.string().trim().min(1).max(200).default('command line').describe('Name of the new key.'),
  })
  .describe('Consent of a signed-in person to a login.')

const sha256 = (text: string, as: 'hex' | 'base64url'): string => createHash('sha256').update(text).digest(as)

const status = defineRoute({
  method: 'POST',
  path: '/api/auth/cli/status',
  summary: 'Status of a login of the command line; returns its key once',
  body: statusBody,
  reply: z.object({
    status: z.enum(['pending', 'complete']),
    apiKey: z.string().optional(),
    apiUrl: z.string().optional(),
    teamName: z.string().optional(),
  }),
  async handle({ store, rates }, { body }, { address, baseUrl }) {
    await rates.takeOpen(address, 'cli login', MAX_POLLS_PER_MINUTE)
    const sessionHash = sha256(body.session_id.toLowerCase(), 'hex')
    const login = await teamStore(store).onboarding.find(sessionHash)
    if (!login) return { status: 'pending' }
    if (!isSecretEqual(sha256(body.code_verifier, 'base64url'), login.challenge))
      throw new Problem('bad_request', { because: 'code_verifier: does not match this login' })
    const { teamId, keyName, approvedBy } = login
    const key = await store.transaction(async (tx) => {
      if (!(await teamStore(store).onboarding.take(tx, sessionHash))) return undefined
      const made = await issueKey(store, teamId, keyName, {}, tx)
      const details = { name: keyName, by: 'login of the command line' }
      await teamStore(store).audit.add(
        { teamId, actor: approvedBy, action: 'key.created', subject: made.row.id, details },
        tx,
      )
      return made.key
    })
    // Another poll was faster and got the key.
    if (!key) return { status: 'pending' }
    const team = await store.teams.get(teamId)
    return { status: 'complete', apiKey: key, apiUrl: baseUrl, teamName: team?.name }
  },
})

const complete = defineRoute({
  method: 'POST',
  path: '/api/auth/cli/complete',
  right: 'admin',
  summary: 'Consent to a login of the command line, with the key of a signed-in person',
  bucket: 'account',
  body: completeBody,
  reply: successReply({ expiresAt: z.string() }),
  async handle({ store, clock }, { body }, { caller, address }) {
    const expiresAt = clock.now() + LIFE_MS
    await store.transaction(async (tx) => {
      const login = {
        sessionHash: sha256(body.session_id.toLowerCase(), 'hex'),
        challenge: body.code_challenge,
        teamId: caller.teamId,
        keyName: body.name,
        approvedBy: caller.keyId,
        expiresAt,
      }
      if (!(await teamStore(store).onboarding.approve(login, tx)))
        throw new Problem('conflict', { because: 'this login was already approved; start a new one' })
      const details = { by: 'command line', name: body.name, address }
      const entry = { teamId: caller.teamId, actor: caller.keyId, action: 'login' as const, subject: caller.keyId }
      await teamStore(store).audit.add({ ...entry, details }, tx)
    })
    return { success: true, expiresAt: new Date(expiresAt).toISOString() }
  },
})

export const cliLoginRoutes: readonly Route<HandlerServices>[] = [status, complete]
