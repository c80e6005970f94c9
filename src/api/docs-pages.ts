// The docs at /docs: pages rendered by the build, with navigation and search. Static and from this origin, so they work
// offline.

import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../base/escape-html.ts'
import { findApiReferenceAsset, sendApiReferencePage } from './api-reference-page.ts'
import { DOCS_ICON, DOCS_SCRIPT, DOCS_STYLE } from './docs-style-and-search.ts'
import type { PublicPaths } from './public-paths.ts'

const BUILT = fileURLToPath(new URL('../docs/', import.meta.url))

type Pages = Readonly<Record<string, string>>

type Groups = readonly (readonly [string, readonly string[]])[]

function readBuiltFile<T>(name: string, none: T): T {
  const file = join(BUILT, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : none
}

function menu(pages: Pages, current: string): string {
  // Reading order (docs/contents.json); unlisted pages come last.
  const contents = readBuiltFile<Groups>('contents.json', [])
  const known = new Set(contents.flatMap(([, names]) => names))
  const others = Object.keys(pages).filter((name) => !known.has(name))
  const groups = [...contents, ['How it works', others] as const]
  const link = (name: string) =>
    `<li><a href="/docs/${name}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(pages[name] ?? name)}</a></li>`
  return groups
    .map(([title, names]) => [title, names.filter((name) => Object.hasOwn(pages, name))] as const)
    .filter(([, names]) => names.length > 0)
    .map(([title, names]) => `<h2>${title}</h2><ul>${names.map(link).join('')}</ul>`)
    .join('')
}

const frame = (pages: Pages, current: string, html: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(pages[current] ?? 'Docs')} · Orbweaver</title>
${DOCS_ICON}
<link rel="stylesheet" href="/docs/frame.css">
<script src="/docs/frame.js" defer></script>
</head>
<body>
<a class="skip" href="#page">To the text</a>
<header><a class="brand" href="/docs">Orbweaver docs</a>
<form role="search" action="/docs"><label><span>Search the docs</span><input type="search" id="search" placeholder="Search" autocomplete="off"></label><div id="found" role="listbox" aria-label="Results" hidden></div></form>
<nav aria-label="Places"><a href="/">Dashboard</a><a href="/docs/api">API</a><a href="/zoo">Zoo</a></nav></header>
<div class="columns"><nav class="menu" aria-label="Pages"><details open><summary>Pages</summary>${menu(pages, current)}</details></nav>
<main id="page">${html}</main></div>
</body>
</html>
`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const NOT_BUILT = '<h1>Docs</h1><p>The pages are not built here. They are in the folder <code>docs/</code>.</p>'

const NOT_FOUND =
  '<h1>There is no such page</h1><p>Go to the <a href="/">dashboard</a>, the <a href="/docs">docs</a> or the <a href="/docs/api">API reference</a>, or search the docs above.</p>'

/** A browser that opens a path, not a client of the API. */
export const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '') && !/^\/(?:v\d|api|mcp)\b/.test(url)

/** Our links, below the path under which a reverse proxy serves us. */
export const sendNotFoundPage = (reply: FastifyReply, paths: PublicPaths) =>
  reply
    .code(404)
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(paths.inHtml(frame(readBuiltFile<Pages>('pages.json', {}), '', NOT_FOUND)))

export function addDocsRoutes(server: FastifyInstance, paths: PublicPaths): void {
  const pages = readBuiltFile<Pages>('pages.json', {})
  const send = (reply: FastifyReply, name: string, html: string) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(paths.inHtml(frame(pages, name, html)))
  const pageOf = (name: string) => readFileSync(join(BUILT, `${name}.html`), 'utf8')

  const sendFirstPage = async (_request: unknown, reply: FastifyReply) =>
    send(reply, 'quick-start', pages['quick-start'] ? pageOf('quick-start') : NOT_BUILT)
  server.get('/docs', sendFirstPage)
  server.get('/docs/', sendFirstPage)
  server.get<{ Params: { file: string } }>('/docs/:file', async ({ params: { file } }, reply) => {
    if (file === 'api') return sendApiReferencePage(reply, paths)
    if (file === 'frame.css') return reply.type('text/css; charset=utf-8').send(DOCS_STYLE)
    if (file === 'frame.js') return reply.type('text/javascript; charset=utf-8').send(DOCS_SCRIPT)
    const name = file.replace(/\.md$/, '')
    if (Object.hasOwn(pages, name)) return send(reply, name, pageOf(name))
    if (file === 'search.json' && existsSync(join(BUILT, file)))
      return reply.type('application/json; charset=utf-8').send(createReadStream(join(BUILT, file)))
    if (/^[\w-]+\.(?:png|gif|svg)$/.test(file) && existsSync(join(BUILT, file)))
      return reply
        .type(`image/${file.endsWith('.svg') ? 'svg+xml' : file.slice(-3)}`)
        .send(createReadStream(join(BUILT, file)))
    const asset = findApiReferenceAsset(file)
    if (!asset) return reply.callNotFound()
    return reply.type(asset.type).send(asset.content)
  })
}
