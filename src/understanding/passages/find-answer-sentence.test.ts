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
  const about = 'Ida Holm is a designer of games and lives in Bergen.'
  expect(answerFromPage(page(about), 'Who is Ida Holm?').answer).toBe(about)
})
