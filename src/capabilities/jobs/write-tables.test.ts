import { parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import { writeCsv, writeParquet } from './stream-job-download.ts'

const page = (url: string, rest: object) =>
  JSON.stringify({ metadata: { sourceURL: url, title: 'T', statusCode: 200 }, ...rest })

async function csvOf(...pages: string[]): Promise<string[]> {
  async function* documents() {
    yield* pages
  }
  const parts: string[] = []
  for await (const part of writeCsv(documents)) parts.push(part)
  return parts.join('').trimEnd().split('\n')
}

it('writes a row per page with the values of all pages as columns', async () => {
  const first = page('https://a.example/1', {
    json: { name: '=Mug', price: { amount: -5, currency: 'EUR' }, tags: ['x', 'y'] },
  })
  const second = page('https://a.example/2', { markdown: 'text', json: { stock: 0, empty: [], none: null } })
  expect(await csvOf(first, second)).toEqual([
    'url,title,statusCode,json.name,json.price.amount,json.price.currency,json.tags,json.stock,json.none',
    `https://a.example/1,T,200,'=Mug,-5,EUR,"[""x"",""y""]",,`,
    'https://a.example/2,T,200,,,,,0,',
  ])
})

it('writes a row per record of the only list of the job', async () => {
  const products = [{ name: 'Mug' }, { name: 'Cup', size: 2 }]
  expect(
    await csvOf(
      page('https://a.example/1', { json: { shop: 'S', products } }),
      page('https://a.example/2', { json: { products: [] } }),
    ),
  ).toEqual([
    'url,title,statusCode,json.shop,json.products.name,json.products.size',
    'https://a.example/1,T,200,S,Mug,',
    'https://a.example/1,T,200,S,Cup,2',
    'https://a.example/2,T,200,,,',
  ])
  expect(await csvOf(page('https://a.example/1', { json: products }))).toHaveLength(3)
})

it('writes lists as JSON when there are several, and values beyond the limit of columns in the last one', async () => {
  expect(await csvOf(page('https://a.example/', { json: { a: [{ n: 1 }], b: [{ n: 2 }] } }))).toEqual([
    'url,title,statusCode,json.a,json.b',
    'https://a.example/,T,200,"[{""n"":1}]","[{""n"":2}]"',
  ])
  const json = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, n]))
  const [head = '', row = ''] = await csvOf(page('https://a.example/', { json }))
  expect(head.split(',')).toHaveLength(501)
  expect(head.endsWith('json.k496,other')).toBe(true)
  expect(row).toContain('""json.k497"":""497""')
})

it('writes Parquet with the types of its values, which another program reads, in several row groups', async () => {
  const names = Array.from({ length: 70_000 }, (_, n) => ({ name: `Mug ${n}`, price: n / 2, isNew: n % 2 === 0 }))
  async function* documents() {
    yield page('https://a.example/1', { json: { products: names, code: 7 } })
    yield page('https://a.example/2', { json: { products: [], code: 'x' } })
  }
  const parts: Uint8Array[] = []
  for await (const part of writeParquet(documents)) parts.push(part)
  expect(parts.length).toBeGreaterThan(2)
  const { buffer, byteOffset, length } = Buffer.concat(parts)
  const rows = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer })
  expect(rows).toHaveLength(70_001)
  expect(rows[69_999]).toMatchObject({
    url: 'https://a.example/1',
    statusCode: 200,
    'json.products.name': 'Mug 69999',
    'json.products.price': 34_999.5,
    'json.products.isNew': false,
    'json.code': '7',
  })
  expect(rows[70_000]).toMatchObject({ 'json.code': 'x', 'json.products.price': null })
})
