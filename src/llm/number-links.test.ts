import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../test/cost.ts'
import { describeSchema } from './model-extract.ts'
import { LinkNumbers } from './number-links.ts'

describe('links as numbers', () => {
  const page = [
    '[Lamp](https://shop.example/lamps/large-lamp?ref=menu) and ![photo](<https://cdn.example/images/lamp-large.jpg>)',
    '[again](https://shop.example/lamps/large-lamp?ref=menu "title") [wiki](https://en.example.org/wiki/Lamp_(light))',
    '[short](https://a.example/b), visible https://shop.example/lamps/large-lamp-two',
  ].join('\n')

  it('have one number for one address, and come back whole', () => {
    const links = new LinkNumbers()
    const text = links.shorten(page)
    expect(text).toContain('[Lamp](link:1)')
    expect(text).toContain('[again](link:1 "title")')
    expect(text).toContain('![photo](<link:2>)')
    expect(text).toContain('[short](link:4), visible https://shop.example/lamps/large-lamp-two')
    expect(links.restore({ url: 'link:1', all: ['see https://shop.example/link:3.', 'link:99', 7, null] })).toEqual({
      url: 'https://shop.example/lamps/large-lamp?ref=menu',
      all: ['see https://en.example.org/wiki/Lamp_(light).', 'link:99', 7, null],
    })
    expect(links.restore(text)).toBe(page)
  })

  it('go on counting in structured data', () => {
    const links = new LinkNumbers()
    links.shorten('[a](https://shop.example/a-long-address)')
    expect(
      links.shorten(
        '{"url":"https://shop.example/a-long-address","is":"https://schema.org/InStock","image":"https://shop.example/one.jpg"}',
      ),
    ).toBe('{"url":"link:1","is":"https://schema.org/InStock","image":"link:2"}')
  })

  it('leave a page alone that uses the notation', () => {
    const links = new LinkNumbers()
    const text = 'Write link:1 in [the form](https://shop.example/a-long-address)'
    expect(links.shorten(text)).toBe(text)
    expect(links.restore('link:1')).toBe('link:1')
  })

  it('cost time in proportion to the text', () => {
    expectLinear(40_000, (n) => new LinkNumbers().shorten(`${'](https://'.repeat(n)}${'("https://a('.repeat(n)}`))
  })
})

describe('a schema as a shape', () => {
  it('has names, types and descriptions', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        'unit price': { type: ['number', 'null'], description: 'in euros' },
        state: { enum: ['new', 'used'] },
        offers: { type: 'array', items: { type: 'object', properties: { url: { type: 'string', format: 'uri' } } } },
      },
      required: ['name'],
    }
    expect(describeSchema(schema)).toBe(
      '{name: string, "unit price": number | null (in euros), state: "new" | "used", offers: [{url: string (uri)}]}',
    )
  })

  it.each([
    [{ anyOf: [{ type: 'string' }] }],
    [{ type: 'object', properties: { n: { type: 'number', minimum: 1 } } }],
    [{ type: 'object', additionalProperties: { type: 'number' } }],
    [{ type: 'object', properties: { n: { $ref: '#/$defs/n' } } }],
    [{ type: 'array' }],
  ])('is not made of %j', (schema) => expect(describeSchema(schema)).toBeUndefined())
})
