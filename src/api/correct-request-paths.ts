// Accepts URLs with common errors: a base with a trailing slash (`//v2/scrape`), a repeated version (`/v2/v2/scrape`) or
// none (`/scrape`), and a slash at the end (`/v2/scrape/`).
import type { IncomingMessage } from 'node:http'

export function makePathCorrector(paths: readonly string[]): (url: string) => string {
  const firstSegment = (path: string) => path.split(/[/?]/, 2)[1] ?? ''
  const versioned = new Set(paths.filter((path) => path.startsWith('/v2/')).map((path) => firstSegment(path.slice(3))))
  // Root routes keep their path even if a versioned route starts with the same word.
  const atRoot = paths.filter((path) => !/^\/v\d\//.test(path)).map((path) => path.replace(/[:*].*$/, ''))
  const correct = new Set(paths.filter((path) => path.startsWith('/v2/')))
  return (url) => {
    if (correct.has(url)) return url
    const path = url.replace(/^\/{2,}/, '/').replace(/^\/(v[012])\/+(?:\1\/+)?/, '/$1/')
    const isAtRoot = !versioned.has(firstSegment(path)) || atRoot.some((root) => root !== '/' && path.startsWith(root))
    return (isAtRoot ? path : `/v2${path}`).replace(/^(\/v[012]\/[^?]*[^/?])\/(?=\?|$)/, '$1')
  }
}

/** The node of n8n leaves out the method of this one call, so that its body comes with a GET. */
export const isCrawlPreviewByGet = ({ method, headers }: IncomingMessage, path: string): boolean =>
  method === 'GET' && path === '/v2/crawl/params-preview' && Number(headers['content-length']) > 0
