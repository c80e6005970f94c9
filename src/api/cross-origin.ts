// Cross-origin access (CORS): any website may call the API, because a key is sent in a header and never in a cookie. The
// headers are constants, which a plugin would compute for each answer.
import type { FastifyInstance } from 'fastify'

const CROSS_ORIGIN = /^\/(v0|v1|v2|r|mcp|oauth|\.well-known)(\/|$)/

const EXPOSED = [
  'x-request-id',
  'www-authenticate',
  'retry-after',
  'deprecation',
  'link',
  ...'limit remaining reset'.split(' ').map((name) => `x-ratelimit-${name}`),
]

const ANSWER_HEADERS = {
  vary: 'Origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
}

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, x-idempotency-key, x-request-id, mcp-protocol-version',
  'access-control-max-age': '86400',
  'content-length': '0',
}

export function allowCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!CROSS_ORIGIN.test(request.url)) {
      reply.header('vary', 'Origin')
      return done()
    }
    reply.headers(ANSWER_HEADERS)
    // An OPTIONS that is no preflight gets the same answer.
    if (request.method === 'OPTIONS') return void reply.code(204).headers(PREFLIGHT_HEADERS).send()
    done()
  })
  server.options('*', (_request, reply) => reply.callNotFound())
}
