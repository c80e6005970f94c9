// Paths of this service's own pages as a browser sees them: below the path of a reverse proxy, if `ORB_PUBLIC_URL` has one.

export type PublicPaths = ReturnType<typeof makePublicPaths>

export function makePublicPaths(publicUrl: string | undefined) {
  const root = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  return {
    of: (path: string) => root + path,
    inHtml: (html: string) => (root ? html.replaceAll(/ (href|src|action)="\//g, ` $1="${root}/`) : html),
  }
}
