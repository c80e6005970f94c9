// OAuth 2.1 for hosted MCP clients: registration (RFC 7591), consent by a signed-in person, and tokens. Off by default.
import { z } from 'zod'
import { Problem } from '../../base/problem.ts'
import { makeOauthProblem } from '../../teams/identity-assertions.ts'
import { ReadyReply, type Route } from '../route.ts'
import { AUTH_SCOPE } from './auth-and-login-skill-texts.ts'
import { defineRoute, type HandlerServices } from './own-services.ts'

const CALLS_A_MINUTE = 60
const MAX_FORM_BYTES = 32_768
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** TLS, or a program on the person's own machine. */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return (
    (protocol === 'https:' || (protocol === 'http:' && isLoopback)) &&
    !username &&
    !password &&
    !hash &&
    !text.includes('#')
  )
}

const redirectUri = z
  .string()
  .max(500)
  .refine(isRedirectUri, { error: 'must be https, or http on this machine, without user and fragment' })

const registrationBody = z
  .looseObject({
    redirect_uris: z.array(redirectUri).min(1).max(5),
    client_name: z.string().max(200).optional(),
  })
  .describe('A client; all further fields of RFC 7591 are accepted without effect.')

const register = defineRoute({
  method: 'POST',
  path: '/oauth/register',
  command: null,
  summary: 'Register an OAuth client (RFC 7591); off unless ORB_OAUTH is on',
  screen(body) {
    const issue = registrationBody.safeParse(body ?? {}).error?.issues[0]
    if (!issue) return
    const error = issue.path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw makeOauthProblem('bad_request', error, `${issue.path.join('.')}: ${issue.message}`)
  },
  body: registrationBody,
  reply: z.object({
    client_id: z.string(),
    client_name: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    scope: z.string(),
  }),
  async handle(has, { body }, { address }) {
    const oauth = await enter(has, address)
    const name = (body.client_name ?? '')
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, 80)
    const client = { name: name || 'MCP client', redirectUris: body.redirect_uris }
    return {
      client_id: await oauth.register(client),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: AUTH_SCOPE,
    }
  },
})

const authorizeBody = z
  .strictObject({
    query: z.string().max(10_000).describe('The query of the URL that the client opened.'),
    consent: z.boolean().optional().describe('The decision of the person; absent: only the client is returned.'),
  })
  .describe('An authorization request that a signed-in person decides.')

const authorize = defineRoute({
  method: 'POST',
  path: '/api/auth/oauth/authorize',
  command: null,
  right: 'admin',
  summary: 'Consent to an OAuth client, with the key of a signed-in person',
  bucket: 'account',
  body: authorizeBody,
  reply: z.object({
    client: z.string(),
    host: z.string().describe('Where the code is sent.'),
    redirect: z.string().optional().describe('Where the browser continues after the decision.'),
  }),
  async handle(has, { body: { query, consent } }, { caller, address, baseUrl }) {
    const oauth = await enter(has, address)
    const given = formOf(query)
    const client = await oauth.findClient(given.client_id ?? '')
    const to = given.redirect_uri ?? (client?.redirectUris.length === 1 ? client.redirectUris[0] : undefined)
    // Without both there is no address that the answer may be sent to.
    if (!client || to === undefined || !client.redirectUris.includes(to))
      throw new Problem('bad_request', { because: 'this client is not registered here, or has another redirect_uri' })
    const reply = { client: client.name, host: new URL(to).host }
    const goOn = (answer: Record<string, string>) => {
      const target = new URL(to)
      for (const [name, value] of Object.entries({ ...answer, iss: baseUrl })) target.searchParams.append(name, value)
      if (given.state !== undefined) target.searchParams.append('state', given.state)
      return { ...reply, redirect: target.href }
    }
    const error = requestError(given, baseUrl)
    // Nobody is sent to a stranger's address without a decision: anyone may register a client.
    if (error && consent === undefined)
      throw makeOauthProblem('bad_request', error, 'the client sent a request that cannot be granted')
    if (error) return goOn({ error })
    if (consent === undefined) return reply
    if (!consent) return goOn({ error: 'access_denied' })
    const code = await oauth.makeCode(given.client_id!, {
      clientName: client.name,
      redirectUri: to,
      challenge: given.code_challenge!,
      resource: given.resource,
      teamId: caller.teamId,
      approvedBy: caller.keyId,
    })
    return goOn({ code })
  },
})

function requestError(given: Record<string, string>, baseUrl: string): string | undefined {
  const { response_type, code_challenge = '', code_challenge_method, resource, scope } = given
  if (response_type !== 'code') return 'unsupported_response_type'
  if (code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(code_challenge)) return 'invalid_request'
  if (scope?.split(' ').some((one) => one !== '' && one !== AUTH_SCOPE)) return 'invalid_scope'
  return resource === undefined || [baseUrl, `${baseUrl}/`, `${baseUrl}/mcp`].includes(resource)
    ? undefined
    : 'invalid_target'
}

const token = defineRoute({
  method: 'POST',
  path: '/oauth/token',
  command: null,
  summary: 'Exchange a code or a refresh token for an access token, which is a key',
  takes: 'raw',
  maxFileBytes: MAX_FORM_BYTES,
  reply: z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    refresh_token: z.string(),
    scope: z.string(),
  }),
  async handle(has, { raw }, { address }) {
    const oauth = await enter(has, address)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of raw ?? []) {
      size += (chunk as Buffer).length
      if (size > MAX_FORM_BYTES) throw makeOauthProblem('bad_request', 'invalid_request', 'the form is too long')
      chunks.push(chunk as Buffer)
    }
    const given = formOf(Buffer.concat(chunks).toString('utf8'))
    const { grant_type, client_id: client = '', resource } = given
    const made =
      grant_type === 'authorization_code'
        ? await oauth.redeem({
            code: given.code ?? '',
            client,
            redirectUri: given.redirect_uri ?? '',
            verifier: given.code_verifier ?? '',
            resource,
          })
        : grant_type === 'refresh_token'
          ? await oauth.refresh({ token: given.refresh_token ?? '', client, resource })
          : undefined
    if (!made)
      throw makeOauthProblem('bad_request', 'unsupported_grant_type', 'only authorization_code and refresh_token')
    const body = {
      access_token: made.accessToken,
      token_type: 'Bearer',
      expires_in: made.expiresInSeconds,
      refresh_token: made.refreshToken,
      scope: AUTH_SCOPE,
    }
    return new ReadyReply(JSON.stringify(body), 'application/json; charset=utf-8', NO_STORE)
  },
})

async function enter({ oauth, rates }: HandlerServices, address: string) {
  if (!oauth) throw makeOauthProblem('forbidden', 'access_denied', 'OAuth is switched off here (ORB_OAUTH)')
  await rates.takeOpen(address, 'oauth', CALLS_A_MINUTE)
  return oauth
}

/** A parameter that is given twice counts as not given (RFC 6749, 3.1). */
function formOf(text: string): Record<string, string> {
  const form = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(form.keys())].flatMap((name) => {
      const [value, second] = form.getAll(name)
      return value === undefined || second !== undefined ? [] : [[name, value]]
    }),
  )
}

/** Added to the metadata of the authorization server (RFC 8414). */
export const oauthMetadata = (baseUrl: string) => ({
  authorization_endpoint: `${baseUrl}/oauth-authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
})

export const oauthRoutes: readonly Route<HandlerServices>[] = [register, authorize, token]
