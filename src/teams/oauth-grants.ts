// OAuth 2.1 for hosted MCP clients. Clients, codes and refresh tokens are sealed by this installation and not stored; an
// access token is an API key, listed and revoked like any other.
import { createHash } from 'node:crypto'
import { type Clock, DAY_MS, HOUR_MS } from '../base/clock.ts'
import { isSecretEqual } from '../base/constant-time-equal.ts'
import type { Store } from '../store/index.ts'
import type { Tx } from '../store/tables.ts'
import { makeOauthProblem } from './identity-assertions.ts'
import { findValidKey, hashApiKey, issueKey, makeApiKey } from './keys.ts'
import { makeSeal } from './sealed-values.ts'
import { teamStore } from './store/index.ts'

type OauthClient = { name: string; redirectUris: string[] }

interface OauthCode {
  /** Hash of the client's id. */
  client: string
  clientName: string
  redirectUri: string
  challenge: string
  resource: string | undefined
  teamId: string
  approvedBy: string
  until: number
}

interface RefreshToken {
  client: string
  keyId: string
  /** Of the access token that came with it: once that is replaced, this token is used up. */
  keyHash: string
  resource: string | undefined
  until: number
}

type OauthTokens = { accessToken: string; refreshToken: string; expiresInSeconds: number }

export interface OauthGrants {
  register(client: OauthClient): Promise<string>
  findClient(id: string): Promise<OauthClient | undefined>
  makeCode(id: string, code: Omit<OauthCode, 'client' | 'until'>): Promise<string>
  /** A code works once, for the client and the redirect that it was made for. */
  redeem(given: {
    code: string
    client: string
    redirectUri: string
    verifier: string
    resource?: string | undefined
  }): Promise<OauthTokens>
  /** Replaces both tokens. One that was used before ends the grant: it may be stolen. */
  refresh(given: { token: string; client: string; resource?: string | undefined }): Promise<OauthTokens>
}

const CODE_MS = 60_000
const ACCESS_MS = HOUR_MS
const REFRESH_MS = 30 * DAY_MS

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')
const makeInvalidGrant = (why: string) => makeOauthProblem('bad_request', 'invalid_grant', why)

export function openOauthGrants(store: Store, clock: Clock): OauthGrants {
  const seal = makeSeal(store)
  const tokens = async (key: string, refresh: Omit<RefreshToken, 'keyHash' | 'until'>): Promise<OauthTokens> => ({
    accessToken: key,
    refreshToken: await seal.close('refresh', {
      ...refresh,
      keyHash: hashApiKey(key),
      until: clock.now() + REFRESH_MS,
    }),
    expiresInSeconds: ACCESS_MS / 1000,
  })
  const audit = (teamId: string, actor: string, action: 'key.created' | 'key.revoked', keyId: string, tx: Tx) =>
    teamStore(store).audit.add({ teamId, actor, action, subject: keyId, details: { by: 'OAuth' } }, tx)

  return {
    register: (client) => seal.close('client', { ...client, at: clock.now() }),
    findClient: (id) => seal.open<OauthClient>('client', id),
    makeCode: (id, code) => seal.close('code', { ...code, client: sha256(id), until: clock.now() + CODE_MS }),
    async redeem({ code, client, redirectUri, verifier, resource }) {
      const found = await seal.open<OauthCode>('code', code)
      if (!found || found.until <= clock.now()) throw makeInvalidGrant('the code is unknown or over')
      // Before all else, so that a code that leaked allows no second try.
      if (!(await teamStore(store).onboarding.useAssertion(`oauth ${sha256(code)}`, found.until)))
        throw makeInvalidGrant('the code was used before')
      if (found.client !== sha256(client) || found.redirectUri !== redirectUri)
        throw makeInvalidGrant('the code was made for another client or redirect')
      if (!isSecretEqual(sha256(verifier), found.challenge)) throw makeInvalidGrant('the code_verifier does not match')
      if (resource !== undefined && resource !== found.resource)
        throw makeInvalidGrant('the code is for another resource')
      if (!(await findValidKey(store, found.approvedBy, clock.now())))
        throw makeInvalidGrant('the consent was withdrawn')
      const { key, row } = await store.transaction(async (tx) => {
        const rules = { expiresAt: clock.now() + ACCESS_MS }
        const made = await issueKey(store, found.teamId, `${found.clientName} (OAuth)`, rules, tx)
        await audit(found.teamId, found.approvedBy, 'key.created', made.row.id, tx)
        return made
      })
      return tokens(key, { client: found.client, keyId: row.id, resource: found.resource })
    },
    async refresh({ token, client, resource }) {
      const found = await seal.open<RefreshToken>('refresh', token)
      if (!found || found.until <= clock.now() || found.client !== sha256(client))
        throw makeInvalidGrant('the refresh token is unknown, expired, or of another client')
      if (resource !== undefined && resource !== found.resource)
        throw makeInvalidGrant('the token is for another resource')
      const known = await store.keys.get(found.keyId)
      if (!known || known.revokedAt !== null) throw makeInvalidGrant('the grant was revoked')
      const key = makeApiKey()
      const next = { hash: hashApiKey(key), hint: key.slice(-4), expiresAt: clock.now() + ACCESS_MS }
      if (!(await store.keys.replace(found.keyId, found.keyHash, next))) {
        await store.transaction(async (tx) => {
          if (await store.keys.revoke(found.keyId, tx)) await audit(known.teamId, known.id, 'key.revoked', known.id, tx)
        })
        throw makeInvalidGrant('the refresh token was used before, so the grant has ended')
      }
      return tokens(key, { client: found.client, keyId: found.keyId, resource: found.resource })
    },
  }
}
