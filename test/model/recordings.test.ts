// A recorded request is found again in another run of the same task, and no other is taken for it.
import { expect, it } from 'vitest'
import { hashRequest } from './recordings.ts'

const request = (port: number, visited: string) => ({
  messages: [
    { role: 'system', content: 'Extract.' },
    { role: 'user', content: `Address of the page: http://127.0.0.1:${port}/a\nVisited: ${visited}\n\n<page>` },
  ],
})

it('finds a recorded request on another day and another local port', () => {
  expect(hashRequest(request(4000, '2026-11-17'))).toBe(hashRequest(request(5000, '2027-02-03')))
})

it('tells requests about different pages apart', () => {
  const other = { messages: [{ role: 'user', content: 'Address of the page: http://127.0.0.1:4000/b' }] }
  expect(hashRequest(request(4000, '2026-11-17'))).not.toBe(hashRequest(other))
})
