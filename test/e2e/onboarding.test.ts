// Wire contract §21: the released command line logs in through the browser, and agents register by identity assertion
// against an issuer of our own that speaks the real protocol.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { auth } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type CryptoKey, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ago, type Issuer, sha256, startIssuer } from './issuer.ts'
import { hostedClient } from './oauth-client.ts'
import { closedPort, type Json, request, type Service, startService } from './service.ts'
import { shared } from './shared.ts'
import { callsWith, type Member, newKey, newTeam } from './team.ts'
import { until } from './waiting.ts'

const CLI = join(dirname(createRequire(import.meta.url).resolve('firecrawl-cli/package.json')), 'dist/index.js')
/** Of a key, in hours. */
const lifeOf = ({ createdAt, expiresAt }: Json) => (Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000

/** One without issuers. */
const { service: plain } = shared()
let service: Service
let issuer: Issuer
beforeAll(async () => {
  issuer = await startIssuer()
  // Assertions are meant for one address, so the service must know its own.
  const port = await closedPort()
  service = await startService({
    env: {
      ORB_PORT: String(port),
      ORB_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ORB_OAUTH: 'on',
      ORB_OIDC_ISSUER: issuer.url,
      ORB_OIDC_CLIENT_ID: 'orb web',
      ORB_OIDC_CLIENT_SECRET: 'a:secret',
      ORB_OIDC_DOMAINS: 'example.com',
      ORB_OIDC_ADMIN_GROUPS: 'keepers',
      ORB_TRUSTED_ISSUERS: issuer.url,
      ORB_REGISTRATION_DOMAINS: 'example.org,example.com',
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await issuer?.close()
})

const open = (method: string, path: string, body?: unknown) => request(service.url + path, method, body, {})

describe('the login of the command line', () => {
  const session = () => ({
    session_id: randomBytes(32).toString('hex'),
    code_verifier: randomBytes(32).toString('base64url'),
  })
  const consent = ({ session_id, code_verifier }: ReturnType<typeof session>) => ({
    session_id,
    code_challenge: sha256(code_verifier),
  })
  const status = (body: object) => open('POST', '/api/auth/cli/status', body)

  it('gives the released client a key that works, once a person has consented', async () => {
    const home = mkdtempSync(join(tmpdir(), 'orb-cli-'))
    const env = { PATH: dirname(process.execPath), HOME: home, FIRECRAWL_NO_TELEMETRY: '1' }
    const cli = spawn(process.execPath, [CLI, 'login', '--method', 'browser', '--web-url', service.url], { env })
    let out = ''
    cli.stdout.on('data', (chunk) => {
      out += chunk
    })
    const ended = new Promise((resolve) => cli.once('exit', resolve))
    try {
      await until(() => /session_id=[0-9a-f]{64}/.test(out), 30_000)
      const [, code_challenge, session_id] = /code_challenge=([\w-]+)#session_id=([0-9a-f]{64})/.exec(out)!
      const agreed = await service.call('POST', '/api/auth/cli/complete', {
        session_id,
        code_challenge,
        name: 'my shell',
      })
      expect(agreed.status).toBe(200)
      expect(await ended).toBe(0)
      const kept = readFileSync(join(home, '.config/firecrawl-cli/credentials.json'), 'utf8')
      const { apiKey, apiUrl } = JSON.parse(kept)
      expect(apiUrl).toBe(service.url)
      const me = await callsWith(service, apiKey)('GET', '/v2/admin/me')
      expect(me.json.data).toMatchObject({ key: { name: 'my shell', rights: [] }, team: { name: 'default' } })
    } finally {
      cli.kill()
      rmSync(home, { recursive: true, force: true })
    }
    const { json } = await service.call('GET', '/v2/admin/audit?limit=2')
    expect(json.data.map((row: Json) => row.action)).toEqual(['key.created', 'login'])
  })

  it('says pending before, hands the key out once, and to nobody without the verifier', async () => {
    const mine = session()
    expect((await status(mine)).json).toEqual({ status: 'pending' })
    expect((await service.call('POST', '/api/auth/cli/complete', consent(mine))).status).toBe(200)
    const thief = await status({ ...mine, code_verifier: session().code_verifier })
    expect(thief.status).toBe(400)
    expect(thief.text).not.toContain('fc-')
    const looks = await Promise.all([status(mine), status(mine), status(mine)])
    expect(looks.map(({ json }) => json.status).sort()).toEqual(['complete', 'pending', 'pending'])
    expect((await status(mine)).json).toEqual({ status: 'pending' })
    const again = await service.call('POST', '/api/auth/cli/complete', consent(session()))
    expect(again.status).toBe(200)
  })

  it('takes one consent for each session, from a key that may make keys, in a form that can be', async () => {
    const mine = session()
    expect((await service.call('POST', '/api/auth/cli/complete', consent(mine))).status).toBe(200)
    const other = { ...consent(mine), code_challenge: sha256('another') }
    expect((await service.call('POST', '/api/auth/cli/complete', other)).status).toBe(409)
    const plain = await newKey(service, { name: 'plain' })
    expect((await plain.call('POST', '/api/auth/cli/complete', consent(session()))).status).toBe(403)
    expect((await open('POST', '/api/auth/cli/complete', consent(session()))).status).toBe(401)
    for (const wrong of [
      {},
      { session_id: 'x' },
      { ...session(), session_id: '../../etc' },
      { ...session(), extra: 1 },
    ])
      expect((await status(wrong)).status).toBe(400)
  })

  it('makes the key in the team of the person who consented', async () => {
    const team: Member = await newTeam(service, 'shellfish')
    const mine = session()
    await team.call('POST', '/api/auth/cli/complete', consent(mine))
    const { json } = await status(mine)
    expect(json).toMatchObject({ status: 'complete', teamName: 'shellfish', apiUrl: service.url })
    expect((await callsWith(service, json.apiKey)('GET', '/v2/admin/me')).json.data.team.id).toBe(team.teamId)
  })
})

describe('discovery', () => {
  it('leads from a 401 to where agents register', async () => {
    const refused = await open('GET', '/v2/team/credit-usage')
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')!
    const resource = await (await fetch(metadata)).json()
    expect(resource).toMatchObject({
      resource: `${service.url}/`,
      authorization_servers: [service.url],
      bearer_methods_supported: ['header'],
      scopes_supported: ['orbweaver:global'],
    })
    const { json } = await open('GET', '/.well-known/oauth-authorization-server')
    expect(json).toMatchObject({
      issuer: service.url,
      agent_auth: {
        register_uri: `${service.url}/agent/auth`,
        identity_types_supported: ['identity_assertion'],
        identity_assertion: { credential_types_supported: ['api_key'] },
      },
    })
    const text = await open('GET', new URL(json.agent_auth.skill).pathname)
    expect(text.headers.get('content-type')).toMatch(/^text\/markdown/)
    expect(text.text).toContain('POST ')
    expect((await open('GET', '/agent-onboarding/SKILL.md')).text).toContain(`${service.url}/cli-auth?code_challenge=`)
  })
})

describe('OAuth for MCP clients', () => {
  const CALLBACK = 'http://127.0.0.1:9/callback?of=mcp'
  const verifier = randomBytes(32).toString('base64url')

  const decide = (query: string, consent?: boolean) =>
    service.call('POST', '/api/auth/oauth/authorize', { query, consent })
  const register = (...redirect_uris: string[]) => open('POST', '/oauth/register', { redirect_uris })
  const exchange = async (fields: Record<string, string>) => {
    const answer = await fetch(`${service.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: answer.status, json: (await answer.json()) as Json }
  }
  const queryFor = (client_id: string, change: Record<string, string> = {}) =>
    new URLSearchParams({
      ...{ client_id, redirect_uri: CALLBACK, response_type: 'code', state: 's' },
      ...{ code_challenge: sha256(verifier), code_challenge_method: 'S256', ...change },
    }).toString()
  const codeFor = async (client_id: string) => {
    const { json } = await decide(queryFor(client_id), true)
    return new URL(json.redirect).searchParams.get('code') ?? ''
  }
  const whoami = (key: string) => callsWith(service, key)('GET', '/v2/admin/me')

  it('serves the released client: registration, consent, tools, rotation, and an end by reuse or revocation', async () => {
    const { provider, kept } = hostedClient(CALLBACK)
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { authProvider: provider })
      const client = new Client({ name: 'hosted', version: '1' })
      await client.connect(transport as Parameters<Client['connect']>[0]).catch((error: Error) => {
        throw Object.assign(error, { transport })
      })
      return client
    }
    const refused = (await connect().catch((error: unknown) => error)) as { transport: StreamableHTTPClientTransport }
    expect(kept.wanted.pathname).toBe('/oauth-authorize')
    expect(kept.wanted.searchParams.get('resource')).toBe(`${service.url}/mcp`)
    const query = kept.wanted.search.slice(1)
    expect((await decide(query)).json).toEqual({ client: 'Hosted', host: '127.0.0.1:9' })
    const agreed = new URL((await decide(query, true)).json.redirect)
    expect(agreed.href.startsWith(`${CALLBACK}&`)).toBe(true)
    expect(agreed.searchParams.get('state')).toBe('a state')
    expect(agreed.searchParams.get('iss')).toBe(service.url)
    await refused.transport.finishAuth(agreed.searchParams.get('code') ?? '')
    const client = await connect()
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    await client.close()
    const first = kept.tokens
    const me = (await whoami(first.access_token)).json.data
    expect(me).toMatchObject({ key: { name: 'Hosted (OAuth)', rights: [] }, isAdmin: false })
    const listed = async () =>
      (await service.call('GET', '/v2/admin/keys')).json.data.find(({ id }: Json) => id === me.key.id)
    expect(lifeOf(await listed())).toBeLessThanOrEqual(1)
    expect(await auth(provider, { serverUrl: `${service.url}/mcp` })).toBe('AUTHORIZED')
    expect(kept.tokens.refresh_token).not.toBe(first.refresh_token)
    expect((await whoami(first.access_token)).status).toBe(401)
    expect((await whoami(kept.tokens.access_token)).json.data.key.id).toBe(me.key.id)
    // Whoever comes with a token that was used has copied it, or was copied.
    const { client_id } = kept.client
    const stolen = { grant_type: 'refresh_token', refresh_token: first.refresh_token, client_id }
    expect(await exchange(stolen)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    await expect.poll(async () => (await whoami(kept.tokens.access_token)).status).toBe(401)
    expect(await exchange({ ...stolen, refresh_token: kept.tokens.refresh_token })).toMatchObject({ status: 400 })
  })

  it('exchanges a code once, for the client, the redirect and the challenge that it was made for', async () => {
    const { json: client } = await register(CALLBACK)
    const { json: other } = await register(CALLBACK)
    const form = (code: string, change: Record<string, string> = {}) => ({
      ...{ grant_type: 'authorization_code', code, client_id: client.client_id, redirect_uri: CALLBACK },
      ...{ code_verifier: verifier, ...change },
    })
    const wrongs: Record<string, string>[] = [
      { code_verifier: randomBytes(32).toString('base64url') },
      { client_id: other.client_id },
      { redirect_uri: `${CALLBACK}&more` },
      { resource: 'https://elsewhere.example/' },
    ]
    for (const wrong of wrongs) {
      const code = await codeFor(client.client_id)
      expect(await exchange(form(code, wrong))).toMatchObject({ status: 400 })
      // It allows no second try.
      expect((await exchange(form(code))).json.error).toBe('invalid_grant')
    }
    const code = await codeFor(client.client_id)
    const both = await Promise.all([exchange(form(code)), exchange(form(code))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await exchange(form(client.client_id))).json.error).toBe('invalid_grant')
  })

  it('redirects nowhere but to what was registered, and requires PKCE and a person with rights', async () => {
    for (const wrong of ['http://evil.example/', 'javascript:alert(1)', 'https://a@b.example/', 'https://b.example/#x'])
      expect((await register(wrong)).json.error, wrong).toBe('invalid_redirect_uri')
    const { json: client } = await register(CALLBACK, 'https://client.example/cb')
    for (const redirect_uri of [
      'https://client.example/cb/',
      'https://client.example/cb?x',
      'https://evil.example/',
      '',
    ])
      expect((await decide(queryFor(client.client_id, { redirect_uri }), true)).status, redirect_uri).toBe(400)
    expect((await decide(queryFor(`${client.client_id}x`), true)).status).toBe(400)
    const errorOf = async (change: Record<string, string>, consent = true) =>
      new URL((await decide(queryFor(client.client_id, change), consent)).json.redirect).searchParams.get('error')
    expect(await errorOf({ code_challenge_method: 'plain' })).toBe('invalid_request')
    expect(await errorOf({ code_challenge: 'short' })).toBe('invalid_request')
    expect(await errorOf({ response_type: 'token' })).toBe('unsupported_response_type')
    expect(await errorOf({ resource: 'https://elsewhere.example/mcp' })).toBe('invalid_target')
    expect(await errorOf({ scope: 'admin' })).toBe('invalid_scope')
    expect(await errorOf({}, false)).toBe('access_denied')
    const undecided = await decide(queryFor(client.client_id, { response_type: 'token' }))
    expect([undecided.status, undecided.json.redirect]).toEqual([400, undefined])
    const member = await newKey(service, { name: 'plain' })
    const body = { query: queryFor(client.client_id), consent: true }
    expect((await member.call('POST', '/api/auth/oauth/authorize', body)).status).toBe(403)
  })

  it('is off unless the operator switches it on', async () => {
    const off = (path: string, body?: unknown) => request(plain.url + path, body ? 'POST' : 'GET', body, {})
    expect((await off('/oauth/register', { redirect_uris: [CALLBACK] })).status).toBe(403)
    expect((await off('/.well-known/oauth-authorization-server')).json.token_endpoint).toBeUndefined()
  })
})

describe('sign-in to the dashboard by OpenID Connect', () => {
  const begin = async () => {
    const answer = await fetch(`${service.url}/api/session/oidc`, { redirect: 'manual' })
    const location = answer.headers.get('location') ?? ''
    return { location, cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' }
  }
  const comeBack = (cookie: string, query: Record<string, string>) =>
    fetch(`${service.url}/api/session/oidc/callback?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      headers: { cookie },
    })
  const signIn = async (claims: JWTPayload, change: Record<string, string> = {}) => {
    const { location, cookie } = await begin()
    const state = new URL(location).searchParams.get('state') ?? ''
    const query = { state, code: issuer.consent(location, claims), ...change }
    return { answer: await comeBack(cookie, query), cookie, query }
  }
  const verified = { email: 'Ada@example.com', email_verified: true }
  const whoIs = async (answer: Response) => {
    const proof = /#session=([\w-]{43})$/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
    const session = answer.headers.getSetCookie().find((one) => one.startsWith('orb-session')) ?? ''
    expect(session).toMatch(/HttpOnly; SameSite=Strict/)
    const headers = { cookie: session.split(';', 1)[0] ?? '', 'x-orb-session': proof }
    return (await request(`${service.url}/v2/admin/me`, 'GET', undefined, headers)).json.data
  }

  it('gives a session whose key is listed, ends by itself and has the rights of the groups, once', async () => {
    const { answer, cookie, query } = await signIn(verified)
    expect(answer.status).toBe(302)
    const me = await whoIs(answer)
    expect(me).toMatchObject({ key: { name: 'dashboard of ada@example.com', rights: [] }, isAdmin: false })
    const { json } = await service.call('GET', '/v2/admin/keys')
    const key = json.data.find(({ id }: Json) => id === me.key.id)
    expect(lifeOf(key)).toBeLessThanOrEqual(12)
    expect((await comeBack(cookie, query)).status).toBe(403)
    const keeper = await signIn({ sub: 'bo', groups: ['keepers'] })
    expect(await whoIs(keeper.answer)).toMatchObject({ key: { rights: ['admin'] }, isAdmin: true })
  })

  it.each([
    ['of another domain', { email: 'ada@elsewhere.example', email_verified: true }],
    ['whose address nobody verified', { email: 'ada@example.com', email_verified: false }],
    ['of a domain that only ends alike', { email: 'ada@notexample.com', email_verified: true }],
    ['for another client', { ...verified, aud: 'another' }],
    ['for several clients', { ...verified, aud: ['orb web', 'another'] }],
    ['of another issuer', { ...verified, iss: 'https://elsewhere.example' }],
    ['of another sign-in', { ...verified, nonce: 'another' }],
    ['that is over', { ...verified, exp: ago(120), iat: ago(300) }],
  ])('refuses an identity %s', async (_what, claims) => {
    const { answer } = await signIn(claims)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  })

  it('refuses what was begun in another browser, by another provider, or not at all', async () => {
    expect((await signIn(verified, { state: 'another' })).answer.status).toBe(403)
    expect((await signIn(verified, { iss: 'https://elsewhere.example' })).answer.status).toBe(403)
    expect((await signIn(verified, { code: '' })).answer.status).toBe(403)
    expect((await signIn(verified, { code: 'guessed' })).answer.status).toBe(503)
    const { location } = await begin()
    const state = new URL(location).searchParams.get('state') ?? ''
    expect((await comeBack('', { state, code: issuer.consent(location, verified) })).status).toBe(403)
    expect((await fetch(`${plain.url}/api/session/oidc`)).status).toBe(404)
  })
})

describe('registration by identity assertion', () => {
  const body = (assertion: string) => ({
    type: 'identity_assertion',
    assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
    assertion,
    requested_credential_type: 'api_key',
  })
  const register = async (claims: JWTPayload = {}, header: object = {}, key?: CryptoKey) =>
    open('POST', '/agent/auth', body(await issuer.sign(service.url, claims, header, key)))

  it('is not fooled about its own address by a request', async () => {
    const assertion = await issuer.sign('http://other.example')
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const headers = { host: 'other.example', 'content-type': 'application/json' }
      const asked = http.request(`${service.url}/agent/auth`, { method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
      asked.on('error', reject)
      asked.end(JSON.stringify(body(assertion)))
    })
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, 'audience_mismatch'])
  })

  it('gives a key of a team of its own, the same team every time', async () => {
    const first = await register({ sub: 'ada', email: 'Ada@example.org' })
    expect(first.status, first.text).toBe(200)
    expect(first.json).toMatchObject({
      registration_type: 'identity_assertion',
      credential_type: 'api_key',
      credential_expires: null,
      scopes: ['orbweaver:global'],
    })
    const mine = async (answer: Json) =>
      (await callsWith(service, answer.json.credential)('GET', '/v2/admin/me')).json.data
    expect(await mine(first)).toMatchObject({ team: { name: 'ada@example.org', plan: 'free' }, isAdmin: false })
    const second = await register({ sub: 'ada', email: 'ada@example.org' })
    expect(second.json.credential).not.toBe(first.json.credential)
    expect((await mine(second)).team.id).toBe((await mine(first)).team.id)
    const other = await register({ sub: 'another ada', email: 'ada@example.org' })
    expect((await mine(other)).team.id).not.toBe((await mine(first)).team.id)
    const log = await service.call('GET', '/v2/admin/audit?team=all&action=registration')
    expect(log.json.data[0]).toMatchObject({
      actor: `${issuer.url} another ada`,
      details: { email: 'ada@example.org' },
    })
  })

  it.each([
    ['of another audience', { aud: 'https://elsewhere.example/' }, {}, 400, 'audience_mismatch'],
    ['that is over', { exp: ago(120), iat: ago(300) }, {}, 400, 'expired_assertion'],
    ['that lasts too long', { exp: ago(-3600) }, {}, 400, 'invalid_assertion'],
    ['from the future', { iat: ago(-200) }, {}, 400, 'invalid_assertion'],
    ['without an id', { jti: undefined }, {}, 400, 'invalid_assertion'],
    ['without a subject', { sub: undefined }, {}, 400, 'invalid_assertion'],
    ['of another type', {}, { typ: 'JWT' }, 400, 'invalid_assertion'],
    ['whose address nobody verified', { email_verified: false }, {}, 403, 'access_denied'],
    ['without an address', { email: undefined }, {}, 403, 'access_denied'],
    ['of a domain that may not', { email: 'eve@evil.example' }, {}, 403, 'access_denied'],
    ['of an issuer nobody trusts', { iss: 'https://evil.example' }, {}, 401, 'invalid_issuer'],
    ['of a key nobody knows', {}, { kid: 'other' }, 401, 'invalid_signature'],
  ] as const)('refuses an assertion %s', async (_name, claims, header, status, error) => {
    const answer = await register(claims as JWTPayload, header)
    expect([answer.status, answer.json.error]).toEqual([status, error])
    expect(answer.json.success).toBe(false)
    expect(answer.json.error_description).toBeTruthy()
  })

  it('refuses a forged signature, a shared secret, no signature, and the same assertion twice', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    expect((await register({}, {}, privateKey as CryptoKey)).json.error).toBe('invalid_signature')
    const secret = new TextEncoder().encode('x'.repeat(32))
    const shared = await new SignJWT({ iss: issuer.url })
      .setProtectedHeader({ alg: 'HS256', typ: 'oauth-id-jag+jwt' })
      .sign(secret)
    expect((await open('POST', '/agent/auth', body(shared))).json.error).toBe('invalid_assertion')
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = `${part({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${part({ iss: issuer.url })}.`
    expect((await open('POST', '/agent/auth', body(none))).json.error).toBe('invalid_assertion')
    const assertion = await issuer.sign(service.url, { sub: 'twice' })
    expect((await open('POST', '/agent/auth', body(assertion))).status).toBe(200)
    expect((await open('POST', '/agent/auth', body(assertion))).json.error).toBe('replay_detected')
  })

  it('says what is wrong with a request of another kind, and counts by address', async () => {
    const assertion = 'x'
    for (const [options, error] of [
      [{}, 'invalid_request'],
      [{ ...body(assertion), type: 'anonymous' }, 'invalid_request'],
      [{ ...body(assertion), assertion_type: 'saml' }, 'unsupported_assertion_type'],
      [{ ...body(assertion), requested_credential_type: 'access_token' }, 'unsupported_credential_type'],
      [body('not a token'), 'invalid_assertion'],
      [body('x'.repeat(12_000)), 'invalid_assertion'],
    ] as const) {
      const answer = await open('POST', '/agent/auth', options)
      expect([400, 429]).toContain(answer.status)
      if (answer.status === 400) expect(answer.json.error).toBe(error)
    }
    let limited: Json
    for (let at = 0; at < 70 && !limited; at += 1) {
      const answer = await open('POST', '/agent/auth', body('x'))
      if (answer.status === 429) limited = answer
    }
    expect(limited?.json.error).toBe('rate_limited')
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  it('is off unless the operator names an issuer', async () => {
    const answer = await request(`${plain.url}/agent/auth`, 'POST', body('x'), {})
    expect([answer.status, answer.json.error]).toEqual([403, 'access_denied'])
    const about = await request(`${plain.url}/.well-known/oauth-authorization-server`, 'GET', undefined, {})
    expect(about.json.agent_auth).toBeUndefined()
  })
})
