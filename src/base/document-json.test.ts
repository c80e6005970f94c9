import { describe, expect, it } from 'vitest'
import { mergeMetadataIntoJson, readWarningOfJson, serialiseDocument } from './document-json.ts'
import { JsonBytes } from './json-bytes.ts'
import type { Document } from './visit-and-capture-types.ts'

const documents: Document[] = [
  { metadata: { title: 'x' } },
  { markdown: '# "metadata":{ and \\"metadata\\":{', metadata: { title: '"metadata":{"a":1}', metadata: 'x' } },
  {
    markdown: 'ünï 漢字 😀',
    attributes: [{ metadata: { a: 1 } }],
    warning: 'one "quoted" \\ two\nthree',
    metadata: { tags: ['"metadata":{', 'b'], n: 3, no: null, yes: true },
  },
  { html: '<p>"warning":"no",</p>', links: [], nothing: null, metadata: {} },
]

describe('a packed document', () => {
  it.each(documents)('reads back as what it was, with the overlay on top: %j', (document) => {
    const overlay = { scrapeId: 'id', title: 'mine' }
    expect(JSON.parse(serialiseDocument(document).toString())).toEqual(document)
    const laid = mergeMetadataIntoJson(serialiseDocument(document), overlay)
    const whole = { ...document, metadata: { ...document.metadata, ...overlay } }
    expect(JSON.parse(laid().toString())).toEqual(whole)
    expect(JSON.parse(laid('{"data":', ',"last":1}').toString())).toEqual({ data: whole, last: 1 })
  })

  it.each(documents)('writes the same bytes whether or not the overlay replaces something: %j', (document) => {
    const packed = serialiseDocument(document)
    const { metadata, warning, ...fields } = document
    const order = { ...fields, ...(warning === undefined ? {} : { warning }) }
    const overlays: Document['metadata'][] = [
      { scrapeId: 'a "b"' },
      { title: 'mine', scrapeId: 'x' },
      { n: 4 },
      {},
      { scrapeId: 'again' },
    ]
    for (const overlay of overlays)
      expect(mergeMetadataIntoJson(packed, overlay)('[', ']').toString()).toBe(
        `[${JSON.stringify({ ...order, metadata: { ...metadata, ...overlay } })}]`,
      )
  })

  it.each(documents)('tells its warning without being parsed: %j', (document) => {
    expect(readWarningOfJson(serialiseDocument(document))).toBe(document.warning)
  })

  it('takes fields that are JSON already as they are', () => {
    const packed = serialiseDocument({ markdown: JsonBytes.of('a "b"\n'), links: JsonBytes.of(['x']), metadata: {} })
    expect(JSON.parse(packed.toString())).toEqual({ markdown: 'a "b"\n', links: ['x'], metadata: {} })
  })
})
