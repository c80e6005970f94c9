// When a page was made, by its own word: what its metadata states, else a date in its address, else the newest of the
// moments that it marks in its text.

/** Earlier dates are those of old books and of clocks that were never set. */
const EARLIEST = Date.UTC(1995, 0)
const MONTH_IN_PATH = /\/((?:19|20)\d\d)\/(\d{1,2})(?:\/|$)/
const STATED = ['publishedTime', 'dcDate', 'dcDateCreated', 'dcTermsCreated', 'modifiedTime']
const MARKED = /<time\b[^>]{0,300}?\bdatetime\s*=\s*["']?([^"'>]{4,60})/gi

/** code: { parseTree, readMetadata, makeLinkResolver, parseDate }. Epoch milliseconds; undefined when the page tells none. */
export function pageDate({ html, url }, { parseTree, readMetadata, makeLinkResolver, parseDate }) {
  const read = (text) => {
    const found = parseDate(String(text))
    const at = found && Date.UTC(found.year, found.month - 1, found.day)
    return at >= EARLIEST && at <= Date.now() ? at : undefined
  }
  const first = (list) => list.flatMap((text) => (text === undefined ? [] : (read(text) ?? [])))[0]
  const source = html()
  const metadata = readMetadata(parseTree(source).tree, makeLinkResolver(url || 'http://localhost/'))
  const path = url && URL.canParse(url) ? new URL(url).pathname : ''
  const [, year, month] = MONTH_IN_PATH.exec(path) ?? []
  const inPath = [path, year && `${year}-${month}-1`]
  const marked = [...source.matchAll(MARKED)].flatMap(([, text]) => read(text) ?? [])
  return (
    first(STATED.map((key) => metadata[key])) ?? first(inPath) ?? (marked.length > 0 ? Math.max(...marked) : undefined)
  )
}
