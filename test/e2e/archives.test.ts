// Results written into a bucket, and archives of pages read into the index, by the routes and the command line.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { newTeam } from './team.ts'
import { finished } from './waiting.ts'

const folder = mkdtempSync(join(tmpdir(), 'orb-archives-'))
const keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' }
const { site, service, operator } = shared()
let bucket: S3rver
let endpoint: string
let id: string
beforeAll(async () => {
  bucket = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder },
    configureBuckets: [{ name: 'pages' }],
  })
  endpoint = `http://127.0.0.1:${(await bucket.run()).port}`
  const urls = ['article', 'docs', 'forum'].map((name) => `${site.url}/${name}`)
  const { json } = await service.call('POST', '/v2/batch/scrape', { urls })
  id = json.id
  await finished(service, json.url)
})
afterAll(async () => {
  await bucket.close()
  rmSync(folder, { recursive: true, force: true })
})

const download = async (format: string) => {
  const headers = { authorization: `Bearer ${service.key}` }
  return Buffer.from(
    await (await fetch(`${service.url}/v2/jobs/${id}/download?format=${format}`, { headers })).arrayBuffer(),
  )
}

describe('the results of a job in a bucket', () => {
  const toBucket = (body: object) =>
    service.call('POST', `/v2/jobs/${id}/export`, { endpoint, bucket: 'pages', ...keys, ...body })

  it('are the file of a download', async () => {
    const { status, json } = await toBucket({ object: 'tides/today.jsonl' })
    expect([status, json.data]).toEqual([
      200,
      { bucket: 'pages', object: 'tides/today.jsonl', bytes: expect.any(Number) },
    ])
    const stored = readFileSync(join(folder, 'pages', 'tides', 'today.jsonl._S3rver_object'))
    expect(stored.equals(await download('jsonl'))).toBe(true)
    expect(stored.length).toBe(json.data.bytes)
    expect((await toBucket({ format: 'parquet' })).json.data.object).toBe(`batch-${id}.parquet`)
  })

  it('are refused with what is wrong', async () => {
    const error = async (body: object) => {
      const { status, json } = await toBucket(body)
      return [status, JSON.stringify([json.error, json.details])]
    }
    expect(await error({ bucket: 'none' })).toEqual([503, expect.stringContaining('does not exist')])
    expect(await error({ secretKey: 'wrong' })).toEqual([503, expect.stringContaining('SignatureDoesNotMatch')])
    for (const key of ['../other/x', 'a//b', '/a', 'a/../b', 'a?b', '.'])
      expect(await error({ object: key })).toEqual([400, expect.stringContaining('is not a valid object name')])
    const other = await newTeam(operator, 'archives: another team')
    const { status } = await other.call('POST', `/v2/jobs/${id}/export`, { endpoint, bucket: 'pages', ...keys })
    expect(status).toBe(404)
  })

  it('are not sent to a private address that the operator has not opened', async () => {
    const { status, json } = await toBucket({ endpoint: 'http://10.0.0.1:9000' })
    expect([status, json.error]).toEqual([403, expect.stringContaining('not on the public web')])
  })
})

describe('an archive', () => {
  const importFile = async (file: Buffer, key: string) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(file)]), 'pages.warc')
    const answer = await fetch(`${service.url}/v2/search/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    return { status: answer.status, json: (await answer.json()) as Json }
  }

  it('is found by a search of its team, and of no other', async () => {
    const team = await newTeam(operator, 'archives: reader')
    const { status, json } = await importFile(await download('warc'), team.key)
    expect([status, json.data]).toEqual([200, { pages: 3, skipped: 0, errors: [], creditsUsed: 3 }])
    const query = `tide tables site:127.0.0.1`
    const found = async ({ call }: typeof team) =>
      (await call('POST', '/v2/search', { query })).json.data?.web.map(({ url }: { url: string }) => url)
    expect(await found(team)).toContain(`${site.url}/article`)
    expect(await found(await newTeam(operator, 'archives: stranger'))).toBeUndefined()
  })

  it('says what it could not read', async () => {
    const { status, json } = await importFile(Buffer.from('<html>no archive</html>\r\n\r\n'), service.key)
    expect([status, json.error]).toEqual([400, expect.stringContaining('WARC/1.0')])
    const image = Buffer.from(
      `WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: https://tide.example/a.bin\r\nWARC-Date: 2026-03-04T05:06:07Z\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\n\r\n\0\x01\x02\x03\r\n\r\n`,
    )
    expect((await importFile(image, service.key)).json.data).toMatchObject({ pages: 0, skipped: 1 })
    const nothing = await service.call('POST', '/v2/search/import', {})
    expect([nothing.status, nothing.json.error]).toEqual([400, expect.stringContaining('field `file`')])
  })
})
