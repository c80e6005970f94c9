// The agents' web is what it says: large enough, every answer stands on a page, a perfect answer is graded as perfect.
import { expect, it } from 'vitest'
import { graded, isSealed, makeWorld } from './world.ts'

const world = makeWorld()

it('has the size it should have, the same at every run, and half of it sealed', () => {
  expect(world.tasks).toHaveLength(100)
  expect(world.pages.length).toBeGreaterThanOrEqual(2500)
  expect(new Set(world.tasks.map(({ id }) => id)).size).toBe(100)
  const sealed = world.tasks.filter(isSealed).length
  expect(sealed).toBeGreaterThan(35)
  expect(sealed).toBeLessThan(65)
  expect(makeWorld().pages.at(-1)).toEqual(world.pages.at(-1))
})

it('states every answer on some page, in words that can be seen or as data', () => {
  const html = world.pages.map((page) => page.html).join('\n')
  for (const { expected, id } of world.tasks)
    for (const one of [expected].flat() as Record<string, string | number>[])
      for (const [name, value] of Object.entries(one)) {
        const text = name === 'price' ? Number(value).toFixed(2) : String(value)
        expect(html.includes(text), `${id} ${name} ${text}`).toBe(true)
      }
})

it('grades what is right, wrong and missing', () => {
  for (const task of world.tasks) {
    const perfect = task.list ? { [task.list]: task.expected } : task.expected
    expect(graded(task, perfect)).toMatchObject({ wrong: 0, missing: 0 })
    expect(graded(task, null).right).toBe(0)
  }
  const record = world.tasks.find(({ list }) => !list)!
  const names = Object.keys(record.fields)
  expect(graded(record, Object.fromEntries(names.map((name) => [name, 'nonsense']))).wrong).toBe(names.length)
})
