// POST /v2/parse through the released SDK and by hand, and the upload-reference flow.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findOfficeProgram } from '../../src/scrape/workshop/convert-old-office-files.ts'
import * as office from '../documents/office.mjs'
import * as pdfs from '../documents/pdfs.mjs'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { service } = shared()

const saved = (name: string): Buffer => readFileSync(new URL(`../documents/files/${name}`, import.meta.url))

const parse = (data: Buffer | string, filename: string, options?: object): Promise<Json> =>
  service.sdk.parse({ data, filename }, options as never) as Promise<Json>

async function multipart(parts: Record<string, string | [Buffer, string]>): Promise<{ status: number; json: Json }> {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part)
    else form.append(name, new Blob([new Uint8Array(part[0])]), part[1])
  }
  const response = await fetch(`${service.url}/v2/parse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: form,
  })
  return { status: response.status, json: (await response.json()) as Json }
}

describe('the SDK parses', () => {
  it.each<[string, () => Buffer | string | Promise<Buffer>, string]>([
    ['page.html', () => '<h1>Tides</h1><p>High water at noon.</p>', '# Tides\n\nHigh water at noon.'],
    [
      'page.xhtml',
      () => '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>High water</p></body></html>',
      'High water',
    ],
    ['rules.docx', () => office.docx(), '# Harbour rules'],
    ['rules.docm', () => office.docx({ macros: true }), '# Harbour rules'],
    ['rules.odt', () => office.odt(), '- Fenders'],
    ['rules.rtf', () => office.rtf(), 'Boats must be **moored** by dusk at the café –'],
    ['fees.xlsx', () => office.workbook('xlsx'), '| 10 m | 150.5 |'],
    ['fees.xlsm', () => office.workbook('xlsm'), '| 10 m | 150.5 |'],
    ['fees.xlsb', () => office.workbook('xlsb'), '| 10 m | 150.5 |'],
    ['fees.xls', () => office.workbook('biff8'), '| 10 m | 150.5 |'],
    ['fees.ods', () => office.workbook('ods'), '| 10 m | 150.5 |'],
    ['fees.csv', () => office.csv(), '| 10 "m" | 150 |'],
    ['slides.pptx', () => office.pptx(), '> Notes: Speak slowly here'],
    ['slides.pptm', () => office.pptx(), '[Image: A map of the harbour]'],
    ['slides.odp', () => office.odp(), '- Levels rise slowly'],
    ['tales.epub', () => office.epub(), '# First chapter\n\nThe tide came in.\n\n# Second chapter'],
    ['berth.eml', () => office.eml(), 'Your lease is **extended** at the café.'],
    ['invoice.pdf', () => pdfs.invoice(), '| Item | Quantity | Unit price | Amount |'],
    ['notes.md', () => '# Notes\n\nLow water.', '# Notes'],
    ['notes.txt', () => 'Low water at six.', 'Low water at six.'],
    ['data.json', () => '{"a":1}', '"a": 1'],
    ['data.xml', () => '<tides><tide/></tides>', '<tides>'],
  ])('%s', async (name, make, text) => {
    const document = await parse(await make(), name)
    expect(document.markdown).toContain(text)
    expect(document.metadata).toMatchObject({
      sourceFile: name,
      sourceURL: name,
      url: name,
      statusCode: 200,
      creditsUsed: 1,
      concurrencyLimited: false,
    })
    expect(document.metadata.scrapeId).toMatch(/^[0-9a-f-]{36}$/)
    expect(document.metadata.cacheState).toBeUndefined()
  })

  it.each([
    ...['text.docx', 'text.odt', 'text.rtf'],
    ...['slides.pptx', 'slides.odp'],
    ...['sheets.xlsx', 'sheets.xlsm', 'sheets.xlsb', 'sheets.xls', 'sheets.ods'],
  ])('%s, the same as in any other format', async (name) => {
    const { markdown } = await parse(saved(name), name)
    expect(markdown).toBe(saved(name.replace(/\w+$/, 'md')).toString().trim())
  })

  it('PDF pages at a credit each, with the options of the PDF parser', async () => {
    const document = await parse(await pdfs.slideDeck(), 'deck.pdf', {
      formats: ['markdown', 'html'],
      parsers: [{ type: 'pdf', pages: true }],
    })
    expect(document.metadata).toMatchObject({ numPages: 4, totalPages: 4, creditsUsed: 4 })
    expect(document.pages).toHaveLength(4)
    expect(document.html).toContain('<li>Two readings a day</li>')
  })

  it('a filled form with its values', async () => {
    expect((await parse(await pdfs.form(), 'form.pdf')).markdown).toContain('| Vessel: | Grey Heron |')
  })

  it('what can be read again afterwards', async () => {
    const { metadata } = await parse('<p>High water</p>', 'a.html')
    const { json } = await service.call('GET', `/v2/scrape/${metadata.scrapeId}`)
    expect(json.data.metadata.sourceFile).toBe('a.html')
  })
})

describe('a wrong upload is refused with its own sentence', () => {
  const html: [Buffer, string] = [Buffer.from('<p>a</p>'), 'a.html']
  it.each<[string, Record<string, string | [Buffer, string]>, string]>([
    [
      'no file',
      { options: '{}' },
      "Missing file upload. Send multipart/form-data with a 'file' field and optional 'options' JSON string.",
    ],
    [
      'options that are no JSON',
      { file: html, options: '{' },
      "Invalid JSON in the 'options' field. Provide a valid JSON string.",
    ],
    ['options that are no object', { file: html, options: '[]' }, "The 'options' field must parse to a JSON object."],
    [
      'options as a file',
      { options: [Buffer.from('{}'), 'o.json'], file: html },
      "The 'options' field must be a JSON string.",
    ],
    ['an empty file', { file: [Buffer.alloc(0), 'a.html'] }, 'Uploaded file must not be empty.'],
    [
      'actions',
      { file: html, options: '{"actions":[{"type":"wait","milliseconds":1}]}' },
      'Parse uploads do not support actions.',
    ],
    [
      'a screenshot',
      { file: html, options: '{"formats":["screenshot"]}' },
      'Parse uploads do not support screenshot output.',
    ],
    [
      'branding',
      { file: html, options: '{"formats":[{"type":"branding"}]}' },
      'Parse uploads do not support branding output.',
    ],
    [
      'change tracking',
      { file: html, options: '{"formats":["changeTracking"]}' },
      'Parse uploads do not support change tracking.',
    ],
    ['waiting', { file: html, options: '{"waitFor":5}' }, 'Parse uploads do not support waitFor.'],
    [
      'a location',
      { file: html, options: '{"location":{"country":"DE"}}' },
      'Parse uploads do not support location overrides.',
    ],
    ['a mobile device', { file: html, options: '{"mobile":true}' }, 'Parse uploads do not support mobile rendering.'],
    [
      'a proxy',
      { file: html, options: '{"proxy":"stealth"}' },
      'Parse uploads only support proxy values of auto or basic.',
    ],
  ])('%s', async (_what, parts, error) => {
    const { status, json } = await multipart(parts)
    expect(status).toBe(400)
    expect(json).toMatchObject({ success: false, error })
  })

  it('an unknown ending', async () => {
    const { status, json } = await multipart({ file: [Buffer.from('MZ'), '../../evil.exe'] })
    expect(status).toBe(400)
    expect(json.code).toBe('UNSUPPORTED_FILE_TYPE')
    expect(json.error).toMatch(/^Unsupported upload type\. Supported file extensions: \.html, /)
  })

  it('an unknown option', async () => {
    const { status, json } = await multipart({ file: html, options: '{"maxAge":1}' })
    expect(status).toBe(400)
    expect(json.error).toMatch(/^Unrecognized key/)
  })

  it('more than 50 MB', async () => {
    const { status, json } = await multipart({ file: [Buffer.alloc(50 * 1024 * 1024 + 1, 32), 'big.txt'] })
    expect(status).toBe(400)
    expect(json.error).toBe('Uploaded file exceeds maximum size of 50MB.')
  })

  it('neutral values of what an upload cannot have pass', async () => {
    const { status } = await multipart({ file: html, options: '{"waitFor":0,"mobile":false,"actions":[]}' })
    expect(status).toBe(200)
  })
})

it('a name is never a path, and a wrong ending changes nothing', async () => {
  const { status, json } = await multipart({ file: [office.docx(), '../../etc/rules.pdf'] })
  expect(status).toBe(200)
  expect(json.data.metadata.sourceFile).toBe('rules.pdf')
  expect(json.data.markdown).toContain('# Harbour rules')
})

it('an old PowerPoint file is read, and what is missing of it is said', async () => {
  const { markdown, warning } = await parse(saved('slides.ppt'), 'old.ppt')
  expect(markdown).toMatch(/^## Where the water goes\n/)
  if (findOfficeProgram()) expect(markdown).toContain('| 1911 | 2.4 | 3 |')
  else expect(warning).toMatch(/only where LibreOffice is installed/)
})

describe('an upload by reference', () => {
  const announce = (body: object = { filename: 'a.html' }) => service.call('POST', '/v2/parse/upload-url', body)
  const put = async (url: string, body: string) => {
    const response = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'text/html' } })
    return { status: response.status, json: (await response.json()) as Json }
  }

  it('is announced, sent without a key, parsed once and gone', async () => {
    const { data } = (await announce()).json
    expect(data).toMatchObject({ method: 'PUT', maxSizeBytes: 52_428_800 })
    const early = await service.call('POST', '/v2/parse', { uploadRef: data.uploadRef })
    expect([early.status, early.json.error]).toEqual([
      400,
      'Uploaded file is not available. Upload the file before parsing.',
    ])
    expect(await put(data.uploadUrl, '<h1>Sent</h1>')).toEqual({ status: 200, json: { success: true } })
    expect((await put(data.uploadUrl, '<h1>Again</h1>')).status).toBe(404)
    const { json } = await service.call('POST', '/v2/parse', { uploadRef: data.uploadRef, formats: ['markdown'] })
    expect(json.data).toMatchObject({ markdown: '# Sent', metadata: { sourceFile: 'a.html' } })
    expect((await service.call('POST', '/v2/parse', { uploadRef: data.uploadRef })).status).toBe(400)
  })

  it('needs a reference that was not tampered with', async () => {
    const { data } = (await announce()).json
    const broken = await service.call('POST', '/v2/parse', { uploadRef: `${data.uploadRef.slice(0, -4)}AAAA` })
    expect([broken.status, broken.json.code]).toEqual([400, 'BAD_REQUEST'])
    expect(broken.json.error).toMatch(/signature/)
    const none = await service.call('POST', '/v2/parse', {})
    expect(none.json.error).toBe(
      "Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'.",
    )
  })

  it('is limited to ten that wait', async () => {
    let last = await announce()
    for (let count = 0; count < 10 && last.status === 200; count++) last = await announce()
    expect([last.status, last.json.code]).toEqual([429, 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED'])
    expect(last.headers.get('retry-after')).toBeTruthy()
  })
})

it('GET /v2/parse/formats lists what can be parsed', async () => {
  const { json, headers } = await service.call('GET', '/v2/parse/formats')
  expect(json.success).toBe(true)
  expect(headers.get('cache-control')).toBe('private, max-age=3600')
  const pdf = { format: 'pdf', kind: 'document', extensions: ['.pdf'], mimeTypes: ['application/pdf'], available: true }
  expect(json.data.formats).toContainEqual(pdf)
  expect(json.data.formats).toContainEqual(
    expect.objectContaining({ format: 'jpg', kind: 'image', extensions: ['.jpg', '.jpeg'] }),
  )
})
