import { describe, expect, it } from 'vitest'
import { asProblem, Problem, problems } from './problem.ts'

describe('the error table', () => {
  it('has the exact sentences of the contract', () => {
    const said = Object.values(problems).map(({ status, say }) => `${status} ${say}`)
    for (const row of [
      '400 Bad Request',
      '400 Invalid URL',
      '401 Unauthorized: Invalid token',
      '402 Payment Required: Insufficient credits',
      '403 Forbidden',
      '404 Not Found',
      '408 Request Timeout',
      '409 Conflict',
      '413 Payload Too Large',
      '422 Unprocessable Entity',
      '429 Rate limit exceeded',
      '429 Concurrency limit reached',
      '500 Internal Server Error',
      '503 Service Unavailable',
    ])
      expect(said).toContain(row)
  })

  it('calls nothing 502 that a client must not repeat', () => {
    for (const { status, retry } of Object.values(problems)) if (status === 502) expect(retry).toBe(true)
  })
})

describe('a Problem', () => {
  it('appends its reason to the sentence of its row', () => {
    expect(new Problem('timeout', { because: 'the page slept' }).message).toBe('Request Timeout: the page slept')
    expect(new Problem('job_not_found', { because: 'expired' }).message).toBe('Job not found: expired')
  })

  it('survives being stored and revived', () => {
    const problem = new Problem('rate_limited', { because: 'x', details: { limit: 3 }, retryAfterSeconds: 7 })
    const revived = Problem.revive(JSON.parse(JSON.stringify(problem)))
    expect(revived).toMatchObject({
      kind: 'rate_limited',
      message: problem.message,
      details: { limit: 3 },
      retryAfterSeconds: 7,
    })
  })

  it('keeps what nobody named as internal, with its cause', () => {
    const cause = new TypeError('x is not a function')
    expect(asProblem(cause)).toMatchObject({ kind: 'internal', message: 'Internal Server Error', cause })
  })
})
