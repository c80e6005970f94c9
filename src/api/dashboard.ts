// The dashboard at `/`: static files and sign-in. The page itself uses the public API.
import { createHash, timingSafeEqual } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { validateInput } from '../base/validate-input.ts'
import type { Store } from '../store/index.ts'
import { isOperator } from '../teams/key-rights.ts'
import type { Caller } from '../teams/keys.ts'
import { makeSeal } from '../teams/sealed-values.ts'
import { teamStore } from '../teams/store/index.ts'
import { type FindCallerByKey, readApiKey } from './auth.ts'
import { type DashboardSessions, isFromThisMachine, isOwnOrigin, makeSetCookieHeader } from './dashboard-session.ts'
import { MAX_BODY_BYTES_WITHOUT_KEY } from './request-limits.ts'

const CODE_MS = 2 * 60_000

export interface DashboardDependencies {
  store: Store
  authenticate: FindCallerByKey
  sessions: DashboardSessions
  clock: Clock
  version: string
  publicUrl: string | undefined
  /** The key for local sign-in with the code printed at startup; undefined: disabled. */
  local: { key: string; code: string } | undefined
  /** A link to the sign-in provider is shown. */
  oidc: object | undefined
  endSession(request: FastifyRequest['raw']): Promise<void>
  callerOf(request: FastifyRequest): Promise<Caller | undefined>
}

const BUILT = fileURLToPath(new URL('../dashboard/', import.meta.url))

export const isDashboardBuilt = (): boolean => existsSync(join(BUILT, 'index.html'))

export const dashboardWarnings = (): string[] =>
  isDashboardBuilt() ? [] : ['The dashboard is not built: `/` returns plain text; the API is complete.']

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
}

/** Same origin only: no foreign scripts, no framing. Images may be generated in the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  // The live view of a session is served from this origin.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify',
].join('; ')

const signIn = z.union([
  z.strictObject({ key: z.string().trim().min(1).max(512).describe('An API key.') }),
  z.strictObject({
    code: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe('The code that the service printed at its start, or of `orb open`.'),
  }),
])

export function addDashboardRoutes(server: FastifyInstance, parts: DashboardDependencies): void {
  const files = builtFiles()
  const page = (reply: FastifyReply) =>
    reply
      .headers({
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
      .type('text/html; charset=utf-8')
      .send(files.page)
  server.get('/', async ({ headers }, reply) => {
    reply.header('vary', 'accept')
    if (files.page && /\btext\/html\b/.test(headers.accept ?? '')) return page(reply)
    return reply.type('text/plain; charset=utf-8').send(greeting(parts.version))
  })
  for (const path of ['/cli-auth', '/oauth-authorize'])
    server.get(path, async (_request, reply) => {
      if (!files.page) throw new Problem('not_found')
      return page(reply)
    })
  server.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file } }, reply) => {
    const bytes = files.assets.get(file)
    if (!bytes) throw new Problem('not_found')
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type(TYPES[extname(file)] ?? 'application/octet-stream')
      .send(bytes)
  })
  addSessionRoutes(server, parts)
}

const greeting = (version: string): string =>
  `Orbweaver ${version}: a web data service.\n\nOpen this URL in a browser for the dashboard.\nThe API is described at /docs (machine readable: /openapi.json). Health: /health.\n`

function addSessionRoutes(server: FastifyInstance, parts: DashboardDependencies): void {
  const { authenticate, sessions, clock } = parts
  // Valid once, so a code found later in a terminal or log is useless.
  let local = parts.local
  const codes = openSignInCodes(parts.store, clock)
  server.post('/api/session/code', { bodyLimit: MAX_BODY_BYTES_WITHOUT_KEY }, async (request) => {
    const key = readApiKey(request.headers.authorization)
    if (key === undefined) throw new Problem('bad_request', { because: 'a sign-in code needs an API key; send one' })
    return {
      success: true,
      data: { code: await codes.make(key), seconds: CODE_MS / 1000 },
    }
  })
  server.get('/api/session', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const caller = await parts.callerOf(request)
    return {
      success: true,
      data: {
        ...stateOf(caller),
        local: local !== undefined && isFromThisMachine(request.raw),
        oidc: parts.oidc !== undefined,
      },
    }
  })
  server.post('/api/session', { bodyLimit: MAX_BODY_BYTES_WITHOUT_KEY }, async (request, reply) => {
    if (!isOwnOrigin(request.raw, parts.publicUrl))
      throw new Problem('forbidden', { because: 'only the dashboard’s own page can sign in' })
    const asked = validateInput(signIn, request.body ?? {})
    const atStart = 'code' in asked && isFromThisMachine(request.raw) && local && fits(asked.code, local.code)
    const key = 'key' in asked ? asked.key : atStart ? local?.key : await codes.take(asked.code)
    if (key === undefined)
      throw new Problem('forbidden', {
        because:
          'the code that the service prints at start works only once, on the machine it runs on; paste an API key instead (`npx orbweaver keys` shows yours)',
      })
    if (atStart) local = undefined
    const caller = await authenticate(key)
    if (!caller)
      throw new Problem('unauthorized', { instead: 'This key does not exist. `npx orbweaver keys` lists yours.' })
    const { cookie, proof } = sessions.begin(key, clock.now())
    const isSecure = request.headers.origin?.startsWith('https:') ?? false
    reply.headers({ 'set-cookie': makeSetCookieHeader(request.raw, cookie, isSecure), 'cache-control': 'no-store' })
    return { success: true, data: { ...stateOf(caller), proof } }
  })
  server.delete('/api/session', async (request, reply) => {
    if (!isOwnOrigin(request.raw, parts.publicUrl)) throw new Problem('forbidden')
    await parts.endSession(request.raw)
    reply.headers({ 'set-cookie': makeSetCookieHeader(request.raw, '', false), 'cache-control': 'no-store' })
    return { success: true }
  })
}

/** Any process on the database takes a code, and none takes it twice. */
function openSignInCodes(store: Store, clock: Clock) {
  const seal = makeSeal(store)
  return {
    make: (key: string) => seal.close('dashboard', { key, until: clock.now() + CODE_MS }),
    async take(code: string): Promise<string | undefined> {
      const found = await seal.open<{ key: string; until: number }>('dashboard', code)
      if (!found || found.until <= clock.now()) return undefined
      const isFirst = await teamStore(store).onboarding.useAssertion(`open ${hash(code)}`, found.until)
      return isFirst ? found.key : undefined
    },
  }
}

const fits = (given: string, code: string): boolean => timingSafeEqual(digest(given), digest(code))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const hash = (text: string): string => digest(text).toString('base64url')

const stateOf = (caller: Caller | undefined) =>
  caller
    ? {
        signedIn: true,
        team: caller.teamName,
        teamId: caller.teamId,
        keyId: caller.keyId,
        mayActForOthers: isOperator(caller),
      }
    : { signedIn: false }

/** Read once: a few hundred kilobytes, and no path comes from a request. */
function builtFiles(): { page: Buffer | undefined; assets: ReadonlyMap<string, Buffer> } {
  try {
    const folder = join(BUILT, 'assets')
    const assets = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
    return { page: readFileSync(join(BUILT, 'index.html')), assets }
  } catch {
    return { page: undefined, assets: new Map() }
  }
}
