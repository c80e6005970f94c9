// `orb sync`: a folder that follows a site, through edits, deletions and kill -9, and the chunks on their way to an index.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import type { Chunk } from '../../src/cli/sync/chunk-index.ts'
import { openOpenSearchChunkIndex } from '../../src/cli/sync/opensearch-index.ts'
import { openPgvectorChunkIndex } from '../../src/cli/sync/pgvector-index.ts'
import { openQdrantChunkIndex } from '../../src/cli/sync/qdrant-index.ts'
import { writeChunksToIndex } from '../../src/cli/sync/sync-targets.ts'
import { newDatabase } from '../contract/open-store.ts'
import type { Page } from '../site/site.ts'
import { type Json, launch, runToEnd } from './service.ts'
import { shared } from './shared.ts'
import { finished, until } from './waiting.ts'

vi.setConfig({ testTimeout: 300_000 })

const texts = new Map<string, string>()
const sentence = (what: string) => `This page is about ${what}, which is described here at some length for readers.`
const book: Page = ({ response, url }) => {
  const name = url.pathname.split('/')[2] ?? ''
  const text = name === '' ? sentence('the book') : texts.get(name)
  response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
  const links = [...texts.keys()].map((one) => `<li><a href="/book/${one}">${one}</a></li>`).join('')
  const main = `<main><h1>Chapter ${name}</h1><p>${text ?? 'Nothing here.'}</p></main>`
  response.end(`<title>Of ${name}</title>${main}<nav><ul>${links}</ul></nav>`)
}
const { site, service } = shared({ '/book/': book, '/book/*': book })

const root = mkdtempSync(join(tmpdir(), 'orb-sync-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const env = () => ({ ORB_URL: service.url, ORB_API_KEY: service.key })
const args = (folder: string, ...more: string[]) => ['sync', `${site.url}/book/`, folder, '--sitemap', 'skip', ...more]
const orb = (folder: string, ...more: string[]) => runToEnd(env(), args(folder, ...more))
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
const textsIn = (folder: string) => filesIn(folder).map((name) => readFileSync(join(folder, name), 'utf8'))

describe('orb sync', () => {
  it('keeps a folder true, mends it, and takes up where a killed run stopped', async () => {
    for (const name of ['one', 'two', 'three', 'four']) texts.set(name, sentence(`chapter ${name}`))
    const folder = join(root, 'book')
    const first = await orb(folder)
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('5 new, 0 changed') })
    expect(filesIn(folder)).toHaveLength(5)
    const one = join(folder, filesIn(folder).find((name) => name.endsWith('one.md'))!)
    expect(readFileSync(one, 'utf8')).toMatch(
      /^---\nurl: ".*\/book\/one"\ntitle: "Of one"\nhash: "[0-9a-f]{64}"\nfetched: "20/,
    )

    texts.set('two', sentence('a new chapter two'))
    texts.delete('three')
    // Somebody spoilt a file.
    writeFileSync(one, readFileSync(one, 'utf8').replace('chapter one', 'nonsense'))
    const second = await orb(folder, '--delete')
    expect(second.out).toContain('0 new, 1 changed, 1 removed, 3 the same, 1 files mended')
    expect(filesIn(folder)).toHaveLength(4)
    expect(textsIn(folder).join('')).toContain('a new chapter two')
    expect(textsIn(folder).join('')).not.toContain('nonsense')

    texts.set('four', sentence('a new chapter four'))
    const killed = launch(env(), args(folder, '--delete'))
    await until(async () => (await service.call('GET', '/v2/jobs?kind=crawl')).json.data.length >= 3)
    killed.child.kill('SIGKILL')
    const third = await orb(folder, '--delete')
    expect(third.code).toBe(0)
    expect(textsIn(folder).join('')).toContain('a new chapter four')
    expect((await orb(folder, '--delete')).out).toContain('0 new, 0 changed, 0 removed, 4 the same')
  })

  it('hands chunks to a command, and says when the command fails', async () => {
    const folder = join(root, 'chunks')
    const file = join(root, 'chunks.jsonl')
    expect(await orb(folder, '--to', `cat > ${file}`)).toMatchObject({ code: 0 })
    const lines = () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Json)
    const upserts = lines().filter(({ op }) => op === 'upsert')
    expect(upserts.length).toBeGreaterThanOrEqual(texts.size + 1)
    expect(upserts[0]).toMatchObject({ id: expect.any(String), url: expect.any(String), headings: expect.any(Array) })
    texts.set('two', sentence('yet another chapter two'))
    texts.delete('four')
    const broken = await orb(folder, '--to', `cat > ${file}`, '--delete', '--service', 'http://127.0.0.1:9')
    expect(broken.code).toBe(3)
    expect(await orb(folder, '--to', `cat > ${file}`)).toMatchObject({ code: 0 })
    const urls = lines().map(({ op, url, except }) => [op, url.split('/').at(-1), except?.length])
    expect(urls.sort()).toEqual([
      ['delete', 'four', 0],
      ['delete', 'two', 1],
      ['upsert', 'two', undefined],
    ])
    const failing = await orb(join(root, 'fails'), '--to', 'exit 7')
    expect(failing.code).toBe(1)
    expect(failing.err).toContain('exited with 7')
    expect((await orb(join(root, 'fails'), '--to', 'cat > /dev/null')).out).toContain(`${texts.size + 1} new`)
  })

  it('refuses a download without chunks, and a target that it does not know', async () => {
    const { json } = await service.call('POST', '/v2/crawl', { url: `${site.url}/book/`, limit: 1, sitemap: 'skip' })
    await finished(service, json.url)
    const refused = await service.call('GET', `/v2/crawl/${json.id}/download?as=chunks`)
    expect(refused).toMatchObject({ status: 409, json: { error: expect.stringContaining('"chunks"') } })
    const unknown = await orb(join(root, 'unknown'), '--to', 'redis://localhost')
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('--to knows') })
  })
})

const chunk = (id: string, url: string, text: string) =>
  JSON.stringify({ op: 'upsert', id, url, text, headings: ['H'], hash: id, tokens: 3 })
const drop = (url: string, except: string[]) => JSON.stringify({ op: 'delete', url, except })
/** Vectors by an endpoint of their own, and how many texts were sent to it. */
let embedded = 0
const embed = async (all: readonly string[]) => {
  embedded += all.length
  return all.map((text) => [text.length, 1, 0])
}
const signal = new AbortController().signal

describe('indexes', () => {
  it('PostgreSQL holds what the site has, whatever is repeated', async () => {
    const url = await newDatabase(inject('postgresUrl') as string)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const vectors = await client.query("select 1 from pg_available_extensions where name = 'vector'")
    // Few machines have pgvector; text alone is written without it.
    const [dimensions, embedding] = vectors.rowCount === 1 ? [3, embed] : [undefined, undefined]
    const apply = async (...lines: string[]) => {
      const index = await openPgvectorChunkIndex(new URL(`${url}?table=my_docs`), dimensions)
      await writeChunksToIndex(index, lines, embedding, signal)
      await index.close()
    }
    for (let times = 0; times < 2; times++)
      await apply(drop('/a', ['1', '2']), chunk('1', '/a', 'one'), chunk('2', '/a', 'two'), chunk('3', '/b', 'three'))
    await apply(drop('/a', ['1', '4']), chunk('1', '/a', 'one'), chunk('4', '/a', 'four'), drop('/b', []))
    const column = dimensions ? ', embedding::text' : ''
    const { rows } = await client.query(`select id, text${column} from my_docs order by id`)
    await client.end()
    const vector = (first: number) => (dimensions ? { embedding: `[${first},1,0]` } : {})
    expect(rows).toEqual([
      { id: '1', text: 'one', ...vector(5) },
      { id: '4', text: 'four', ...vector(6) },
    ])
  })

  it('Qdrant and OpenSearch are spoken to as documented, and vectors are made once', async () => {
    const points = new Map<string, Json>()
    const documents = new Map<string, Json>()
    let made = 0
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const part of request) text += part
      const path = (request.url ?? '').split('?')[0]
      const answer = (body: object, status = 200) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      }
      const body = (): Json => JSON.parse(text)
      const at = `${request.method} ${path}`
      if (at === 'GET /collections/docs') return made++ === 0 ? answer({ status: {} }, 404) : answer({ result: {} })
      if (at === 'POST /collections/docs/points')
        return answer({ result: body().ids.flatMap((id: string) => points.get(id) ?? []) })
      if (at === 'PUT /collections/docs/points') {
        for (const point of body().points) points.set(point.id, point)
        return answer({ result: {} })
      }
      if (at === 'POST /collections/docs/points/delete') {
        const { must, must_not: not } = body().filter
        for (const [id, { payload }] of points)
          if (payload.url === must[0].match.value && !not[0]?.has_id.includes(id)) points.delete(id)
        return answer({ result: {} })
      }
      if (at === 'GET /docs') return answer({ error: 'no such index' }, 404)
      if (at === 'POST /docs/_mget')
        return answer({ docs: body().ids.map((_id: string) => ({ _id, found: documents.has(_id) })) })
      if (at === 'POST /docs/_bulk') {
        const lines = text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Json)
        for (let n = 0; n < lines.length; n += 2) documents.set(lines[n].index._id, lines[n + 1])
        return answer({ errors: false, items: [] })
      }
      if (at === 'POST /docs/_delete_by_query') {
        const { filter, must_not: not } = body().query.bool
        for (const [id, one] of documents)
          if (one.url === filter[0].term.url && !not[0]?.ids.values.includes(id)) documents.delete(id)
        return answer({ deleted: 1 })
      }
      answer({})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      for (const open of [
        () => openQdrantChunkIndex(new URL(`qdrant+http://${host}/docs`), 3),
        () => openOpenSearchChunkIndex(new URL(`opensearch+http://me:secret@${host}/docs`), 3),
      ]) {
        embedded = 0
        await writeChunksToIndex(
          await open(),
          [chunk('1', '/a', 'one'), chunk('2', '/a', 'two'), chunk('3', '/b', 'three')],
          embed,
          signal,
        )
        await writeChunksToIndex(
          await open(),
          [drop('/a', ['1', '4']), chunk('1', '/a', 'one'), chunk('4', '/a', 'four'), drop('/b', [])],
          embed,
          signal,
        )
        expect(embedded).toBe(4)
      }
      const ids = (all: Iterable<Json>) => [...all].map((one) => (one as { text: string }).text).sort()
      expect(ids([...points.values()].map(({ payload }) => payload as Chunk))).toEqual(['four', 'one'])
      expect(ids(documents.values())).toEqual(['four', 'one'])
      expect([...points.values()][0]).toMatchObject({ vector: [5, 1, 0] })
      expect([...documents.values()][0]).toMatchObject({ embedding: [5, 1, 0] })
    } finally {
      server.close()
    }
  })
})
