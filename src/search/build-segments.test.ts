import { expect, it } from 'vitest'
import { buildSegments } from './build-segments.ts'

it('leaves out a document that cannot be read, and indexes the others', () => {
  const page = (number: number, body: string) => ({
    ...{ teamId: 'a', number, version: number, url: `https://sea.test/${number}`, urlKey: `sea.test/${number}` },
    ...{ seenAt: 1, body: Buffer.from(body), linked: [] },
  })
  const whole = '{"markdown":"All about herons.","metadata":{"title":"Herons"}}'
  const documents = [page(1, 'orbseal1 encrypted'), page(2, whole), page(3, whole.slice(0, -5))]
  const { rows, segments } = buildSegments({ now: 2, documents, earlier: [page(4, 'orbseal1')] })
  expect(rows.map(({ number }) => number)).toEqual([2])
  expect(segments).toMatchObject([{ teamId: 'a', pages: 1 }])
})
