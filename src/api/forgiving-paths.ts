// Base addresses as people type them into clients: with a trailing slash (`//v2/scrape`), with the version twice
// (`/v2/v2/scrape`), or without it (`/scrape`). Each is answered as if it had been typed right.

/** `paths` are all routes of the service, with `:name` segments. */
export function forgivingPaths(paths: readonly string[]): (url: string) => string {
  const firstSegment = (path: string) => path.split(/[/?]/, 2)[1] ?? ''
  const versioned = new Set(paths.filter((path) => path.startsWith('/v2/')).map((path) => firstSegment(path.slice(3))))
  // A route that lives at the root keeps its address although a versioned one begins with the same word.
  const atRoot = paths.filter((path) => !/^\/v\d\//.test(path)).map((path) => path.replace(/[:*].*$/, ''))
  return (url) => {
    const path = url.replace(/^\/{2,}/, '/').replace(/^\/(v[12])\/+(?:\1\/+)?/, '/$1/')
    if (!versioned.has(firstSegment(path))) return path
    return atRoot.some((root) => root !== '/' && path.startsWith(root)) ? path : `/v2${path}`
  }
}
