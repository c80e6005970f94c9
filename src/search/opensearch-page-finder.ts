// A page finder on an OpenSearch or Elasticsearch server.
import { Problem } from '../base/problem.ts'
import { type FoundPage, makeTagFilter, type SearchQuery } from './engine/run-query.ts'
import type { ExternalIndexWriter, PageFinder } from './page-finder.ts'

export type CallSearchServer = (
  request: { method: 'GET' | 'POST' | 'PUT'; path: string; body?: string; type?: string },
  signal: AbortSignal,
) => Promise<{ status: number; text: string }>

const INDEX_NAME = 'orbweaver-pages'
const MAX_RESULTS = 10_000
const FIELDS = ['title^2', 'text', 'links']
const BULK_MS = 30_000
const PRUNE_BATCH_PAGES = 1_000
const MAX_RELATED_PAGES = 20

const MAPPING = {
  mappings: {
    properties: {
      team: { type: 'keyword' },
      tags: { type: 'keyword' },
      number: { type: 'long' },
      version: { type: 'long' },
      minutes: { type: 'long' },
      title: { type: 'text' },
      text: { type: 'text' },
      links: { type: 'text' },
    },
  },
}

export function makeOpenSearchPageFinder(ask: CallSearchServer): PageFinder & ExternalIndexWriter {
  let isMade = false
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body: string | undefined, signal: AbortSignal) => {
    const type = path.endsWith('_bulk?refresh=true') ? 'application/x-ndjson' : 'application/json'
    const { status, text } = await ask({ method, path, ...(body === undefined ? {} : { body, type }) }, signal)
    if (status === 404 && path.includes('/_search')) return { hits: { hits: [] } }
    if (status >= 400 && !(status === 400 && text.includes('resource_already_exists_exception')))
      throw new Problem('search_unavailable', { because: `the search server answered ${status}` })
    return JSON.parse(text) as Answer
  }
  async function make(signal: AbortSignal): Promise<void> {
    if (isMade) return
    await call('PUT', `/${INDEX_NAME}`, JSON.stringify(MAPPING), signal)
    isMade = true
  }
  const search = (body: object, signal: AbortSignal) =>
    call('POST', `/${INDEX_NAME}/_search`, JSON.stringify(body), signal).then(({ hits }) => hits?.hits ?? [])
  async function bulk(lines: readonly string[], signal: AbortSignal): Promise<void> {
    const { items = [] } = await call('POST', `/${INDEX_NAME}/_bulk?refresh=true`, `${lines.join('\n')}\n`, signal)
    // 409: a newer version exists; 404: already removed.
    const bad = items
      .map(({ index, delete: removed }) => index?.status ?? removed?.status ?? 200)
      .find((status) => status >= 400 && status !== 409 && status !== 404)
    if (bad) throw new Error(`the search server refused a page with ${bad}`)
  }

  return {
    most: MAX_RESULTS,
    async put(pages) {
      if (pages.length === 0) return
      const signal = AbortSignal.timeout(BULK_MS)
      await make(signal)
      const lines = pages.flatMap((page) => {
        const { teamId, number, version, title, text, links, tags, minutes } = page
        // The server ignores older versions that arrive late.
        const index = { _id: String(number), version, version_type: 'external_gte' }
        return [
          JSON.stringify({ index }),
          JSON.stringify({ team: teamId, number, version, title, text, links, tags, minutes }),
        ]
      })
      await bulk(lines, signal)
    },
    async held(after) {
      const question = {
        ...{ size: PRUNE_BATCH_PAGES, _source: ['number', 'version'], query: { match_all: {} } },
        ...{ sort: [{ number: 'asc' }], search_after: [after] },
      }
      const hits = await search(question, AbortSignal.timeout(BULK_MS))
      return hits.map(({ _source: { number, version } }) => ({ number, version }))
    },
    async drop(pages) {
      if (pages.length === 0) return
      const lines = pages.map(({ number, version }) =>
        JSON.stringify({ delete: { _id: String(number), version, version_type: 'external_gte' } }),
      )
      await bulk(lines, AbortSignal.timeout(BULK_MS))
    },
    async ranked(teamIds, asked, k, signal) {
      const words =
        asked.query.related === undefined ? [] : await titlesOf(search, teamIds, asked.query.related, signal)
      if (asked.query.related !== undefined && words.length + asked.query.words.length === 0) return []
      const hits = await search(
        questionOf(teamIds, asked, [...asked.query.words, ...words], Math.min(k, MAX_RESULTS)),
        signal,
      )
      return hits.map(({ _source, _score }): FoundPage => {
        const { number, version, minutes } = _source
        return { number, version, score: _score ?? minutes }
      })
    },
    async isEmpty(teamIds, signal) {
      return (await search({ size: 1, query: { terms: { team: teamIds } } }, signal)).length === 0
    },
  }
}

interface Answer {
  hits?: {
    hits: { _score: number | null; _source: { number: number; version: number; minutes: number; title: string } }[]
  }
  items?: { index?: { status: number }; delete?: { status: number } }[]
}

type Search = (body: object, signal: AbortSignal) => Promise<NonNullable<Answer['hits']>['hits']>

async function titlesOf(search: Search, teamIds: readonly string[], place: string, signal: AbortSignal) {
  const host = /^(?:https?:\/\/)?(?:www\.)?([^/?#]+)/i.exec(place)?.[1]?.toLowerCase() ?? place
  const filter = [{ terms: { team: teamIds } }, { terms: { tags: [`site:${host}`] } }]
  const hits = await search({ size: MAX_RELATED_PAGES, query: { bool: { filter } } }, signal)
  return hits.flatMap(({ _source }) => _source.title.split(/\s+/)).filter(Boolean)
}

function questionOf(teamIds: readonly string[], asked: SearchQuery, words: readonly string[], size: number): object {
  const { tags, withoutTags } = makeTagFilter(asked)
  const { from, until, newestFirst, query } = asked
  const minutes = {
    ...(from === undefined ? {} : { gte: Math.ceil(from / 60_000) }),
    ...(until === undefined ? {} : { lte: Math.floor(until / 60_000) }),
  }
  const phrase = (text: string, fields: readonly string[]) => ({ multi_match: { query: text, type: 'phrase', fields } })
  const filter = [
    { terms: { team: teamIds } },
    ...tags.map((group) => ({ terms: { tags: group } })),
    ...(Object.keys(minutes).length > 0 ? [{ range: { minutes } }] : []),
    ...query.phrases.map((text) => phrase(text, ['title', 'text'])),
    ...query.inTitle.map((text) => phrase(text, ['title'])),
  ]
  const must =
    words.length === 0 ? [] : [{ multi_match: { query: words.join(' '), type: 'most_fields', fields: FIELDS } }]
  const must_not = withoutTags.length > 0 ? [{ terms: { tags: withoutTags } }] : []
  return {
    size,
    _source: ['number', 'version', 'minutes', 'title'],
    query: { bool: { filter, must, must_not } },
    sort: newestFirst || words.length === 0 ? [{ minutes: 'desc' }, { number: 'asc' }] : ['_score', { number: 'asc' }],
  }
}
