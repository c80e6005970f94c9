// Accepts base URLs with common errors: a trailing slash (`//v2/scrape`), a repeated version (`/v2/v2/scrape`), or none
// (`/scrape`).
import type { IncomingMessage } from 'node:http'

export function forgivingPaths(paths: readonly string[]): (url: string) => string {
  const firstSegment = (path: string) => path.split(/[/?]/, 2)[1] ?? ''
  const versioned = new Set(paths.filter((path) => path.startsWith('/v2/')).map((path) => firstSegment(path.slice(3))))
  // Root routes keep their path even if a versioned route starts with the same word.
  const atRoot = paths.filter((path) => !/^\/v\d\//.test(path)).map((path) => path.replace(/[:*].*$/, ''))
  return (url) => {
    const path = url.replace(/^\/{2,}/, '/').replace(/^\/(v[012])\/+(?:\1\/+)?/, '/$1/')
    if (!versioned.has(firstSegment(path))) return path
    return atRoot.some((root) => root !== '/' && path.startsWith(root)) ? path : `/v2${path}`
  }
}

/** The node of n8n leaves out the method of this one call, so that its body comes with a GET. */
export const isPreviewByGet = ({ method, headers }: IncomingMessage, path: string): boolean =>
  method === 'GET' && path === '/v2/crawl/params-preview' && Number(headers['content-length']) > 0
