// An issuer of our own that speaks OpenID Connect: people sign in at once, as a keeper.
import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const KEEPER = { email: 'ada@example.com', email_verified: true, groups: ['keepers'] }

/** Seconds since 1970, as tokens have them. */
export const ago = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds

export interface Issuer {
  url: string
  sign(audience: string, claims?: JWTPayload, header?: object, key?: CryptoKey): Promise<string>
  /** A person signs in and is sent back with the code. */
  consent(location: string, claims: JWTPayload): string
  close(): Promise<void>
}

/** An issuer as OpenID Connect knows it: a discovery document, a set of keys, and signatures. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  /** What people were sent with, by the code that they were sent back with. */
  const codes = new Map<string, { wanted: URLSearchParams; claims: JWTPayload }>()
  const exchange = async (asked: http.IncomingMessage): Promise<object | undefined> => {
    let text = ''
    for await (const chunk of asked) text += chunk
    const form = new URLSearchParams(text)
    const found = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const isClient = asked.headers.authorization === `Basic ${btoa('orb%20web:a%3Asecret')}`
    const isProven = sha256(form.get('code_verifier') ?? '') === found?.wanted.get('code_challenge')
    const isSame = form.get('redirect_uri') === found?.wanted.get('redirect_uri')
    if (!found || !isClient || !isProven || !isSame) return undefined
    const times = { iat: ago(0), exp: ago(-120), nonce: found.wanted.get('nonce') }
    const claims = { iss: url, aud: 'orb web', sub: 'ada', ...times, ...found.claims }
    const header = { alg: 'ES256', kid: 'one' }
    return { token_type: 'Bearer', id_token: await new SignJWT(claims).setProtectedHeader(header).sign(privateKey) }
  }
  const consent = (location: string, claims: JWTPayload) => {
    const code = randomUUID()
    codes.set(code, { wanted: new URL(location).searchParams, claims })
    return code
  }
  const server = http.createServer(async (asked, response) => {
    response.setHeader('content-type', 'application/json')
    const places = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` }
    if (asked.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys`, ...places }))
    else if (asked.url === '/token') {
      const answer = await exchange(asked)
      response.writeHead(answer ? 200 : 400).end(JSON.stringify(answer ?? { error: 'invalid_grant' }))
    } else if (asked.url === '/keys') response.end(JSON.stringify({ keys: [jwk] }))
    else if (asked.url?.startsWith('/authorize?')) {
      const wanted = new URL(asked.url, url)
      const answer = { state: wanted.searchParams.get('state') ?? '', code: consent(wanted.href, KEEPER) }
      const location = `${wanted.searchParams.get('redirect_uri')}?${new URLSearchParams(answer)}`
      response.writeHead(302, { location }).end()
    } else response.writeHead(404).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    sign: (audience, claims = {}, header = {}, key = privateKey as CryptoKey) =>
      new SignJWT({
        iss: url,
        aud: `${audience}/`,
        sub: 'someone',
        email: 'someone@example.com',
        email_verified: true,
        jti: randomUUID(),
        iat: ago(0),
        exp: ago(-120),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'one', ...header })
        .sign(key),
    consent,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
