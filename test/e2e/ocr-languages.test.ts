// OCR beyond English: `orb ocr` gets language data from a registry, and pages are read with the script they are in.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { JsonBytes } from '../../src/base/json-bytes.ts'
import { openDocumentProcessPool } from '../../src/scrape/workshop/document-process-pool.ts'
import { emptyFolder, runToEnd } from './service.ts'

const fixture = (name: string) => readFileSync(new URL(`../documents/ocr/${name}`, import.meta.url))

/** One entry and the two empty blocks that end an archive. */
function packed(name: string, bytes: Buffer): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(bytes.length.toString(8).padStart(11, '0'), 124)
  header.write('0', 156)
  return gzipSync(Buffer.concat([header, bytes, Buffer.alloc(((512 - (bytes.length % 512)) % 512) + 1024)]))
}

const tarball = packed('package/4.0.0_best_int/heb.traineddata.gz', fixture('heb.traineddata.gz'))
const sha512 = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`
const registry = http.createServer(({ url = '', headers }, response) => {
  const entry = (integrity: string) =>
    JSON.stringify({
      'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { dist: { tarball: `http://${headers.host}/data.tgz`, integrity } } },
    })
  if (url === '/data.tgz') response.end(tarball)
  else if (url === '/@tesseract.js-data%2fheb') response.end(entry(sha512(tarball)))
  else if (url === '/@tesseract.js-data%2fell') response.end(entry(sha512(Buffer.from('another file'))))
  else response.writeHead(404).end('{}')
})
const dataDir = emptyFolder()
let env: Record<string, string>
beforeAll(async () => {
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const { port } = registry.address() as AddressInfo
  env = { ORB_DATA_DIR: dataDir, ORB_NPM_REGISTRY: `http://127.0.0.1:${port}` }
})
afterAll(() => void registry.close())

it('`orb ocr add` gets what the registry has, and nothing that is not what it says', async () => {
  const known = await runToEnd(env, ['ocr', '--json'])
  expect(JSON.parse(known.out).languages).toEqual([{ code: 'eng', script: 'Latin' }])
  const added = await runToEnd(env, ['ocr', 'add', 'he', '--json'])
  expect(added.code, added.err).toBe(0)
  expect(JSON.parse(added.out).languages).toContainEqual({ code: 'heb', script: 'Hebrew' })
  const changed = await runToEnd(env, ['ocr', 'add', 'el'])
  expect([changed.code, changed.err]).toEqual([1, expect.stringMatching(/checksum/)])
  const missing = await runToEnd(env, ['ocr', 'add', 'ru'])
  expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/the registry has no/)])
  const unknown = await runToEnd(env, ['ocr', 'add', 'klingon'])
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringMatching(/no OCR data for "klingon"; known are en/)])
})

it('a page is read in its own script, and says when the data for it is not there', async () => {
  const script = new URL('../../dist/scrape/workshop/document-child.js', import.meta.url)
  const read = async (ocrFolder?: string) => {
    const children = openDocumentProcessPool({ script, most: 1, memoryMb: 1500, ...(ocrFolder ? { ocrFolder } : {}) })
    try {
      const { materials, warnings } = await children.digest(
        {
          bytes: fixture('hebrew.png'),
          contentType: undefined,
          url: 'https://e.com/',
          choices: { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
          needs: ['markdown'],
          reads: [],
          name: 'hebrew.png',
          options: { image: true, pdf: { mode: 'auto', maxPages: 1, pageMarkers: false, pages: false, blocks: true } },
        },
        240_000,
        new AbortController().signal,
      )
      return { markdown: materials.markdown ? new JsonBytes<string>(materials.markdown).value() : '', warnings }
    } finally {
      await children.close()
    }
  }
  const without = await read()
  expect(without.warnings.join(' ')).toMatch(/orb ocr add <language>/)
  const { markdown, warnings } = await read(join(dataDir, 'ocr'))
  expect(markdown.replace(/\s+/g, ' ')).toContain('משרד הנמל נפתח בשבע בבוקר ונסגר בשבע בערב')
  expect(warnings).toEqual([])
})
