// The OpenAPI document as strangers use it: a validator accepts it, a generator makes a client's types of it, and those
// compile and say what the service answers.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from '@apidevtools/swagger-parser'
import openapiTS from 'openapi-typescript'
import { expect, it } from 'vitest'
import { makeOpenApiDocument } from '../../src/api/openapi.ts'
import { capabilities } from '../../src/capabilities/index.ts'

type Content = Record<string, { schema?: object }>
interface Operation {
  operationId: string
  tags: string[]
  responses: Record<string, { content?: Content }>
}

const written = makeOpenApiDocument(capabilities, '0.0.0') as { paths: Record<string, Record<string, Operation>> }
/** Both tools change what they are given. */
const copy = () => structuredClone(written)

it('a validator accepts it', async () => {
  await expect(validate(copy() as never)).resolves.toBeDefined()
  const broken = copy()
  delete (broken.paths['/v2/scrape']!.post as Partial<Operation>).responses
  Object.assign(broken, { openapi: 3 })
  await expect(validate(broken as never)).rejects.toThrow()
})

it('every operation says what it answers, and has a name of its own', () => {
  const operations = Object.values(written.paths).flatMap((methods) => Object.values(methods))
  const silent = operations.filter(({ responses, tags }) => {
    const schemas = Object.values(responses[200]?.content ?? {}).map(({ schema }) => schema)
    const isRefusal = responses[200] === undefined && /Not offered|Account|Version 1/.test(tags[0]!)
    return !isRefusal && (schemas.length === 0 || schemas.some((schema) => !schema || Object.keys(schema).length === 0))
  })
  expect(silent.map(({ operationId }) => operationId)).toEqual([])
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  // What only ever refuses has no success to declare: few, and each is known.
  expect(operations.filter(({ responses }) => responses[200] === undefined)).toHaveLength(17)
})

const CLIENT = `import type { paths } from './api.d.ts'
type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { 200: { content: { 'application/json': infer A } } }
} ? A : never

declare const scraped: Answer<'/v2/scrape', 'post'>
export const text: string | null | undefined = scraped.data.markdown
export const status: number = scraped.data.metadata.statusCode
declare const started: Answer<'/v2/crawl', 'post'>
export const id: string = started.id
declare const mapped: Answer<'/v2/map', 'post'>
export const links: string[] = mapped.links.map(({ url }) => url)
declare const older: Answer<'/v1/map', 'post'>
export const olderLinks: string[] = older.links
declare const parsed: Answer<'/v2/parse', 'post'>
export const title = parsed.data.metadata.title
// @ts-expect-error: an answer has no such field
export const wrong = started.nonsense
`

it('a generator makes types of it that compile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orb-openapi-'))
  const types = await openapiTS(copy() as never)
  // Without shared components each operation repeats its schemas, which makes some 180 lines of each.
  const operations = Object.values(written.paths).flatMap((methods) => Object.keys(methods))
  expect(types.split('\n').length / operations.length).toBeLessThan(73)
  writeFileSync(join(folder, 'api.d.ts'), types)
  writeFileSync(join(folder, 'client.ts'), CLIENT)
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
  const { stdout, status } = spawnSync(
    process.execPath,
    [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', '', 'client.ts'],
    { cwd: folder, encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
