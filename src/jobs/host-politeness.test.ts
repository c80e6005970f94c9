import { describe, expect, it } from 'vitest'
import { ManualClock } from '../base/clock.ts'
import { openHostPoliteness, parseRetryAfter } from './host-politeness.ts'

const { signal } = new AbortController()

function open() {
  const clock = new ManualClock(0)
  const hosts = openHostPoliteness({ clock, shared: undefined, processes: () => 1 })
  /** Visits and leaves. */
  const restMs = async (host: string, delayMs = 0) => {
    const wait = await hosts.enter(host, delayMs, signal)
    if (wait === 0) hosts.left(host)
    return wait
  }
  return { clock, hosts, restMs }
}

describe('a host that says it is busy', () => {
  it('is left alone for as long as it asks, and never longer than ten minutes', async () => {
    const { clock, hosts, restMs } = open()
    expect(await restMs('e.com')).toBe(0)
    expect(await hosts.busy('e.com', 30)).toBe(30_000)
    clock.wind(10_000)
    expect(await restMs('e.com')).toBe(20_000)
    expect(await restMs('e.com', 5_000)).toBe(20_000)
    expect(await restMs('other.com')).toBe(0)
    clock.wind(20_000)
    expect(await restMs('e.com')).toBe(0)
    expect(await hosts.busy('e.com', 86_400)).toBe(600_000)
  })

  it('is left alone ever longer when it does not say how long, until it answers well', async () => {
    const { clock, hosts } = open()
    expect(await hosts.busy('e.com', undefined)).toBe(2_000)
    clock.wind(500)
    // Pages that were under way together say it together.
    expect(await hosts.busy('e.com', undefined)).toBe(2_000)
    clock.wind(2_500)
    expect(await hosts.busy('e.com', undefined)).toBe(4_000)
    clock.wind(5_000)
    expect(await hosts.busy('e.com', undefined)).toBe(8_000)
    await hosts.fine('e.com')
    expect(await hosts.busy('e.com', undefined)).toBe(2_000)
  })

  it('is forgotten when there are too many', async () => {
    const { hosts, restMs } = open()
    await hosts.busy('first.com', 100)
    for (let n = 0; n < 10_000; n += 1) await hosts.busy(`h${n}.com`, 100)
    expect(await restMs('first.com')).toBe(0)
    expect(await restMs('h9999.com')).toBe(100_000)
  })
})

describe('a host that is visited with a delay', () => {
  it('has one visit in that time, whichever jobs they are of', async () => {
    const { clock, restMs } = open()
    expect(await restMs('e.com', 10_000)).toBe(0)
    expect(await restMs('e.com', 10_000)).toBe(10_000)
    expect(await restMs('e.com', 60_000)).toBe(10_000)
    expect(await restMs('other.com', 10_000)).toBe(0)
    clock.wind(10_000)
    expect(await restMs('e.com', 10_000)).toBe(0)
  })
})

it('visits of one host at once are bounded, and those above the bound come in order', async () => {
  const hosts = openHostPoliteness({ clock: new ManualClock(0), shared: undefined, processes: () => 16 })
  const came: string[] = []
  const enter = (name: string, within = signal) => hosts.enter('e.com', 0, within).then(() => void came.push(name))
  await Promise.all([enter('a'), enter('b')])
  const gone = new AbortController()
  const third = expect(enter('c', gone.signal)).rejects.toThrow('gone')
  const fourth = enter('d')
  gone.abort(new Error('gone'))
  await third
  expect(came).toEqual(['a', 'b'])
  hosts.left('e.com')
  await fourth
  expect(came).toEqual(['a', 'b', 'd'])
})

describe('Retry-After', () => {
  it('is a number of seconds or a date, and nothing else', () => {
    expect(parseRetryAfter('120', 0)).toBe(120)
    expect(parseRetryAfter(new Date(90_000).toUTCString(), 60_000)).toBe(30)
    expect(parseRetryAfter(new Date(1_000).toUTCString(), 60_000)).toBe(0)
    expect(parseRetryAfter('soon', 0)).toBeUndefined()
    expect(parseRetryAfter(undefined, 0)).toBeUndefined()
  })
})
