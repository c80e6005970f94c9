import { describe, expect, it } from 'vitest'
import type { Document } from '../base/page.ts'
import { pack, warningOf, withMetadata } from './packed.ts'

const documents: Document[] = [
  { metadata: { title: 'x' } },
  { markdown: '# "metadata":{ and \\"metadata\\":{', metadata: { title: '"metadata":{"a":1}', metadata: 'x' } },
  {
    markdown: 'x',
    attributes: [{ metadata: { a: 1 } }],
    warning: 'one "quoted" \\ two\nthree',
    metadata: { tags: ['"metadata":{', 'b'], n: 3, no: null, yes: true },
  },
  { html: '<p>"warning":"no",</p>', links: [], metadata: {} },
]

describe('a packed document', () => {
  it.each(documents)('reads back as what it was, with the overlay on top: %j', (document) => {
    const overlay = { scrapeId: 'id', title: 'mine' }
    expect(JSON.parse(pack(document))).toEqual(document)
    expect(JSON.parse(withMetadata(pack(document), overlay))).toEqual({
      ...document,
      metadata: { ...document.metadata, ...overlay },
    })
  })

  it.each(documents)('tells its warning without being parsed: %j', (document) => {
    expect(warningOf(pack(document))).toBe(document.warning)
  })
})
