import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Problem } from './problem.ts'
import { validateInput } from './validate-input.ts'

const schema = z.strictObject({
  url: z.string().optional(),
  count: z.int().min(1).optional(),
  nested: z.strictObject({ deep: z.array(z.strictObject({ size: z.number() })) }).optional(),
  either: z.union([z.boolean(), z.strictObject({ mode: z.enum(['a', 'b']) })]).optional(),
})
const problem = (input: unknown): Problem => {
  try {
    validateInput(schema, input)
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('it passed')
}

describe('validation', () => {
  it('gives the value when all is well, and ignores private keys', () => {
    expect(validateInput(schema, { count: 2, __mine: true })).toEqual({ count: 2 })
  })

  it('names the dotted path of the first issue', () => {
    expect(problem({ nested: { deep: [{ size: 'x' }] } }).message).toMatch(/^Bad Request: nested\.deep\.0\.size: /)
  })

  it('lists every issue in details', () => {
    const { details } = problem({ count: 0, nested: { deep: [{ size: 'x' }] } })
    expect(details).toMatchObject([{ path: ['count'] }, { path: ['nested', 'deep', 0, 'size'], code: 'invalid_type' }])
  })

  it('calls an unknown key what it is, with the key in details', () => {
    const { message, details } = problem({ other: 1 })
    expect(message).toMatch(/^Unrecognized key in body/)
    expect(details).toMatchObject([{ code: 'unrecognized_keys', keys: ['other'] }])
  })

  it('calls anything about the address an Invalid URL', () => {
    expect(problem({ url: 7 })).toMatchObject({ kind: 'invalid_url' })
    expect(problem({ url: 7 }).message).toMatch(/^Invalid URL/)
  })

  it('of a union, speaks of the branch that came closest', () => {
    expect(problem({ either: { mode: 'c' } }).message).toMatch(/^Bad Request: either\.mode: /)
  })

  it('says what is required, what kind it must be, and what was meant', () => {
    const strict = z.strictObject({
      url: z.string(),
      formats: z.array(z.string()).optional(),
      proxy: z.enum(['basic', 'enhanced']).optional(),
      limit: z.int().min(1).max(100).optional(),
      scrapeOptions: z.strictObject({ onlyMainContent: z.boolean().default(true) }).nullish(),
    })
    const said = (input: unknown) => {
      try {
        validateInput(strict, input)
      } catch (error) {
        return (error as Problem).message
      }
      throw new Error('it passed')
    }
    const url = 'https://example.com'
    expect(said({})).toBe('Invalid URL: url is required')
    expect(said({ url, limit: 'ten' })).toBe('Bad Request: limit: must be a number, not a text')
    expect(said({ url, limit: 0 })).toBe('Bad Request: limit: must be at least 1')
    expect(said({ url, limit: 1000 })).toBe('Bad Request: limit: must be at most 100')
    expect(said({ url, proxy: 'enhansed' })).toBe(
      'Bad Request: proxy: must be one of basic, enhanced, not "enhansed". Did you mean "enhanced"?',
    )
    const hint = (input: unknown) => {
      try {
        validateInput(strict, input)
      } catch (error) {
        return (error as Problem).also?.hint
      }
      throw new Error('it passed')
    }
    expect(said({ url, format: [] })).toMatch(/^Unrecognized key in body -- .* request body changes$/)
    expect(hint({ url, format: [] })).toBe('Not known: "format" (did you mean "formats"?)')
    expect(hint({ url, dance: 1 })).toBe('Not known: "dance"')
    expect(hint({ url, scrapeOptions: { only_main_content: true } })).toBe(
      'Not known in scrapeOptions: "only_main_content" (did you mean "onlyMainContent"?)',
    )
    expect(said(undefined)).toMatch(/^Bad Request/)
  })

  it('refuses what is not an object', () => {
    for (const input of [null, [], 'x', 3]) expect(problem(input).kind).toBe('bad_request')
  })
})
