import { describe, expect, it } from 'vitest'
import { answerFromPage } from './answer-with-quotes.ts'

const TABLE = `# Boats\n\n| Boat | Berths | Price per week |\n|---|---|---|\n| Heron | 4 | 1,200 € |\n| Wren | 2 | 680 € |\n| Gannet | 8 | 1,950 € |\n`
const CARDS =
  '# Cabins\n\n## Pine\n\nOne room, sleeps 2\n\n€ 90 a night\n\n## Larch\n\nTwo rooms, sleeps 5\n\n€ 140 a night\n\n## Oak\n\nA house, sleeps 9\n\n€ 260 a night\n'

const first = (markdown: string, question: string) =>
  answerFromPage(markdown, question)
    .answer?.split('\n')[0]
    ?.replace(/^Boats: /, '')

describe('what a request compares', () => {
  it.each([
    [TABLE, 'Which boat is the cheapest?', /^Wren/],
    [TABLE, 'What is the most expensive boat?', /^Gannet/],
    [TABLE, 'What is the least expensive boat?', /^Wren/],
    [TABLE, 'Which boat has the most berths?', /^Gannet/],
    [TABLE, 'Welches ist das günstigste Boot, which boat price?', /^Wren/],
    [CARDS, 'What is the cheapest cabin per night?', /^Pine/],
    [CARDS, 'Which cabin sleeps the most?', /^Oak/],
  ])('%#: %s', (markdown, question, expected) => {
    expect(first(markdown, question)).toMatch(expected)
  })

  it('keeps the rows within a bound and leaves out the others', () => {
    const answer = answerFromPage(TABLE, 'Which boats cost under 1,300 € per week?').answer
    expect(answer).toMatch(/Heron/)
    expect(answer).toMatch(/Wren/)
    expect(answer).not.toMatch(/Gannet/)
  })
})
