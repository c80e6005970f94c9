// Paths of this service's own pages as a browser sees them: below the path of a reverse proxy, if `ORB_PUBLIC_URL` has one.

export interface PublicPaths {
  of(path: string): string
  inHtml(html: string): string
}

export function makePublicPaths(publicUrl: string | undefined): PublicPaths {
  const root = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  return {
    of: (path) => root + path,
    inHtml: (html) => (root ? html.replaceAll(/ (href|src|action)="\//g, ` $1="${root}/`) : html),
  }
}
