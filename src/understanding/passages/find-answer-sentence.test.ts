// A sentence that only shares words with a question does not answer it.
import { expect, it } from 'vitest'
import { answerFromPage } from './answer-with-quotes.ts'

const page = (text: string) => `# Board games\n\nWhat we played this winter.\n\n## Tern Bay\n\n${text}\n`
const answerTo = (text: string) => answerFromPage(page(text), 'Who designed Tern Bay?').answer ?? ''

it('names somebody whom the question does not name, where a person is asked for', () => {
  expect(answerTo('Tern Bay was designed by Ida Holm for two players.')).toBe(
    'Tern Bay was designed by Ida Holm for two players.',
  )
  expect(answerTo('My Verdict: Tern Bay is well designed, and sure to be a hit.')).toMatch(
    /^(?:Closest on this page|$)/,
  )
})

it('may be the name that the question asks about', () => {
  const answerAbout = (name: string, question: string) => {
    const about = `${name} is a designer of games and lives in Bergen.`
    return [answerFromPage(page(about), question).answer, about]
  }
  for (const [name, question] of [
    ['Ida Holm', 'Who is Ida Holm?'],
    ['Ida Holm', 'who is Ida Holm?'],
    ['José Núñez', 'Who is José Núñez?'],
  ] as const) {
    const [answer, about] = answerAbout(name, question)
    expect(answer, question).toBe(about)
  }
  const [answer] = answerAbout('The CEO of Tern Bay', 'Who is the CEO of Tern Bay?')
  expect(answer ?? '').toMatch(/^(?:Closest on this page|$)/)
})
