import { describe, expect, it } from 'vitest'
import { openFairSlots } from './fair-slots.ts'

const never = new AbortController().signal
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('shares of the threads', () => {
  it('leave a thread for others, whatever one owner keeps busy', async () => {
    const { run } = openFairSlots({ atOnce: 3, perOwner: 2 })
    for (let n = 0; n < 10; n++) void run('hog', () => new Promise(() => {}), never)
    expect(await run('other', async () => 'done', never)).toBe('done')
    expect(await run('third', async () => 'done too', never)).toBe('done too')
  })

  it('serve those who wait in turn', async () => {
    const { run } = openFairSlots({ atOnce: 1, perOwner: 1 })
    const order: string[] = []
    const work = (name: string) => async () => {
      await soon()
      order.push(name)
    }
    const many = [1, 2, 3, 4].map((n) => run('many', work(`many ${n}`), never))
    const few = run('few', work('few'), never)
    await Promise.all([...many, few])
    expect(order.indexOf('few')).toBeLessThan(3)
    expect(order.filter((name) => name.startsWith('many'))).toEqual(['many 1', 'many 2', 'many 3', 'many 4'])
  })

  it('never begin what was given up, and go on after a failure', async () => {
    const { run } = openFairSlots({ atOnce: 1, perOwner: 1 })
    const gone = new AbortController()
    const first = run('a', soon, never)
    const second = run('a', () => expect.fail('it was begun'), gone.signal)
    gone.abort()
    await expect(second).rejects.toBeDefined()
    await first
    await expect(run('a', () => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken')
    expect(await run('a', async () => 1, never)).toBe(1)
  })
})
