import { describe, expect, it } from 'vitest'
import { documentText } from './status.ts'

describe('a stored document and the metadata of its scrape as one text', () => {
  const joined = (body: object, overlay: object) =>
    JSON.parse(documentText(JSON.stringify(body), JSON.stringify(overlay)))

  it('adds to the metadata without touching the rest', () => {
    const body = { markdown: '# }} {', metadata: { title: 'x', nested: 1 } }
    expect(joined(body, { scrapeId: 'a', url: 'u' })).toEqual({
      markdown: '# }} {',
      metadata: { title: 'x', nested: 1, scrapeId: 'a', url: 'u' },
    })
  })

  it('wins over what the page says about itself, and works on empty metadata', () => {
    expect(joined({ metadata: { scrapeId: 'of the page' } }, { scrapeId: 'ours' }).metadata.scrapeId).toBe('ours')
    expect(joined({ metadata: {} }, { scrapeId: 'ours' })).toEqual({ metadata: { scrapeId: 'ours' } })
    expect(joined({ metadata: { a: 1 } }, {})).toEqual({ metadata: { a: 1 } })
  })
})
