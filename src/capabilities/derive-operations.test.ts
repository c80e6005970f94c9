import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deriveOperations } from './derive-operations.ts'
import {
  deserializeOperation,
  findStatusOperation,
  makeOperationRequest,
  type SerializedOperation,
  serializeOperation,
} from './operation.ts'
import { makeRouteBuilder, type Route, type Services } from './route.ts'
import { splitReplyText } from './split-reply-text.ts'

const handle = async () => ({})
const route = makeRouteBuilder<Services>()
const base = { summary: 'Does it', tag: 'Test', reply: z.object({}), handle }
const status = z.object({ status: z.enum(['running', 'completed']) })
const routes: Route[] = [
  route({
    ...base,
    method: 'POST',
    path: '/v2/dig',
    body: z.object({ url: z.string(), deep: z.boolean().default(false), origin: z.string().optional() }),
  }),
  route({ ...base, method: 'GET', path: '/v2/dig', query: z.object({ limit: z.string().optional() }) }),
  route({ ...base, method: 'GET', path: '/v2/dig/:id', reply: status }),
  route({
    ...base,
    method: 'PATCH',
    path: '/v2/dig/:id',
    body: z.object({ name: z.string() }),
    query: z.object({ dry: z.string().optional() }),
  }),
  route({ ...base, method: 'DELETE', path: '/v2/dig/:id' }),
  route({ ...base, method: 'POST', path: '/v2/dig/:id/run' }),
  route({ ...base, method: 'GET', path: '/v2/dig/hidden', command: null }),
  route({ ...base, method: 'GET', path: '/v2/dig/other', command: 'dig renamed' }),
  route({ ...base, method: 'PUT', path: '/v2/dig/upload/:id', takes: 'raw' }),
  route({ ...base, method: 'GET', path: '/r/*' }),
]
const operations = deriveOperations([{ routes }])
const named = (name: string) => operations.find((one) => one.name === name)!

describe('operations', () => {
  it('have names from their paths, unless they say otherwise', () => {
    expect(operations.map(({ name }) => name)).toEqual([
      'dig',
      'dig list',
      'dig get',
      'dig update',
      'dig delete',
      'dig run',
      'dig renamed',
    ])
  })

  it('take path, query and body as one set, without what only clients send', () => {
    expect(named('dig').inputs()).toMatchObject({ required: ['url'], properties: { deep: { default: false } } })
    expect(named('dig').inputs().properties).not.toHaveProperty('origin')
    expect(Object.keys(named('dig update').inputs().properties)).toEqual(['id', 'dry', 'name'])
  })

  it('put each value where the route takes it', () => {
    expect(makeOperationRequest(named('dig update'), { id: 'a/b', name: 'x', dry: 'true', unknown: 1 })).toEqual({
      method: 'PATCH',
      path: '/v2/dig/a%2Fb?dry=true',
      body: { name: 'x', unknown: 1 },
    })
    expect(makeOperationRequest(named('dig list'), { limit: 5 })).toEqual({
      method: 'GET',
      path: '/v2/dig?limit=5',
      body: undefined,
    })
  })

  it('are the same when they were written down', () => {
    const written = JSON.parse(JSON.stringify(operations.map(serializeOperation))) as SerializedOperation[]
    const again = written.map(deserializeOperation)
    const update = again.find(({ name }) => name === 'dig update')!
    expect(update.inputs()).toEqual(named('dig update').inputs())
    expect(makeOperationRequest(update, { id: 'a', name: 'x', dry: 'true' })).toEqual(
      makeOperationRequest(named('dig update'), { id: 'a', name: 'x', dry: 'true' }),
    )
    expect(findStatusOperation(again[0]!, again)?.name).toBe('dig get')
  })

  it('know which of them starts a job, by the status that can be asked for', () => {
    expect(findStatusOperation(named('dig'), operations)?.name).toBe('dig get')
    expect(findStatusOperation(named('dig run'), operations)).toBeUndefined()
  })
})

describe('an answer for eyes', () => {
  const metadata = { url: 'https://example.com/' }

  it('is the one text it is about', () => {
    expect(splitReplyText({ success: true, data: { markdown: '# Hi', metadata }, scrape_id: 'x' })).toEqual({
      main: '# Hi',
      rest: { scrape_id: 'x', metadata },
      isAll: true,
    })
    expect(splitReplyText({ data: { links: ['a', 'b'], metadata } }).main).toBe('a\nb')
    expect(splitReplyText({ links: [{ url: 'a', title: 'A' }, { url: 'b' }] }).main).toBe('a\nb')
  })

  it('has a section for each page of a job', () => {
    const { main, rest } = splitReplyText({
      status: 'completed',
      data: [
        { markdown: 'One', metadata },
        { html: '<p>', metadata },
      ],
    })
    expect(main).toBe('<!-- https://example.com/ -->\n\nOne\n\n<!-- https://example.com/ -->\n\n<p>')
    expect(rest).toEqual({ status: 'completed' })
  })

  it('is all of it when it is about several things or none', () => {
    const several = { data: { markdown: 'a', html: 'b', metadata } }
    expect(splitReplyText(several)).toEqual({ main: undefined, rest: several, isAll: false })
    expect(splitReplyText({ success: true, id: 'x' })).toEqual({ main: undefined, rest: { id: 'x' }, isAll: false })
  })

  it('is a text beside which other things were made, or one of many data of which none is a page', () => {
    expect(splitReplyText({ data: { markdown: 'a', json: { b: 1 }, metadata } })).toEqual({
      main: 'a',
      rest: { json: { b: 1 }, metadata },
      isAll: false,
    })
    const plan = { data: { url: 'https://example.com/', visit: [{ url: 'a' }], drop: [] } }
    expect(splitReplyText(plan)).toEqual({ main: undefined, rest: plan, isAll: false })
    expect(splitReplyText({ data: { secret: 'x' } })).toMatchObject({ main: 'x', isAll: true })
  })
})
