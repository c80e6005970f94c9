import { expect, it } from 'vitest'
import { learnFromPages } from './learn-from-pages.ts'

const row = (name: string, job: string) =>
  `<li class="person"><b class="name">${name}</b> <i class="job">${job}</i></li>`
const html = `<html><body><h1>Staff</h1><ul>${row('Ada Byron', 'Technician')}${row('Alan Kay', 'Director')}${row('Grace Hall', 'Technician')}${row('Ken Moss', 'Cook')}</ul></body></html>`
const schema = { type: 'object', properties: { people: { type: 'array', items: { type: 'object' } } } }
const teach = (people: object[], isComplete: boolean) =>
  Object.keys(
    learnFromPages({ pages: [{ html, url: 'https://a.example/', data: { people } }], schema, isComplete }).program
      .fields,
  )

it('learns no list whose rows a question chose from, when the data is all that was wanted', () => {
  const all = ['Ada Byron', 'Alan Kay', 'Grace Hall', 'Ken Moss'].map((name) => ({ name }))
  const chosen = [{ name: 'Ada Byron' }, { name: 'Grace Hall' }]
  expect(teach(all, true)).toEqual(['people'])
  expect(teach(chosen, true)).toEqual([])
  expect(teach(chosen, false)).toEqual(['people'])
})
