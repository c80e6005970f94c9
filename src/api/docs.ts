// The browsable reference at /docs: Swagger UI reading /openapi.json. All of it is served from here, so it works offline
// and needs nothing but this origin.
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../base/problem.ts'

// The package carries a copy of Swagger UI's own files; its server half is not needed for three static files.
const ASSETS = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Orbweaver API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/begin.js"></script>
</body>
</html>
`

const BEGIN = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, persistAuthorization: true, validatorUrl: null })
`

const files: Readonly<Record<string, { type: string; text?: string }>> = {
  'swagger-ui.css': { type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8' },
  'begin.js': { type: 'text/javascript; charset=utf-8', text: BEGIN },
}

/** Swagger UI writes style attributes and data: images; scripts come from this origin alone. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function addDocs(server: FastifyInstance): void {
  const page = async (_request: unknown, reply: FastifyReply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE)
  server.get('/docs', page)
  server.get('/docs/', page)
  server.get<{ Params: { file: string } }>('/docs/:file', async ({ params: { file } }, reply) => {
    const asset = Object.hasOwn(files, file) ? files[file] : undefined
    if (!asset) throw new Problem('not_found')
    return reply.type(asset.type).send(asset.text ?? createReadStream(join(ASSETS, file)))
  })
}
