// The API reference at /docs/api: Swagger UI with /openapi.json. Served from this origin, so it works offline.
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { DOCS_ICON } from './docs-style-and-search.ts'
import type { PublicPaths } from './public-paths.ts'

// The package includes Swagger UI's files; its server part is not needed for three static files.
const ASSETS = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Orbweaver API</title>
${DOCS_ICON}
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<header class="bar"><a href="/">Orbweaver</a><nav><a href="/">Dashboard</a> <a href="/docs">Docs</a> <a href="/llms.txt">llms.txt</a> <a href="/openapi.json">openapi.json</a></nav></header>
<p class="hint" id="hint"></p>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`

// A dashboard session applies here too: its proof is sent unless a key is given.
const SCRIPT = `const proof = () => localStorage.getItem('orb-session-proof')
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => {
  const theme = localStorage.getItem('orb-theme') ?? (prefersDark.matches ? 'dark' : 'light')
  document.documentElement.classList.toggle('dark-mode', theme === 'dark')
}
paint()
prefersDark.addEventListener('change', paint)
document.getElementById('hint').textContent = proof()
  ? 'You are signed in: “Try it out” works with your session. “Authorize” uses another key instead.'
  : 'Every example can be run: “Authorize” with a key, or sign in to the dashboard, then “Try it out”.'
// Swagger UI's own resolver reads the whole document again for each operation that is opened: seconds each time. All our
// references point into the same document.
const follow = (spec, reference) =>
  reference.slice(2).split('/').reduce((value, name) => value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], spec)
const withoutReferences = (spec, value, within = []) => {
  if (Array.isArray(value)) return value.map((entry) => withoutReferences(spec, entry, within))
  if (value === null || typeof value !== 'object') return value
  const { $ref } = value
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutReferences(spec, entry, within)]))
  // A schema that contains itself stays a reference from there on.
  return within.includes($ref) ? value : withoutReferences(spec, follow(spec, $ref), [...within, $ref])
}
const resolveSubtree = async (spec, path) => ({
  spec: withoutReferences(spec, path.reduce((value, name) => value?.[name], spec)),
  errors: [],
})
const root = document.currentScript.src.replace(/[/]docs[/][^/]*$/, '')
SwaggerUIBundle({
  url: root + '/openapi.json',
  plugins: [() => ({ fn: { resolveSubtree } })],
  dom_id: '#api',
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: -1,
  persistAuthorization: true,
  validatorUrl: null,
  showMutatedRequest: false,
  requestInterceptor(request) {
    const isOurs = new URL(request.url, location.href).origin === location.origin
    if (isOurs && proof() && !request.headers.Authorization) request.headers['x-orb-session'] = proof()
    return request
  },
})
`

const STYLE = `body { margin: 0; background: #fbfaf8; }
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; justify-content: space-between; max-width: 1420px; margin: 0 auto; padding: 1rem 20px; font: 600 1rem system-ui, sans-serif; }
.bar nav { display: flex; gap: 1.25rem; font-weight: 400; font-size: 0.9rem; }
.bar a { color: #0f6b63; text-decoration: none; }
.bar a:hover { text-decoration: underline; }
.hint { max-width: 1420px; margin: 0 auto; padding: 0 20px; color: #4d5856; font: 0.9rem/1.5 system-ui, sans-serif; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info .title { font-size: 1.6rem; }
.swagger-ui .info .link, .swagger-ui .servers-title, .swagger-ui .servers { display: none; }
.swagger-ui .scheme-container { margin: 0 0 1rem; padding: 0 0 0.5rem; background: none; box-shadow: none; }
.swagger-ui .opblock-description pre code, .dark-mode .swagger-ui .opblock-description pre code { padding: 0; background: none; color: inherit; font-weight: 400; overflow-wrap: anywhere; }
.swagger-ui .opblock-description pre { padding: 0.75rem 1rem; border-radius: 0.5rem; background: #f3f1ed; color: #1c2322; white-space: pre-wrap; }
.swagger-ui .opblock .opblock-summary-path { overflow-wrap: anywhere; }
.dark-mode body { background: #1c2022; }
.dark-mode .bar a { color: #5cc9bc; }
.dark-mode .hint { color: #b4bfbc; }
.dark-mode .swagger-ui .opblock-description pre { background: #0d1211; color: #e9eeec; }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock-body { overflow-x: auto; }
}
`

const files: Readonly<Record<string, { type: string; text?: string }>> = {
  'swagger-ui.css': { type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8' },
  'page.css': { type: 'text/css; charset=utf-8', text: STYLE },
  'page.js': { type: 'text/javascript; charset=utf-8', text: SCRIPT },
}

/** Swagger UI needs style attributes and data: images; scripts come from this origin only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const sendApiReferencePage = (reply: FastifyReply, paths: PublicPaths) =>
  reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(paths.inHtml(PAGE))

export function findApiReferenceAsset(file: string) {
  const asset = Object.hasOwn(files, file) ? files[file] : undefined
  return asset && { type: asset.type, content: asset.text ?? createReadStream(join(ASSETS, file)) }
}
