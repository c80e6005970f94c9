import { expect, it } from 'vitest'
import { addPress, copyPageState, isPageState, readPresses, withoutPageState } from './page-state.ts'

const APP = 'https://ferry.example/app'

it('writes and reads the buttons of a state', () => {
  const one = addPress(APP, { role: 'tab', name: 'A & "B"' })!
  expect(one).toBe(`${APP}#:~:tab=A%20%26%20%22B%22`)
  const two = addPress(one, { role: 'button', name: 'Karte' })!
  expect(readPresses(two)).toEqual([
    { role: 'tab', name: 'A & "B"' },
    { role: 'button', name: 'Karte' },
  ])
  expect(new URL(two).href).toBe(two)
  expect(withoutPageState(two)).toBe(APP)
  expect(copyPageState(two, `${APP}#/tides`)).toBe(`${APP}#/tides:~:tab=A%20%26%20%22B%22&button=Karte`)
  expect(withoutPageState(addPress(`${APP}#/tides`, { role: 'tab', name: 'x' })!)).toBe(`${APP}#/tides`)
  const three = addPress(two, { role: 'tab', name: 'x' })!
  expect(addPress(three, { role: 'tab', name: 'y' })).toBeUndefined()
})

it.each(['#:~:tab=', '#:~:tab=a&', '#:~:tab=a&text=b', '#:~:tab=%E0%A4%A', `#:~:tab=a${'&tab=a'.repeat(100_000)}`])(
  '%.40s has no presses',
  (hash) => {
    expect(isPageState(hash)).toBe(true)
    expect(readPresses(hash)).toBeUndefined()
  },
)

it('leaves text fragments and other addresses alone', () => {
  for (const url of [APP, `${APP}#:~:text=tab=`, `${APP}#tab=x`]) expect(withoutPageState(url)).toBe(url)
})

it('finds a state in the fragment only', () => {
  const search = 'https://e.example/?q=:~:tab=A'
  expect([isPageState(search), withoutPageState(search), readPresses(search)]).toEqual([false, search, []])
  expect(copyPageState(search, APP)).toBe(APP)
  const state = addPress(search, { role: 'tab', name: 'B' })!
  expect(state).toBe(`${search}#:~:tab=B`)
  expect([withoutPageState(state), readPresses(state)]).toEqual([search, [{ role: 'tab', name: 'B' }]])
  expect(copyPageState(state, APP)).toBe(`${APP}#:~:tab=B`)
})
