import { describe, expect, it } from 'vitest'
import { openHosts, retryAfterSeconds } from './hosts.ts'

describe('a host that says it is busy', () => {
  it('is left alone for as long as it asks, and never longer than ten minutes', () => {
    const hosts = openHosts()
    expect(hosts.restMs('e.com', 0)).toBe(0)
    expect(hosts.busy('e.com', 30, 1_000)).toBe(30_000)
    expect(hosts.restMs('e.com', 11_000)).toBe(20_000)
    expect(hosts.restMs('e.com', 31_000)).toBe(0)
    expect(hosts.restMs('other.com', 11_000)).toBe(0)
    expect(hosts.busy('e.com', 86_400, 40_000)).toBe(600_000)
  })

  it('is left alone ever longer when it does not say how long, until it answers well', () => {
    const hosts = openHosts()
    expect(hosts.busy('e.com', undefined, 0)).toBe(2_000)
    // Pages that were under way together say it together.
    expect(hosts.busy('e.com', undefined, 500)).toBe(2_000)
    expect(hosts.busy('e.com', undefined, 3_000)).toBe(4_000)
    expect(hosts.busy('e.com', undefined, 8_000)).toBe(8_000)
    hosts.fine('e.com')
    expect(hosts.busy('e.com', undefined, 20_000)).toBe(2_000)
  })

  it('is forgotten when there are too many', () => {
    const hosts = openHosts()
    hosts.busy('first.com', 100, 0)
    for (let n = 0; n < 10_000; n += 1) hosts.busy(`h${n}.com`, 100, 0)
    expect(hosts.restMs('first.com', 0)).toBe(0)
    expect(hosts.restMs('h9999.com', 0)).toBe(100_000)
  })
})

describe('Retry-After', () => {
  it('is a number of seconds or a date, and nothing else', () => {
    expect(retryAfterSeconds('120', 0)).toBe(120)
    expect(retryAfterSeconds(new Date(90_000).toUTCString(), 60_000)).toBe(30)
    expect(retryAfterSeconds(new Date(1_000).toUTCString(), 60_000)).toBe(0)
    expect(retryAfterSeconds('soon', 0)).toBeUndefined()
    expect(retryAfterSeconds(undefined, 0)).toBeUndefined()
  })
})
