// A server that speaks as much of OpenSearch's protocol as a client of it needs: making an index, bulk writes with external
// versions, and searches with the queries below. Anything else is refused, so that a test sees what is really sent.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Filed {
  team: string
  number: number
  version: number
  title: string
  text: string
  links: string[]
  tags: string[]
  minutes: number
}
type Clause = Record<string, Record<string, unknown>>
interface Question {
  size: number
  query: {
    bool?: { filter?: Clause[]; must?: Clause[]; must_not?: Clause[] }
    terms?: Record<string, string[]>
    match_all?: object
  }
  sort?: unknown[]
  search_after?: [number]
}

export interface OpenSearchServer {
  url: string
  /** What it holds, by id. */
  pages: ReadonlyMap<string, Filed>
  /** Requests by path. */
  asked: readonly string[]
  /** From now on every answer is this status; 0: well again. */
  fail(status: number): void
  close(): Promise<void>
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

export async function startOpenSearch(): Promise<OpenSearchServer> {
  const pages = new Map<string, Filed>()
  const asked: string[] = []
  let failing = 0
  let exists = false
  const answer = (method: string, path: string, body: string): { status: number; json: object } => {
    if (failing) return { status: failing, json: { error: 'failing' } }
    if (method === 'PUT' && path === '/orbweaver-pages') {
      if (exists) return { status: 400, json: { error: { type: 'resource_already_exists_exception' } } }
      exists = true
      return { status: 200, json: { acknowledged: true } }
    }
    if (method === 'POST' && path === '/orbweaver-pages/_bulk?refresh=true')
      return { status: 200, json: { items: bulk(body, pages) } }
    if (method === 'POST' && path === '/orbweaver-pages/_search') {
      if (!exists) return { status: 404, json: { error: { type: 'index_not_found_exception' } } }
      return { status: 200, json: { hits: { hits: search(JSON.parse(body) as Question, pages) } } }
    }
    return { status: 405, json: { error: `${method} ${path}` } }
  }
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.headers.authorization !== `Basic ${Buffer.from('orb:secret').toString('base64')}`)
      return void response.writeHead(401).end('{}')
    const { status, json } = answer(request.method ?? '', request.url ?? '', await bodyOf(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://orb:secret@127.0.0.1:${port}`,
    pages,
    asked,
    fail(status) {
      failing = status
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function bulk(body: string, pages: Map<string, Filed>): object[] {
  const lines = body.trim().split('\n')
  const items: object[] = []
  for (let at = 0; at < lines.length; at++) {
    const [action, { _id, version, version_type }] = Object.entries(
      JSON.parse(lines[at]!) as Record<'index' | 'delete', Record<string, unknown>>,
    )[0]!
    const known = pages.get(String(_id))
    const isOld = version_type === 'external_gte' && known !== undefined && known.version > Number(version)
    if (action === 'delete') {
      if (!isOld) pages.delete(String(_id))
      items.push({ delete: { status: isOld ? 409 : known ? 200 : 404 } })
      continue
    }
    const page = JSON.parse(lines[++at]!) as Filed
    if (!isOld) pages.set(String(_id), page)
    items.push({ index: { status: isOld ? 409 : 201 } })
  }
  return items
}

function search({ size, query, sort = [], search_after }: Question, pages: ReadonlyMap<string, Filed>): object[] {
  const { filter = query.terms ? [{ terms: query.terms }] : [], must = [], must_not = [] } = query.bool ?? {}
  const found = [...pages.values()].flatMap((page) => {
    if (!filter.every((clause) => scoreOf(clause, page) > 0)) return []
    if (must_not.some((clause) => scoreOf(clause, page) > 0)) return []
    const scores = must.map((clause) => scoreOf(clause, page))
    return scores.includes(0) ? [] : [{ _source: page, _score: scores.reduce((a, b) => a + b, 0) }]
  })
  if (JSON.stringify(sort) === '[{"number":"asc"}]')
    return found
      .filter(({ _source }) => _source.number > (search_after?.[0] ?? 0))
      .sort((a, b) => a._source.number - b._source.number)
      .slice(0, size)
  const isByDate = JSON.stringify(sort).includes('minutes')
  found.sort((a, b) => (isByDate ? b._source.minutes - a._source.minutes : b._score - a._score))
  return found.slice(0, size)
}

function scoreOf(clause: Clause, page: Filed): number {
  const [name, value] = Object.entries(clause)[0]!
  if (name === 'terms') {
    const [field, wanted] = Object.entries(value)[0] as [keyof Filed, string[]]
    const has = [page[field]].flat().map(String)
    return wanted.some((one) => has.includes(one)) ? 1 : 0
  }
  if (name === 'range') {
    const { gte = 0, lte = Number.POSITIVE_INFINITY } = value.minutes as { gte?: number; lte?: number }
    return page.minutes >= gte && page.minutes <= lte ? 1 : 0
  }
  if (name !== 'multi_match') throw new Error(`no such query: ${name}`)
  const { query, type, fields } = value as { query: string; type: string; fields: string[] }
  const wanted = wordsOf(query)
  return fields.reduce((sum, field) => {
    const [plain = '', boost = '1'] = field.split('^')
    const has = wordsOf([page[plain as 'title' | 'text' | 'links']].flat().join(' '))
    if (type === 'phrase') return sum + (` ${has.join(' ')} `.includes(` ${wanted.join(' ')} `) ? 1 : 0)
    return sum + Number(boost) * wanted.filter((word) => has.includes(word)).length
  }, 0)
}
