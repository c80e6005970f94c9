import { expect, it } from 'vitest'
import { AsyncContextValue } from './async-context-value.ts'

const reach = new AsyncContextValue<string>()
const budget = new AsyncContextValue<number | undefined>()
const later = () => new Promise((resolve) => setImmediate(resolve))

it('keeps the values of calls apart, through awaits', async () => {
  const seen = async (name: string) => {
    await later()
    return [name, reach.getStore()]
  }
  const both = ['a', 'b'].map((name) => reach.run(name, () => seen(name)))
  expect(await Promise.all(both)).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ])
  expect(reach.getStore()).toBeUndefined()
})

it('adds to what an outer call set, and an inner value ends with its work', async () => {
  await reach.run('outer', async () => {
    await budget.run(3, async () => {
      await later()
      expect([reach.getStore(), budget.getStore()]).toEqual(['outer', 3])
      await budget.run(undefined, async () => {
        await later()
        expect(budget.getStore()).toBeUndefined()
      })
      expect(budget.getStore()).toBe(3)
    })
    expect([reach.getStore(), budget.getStore()]).toEqual(['outer', undefined])
  })
})
