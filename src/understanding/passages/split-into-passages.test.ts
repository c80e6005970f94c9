// Passages of a page, their order for a question, and what is said of a page.
import { describe, expect, it } from 'vitest'
import { answerFromPage } from './answer-with-quotes.ts'
import { findHighlights } from './find-highlights.ts'
import { splitIntoPassages } from './split-into-passages.ts'
import { summarise } from './summarise.ts'

const OTHERS = 'The lamp is made in a small town by the sea.\n\nIt comes with a cable and a bulb.'

describe('a value beside its label', () => {
  it.each([
    ['a table', '| Weight | 2 kg |\n| --- | --- |\n| Height | 40 cm |'],
    ['a table with a head', '| Measure | Value |\n| --- | --- |\n| Weight | 2 kg |\n| Height | 40 cm |'],
    ['a list of definitions', '**Weight**\n\n: 2 kg\n\n**Height**\n\n: 40 cm'],
    ['a list', '- Weight: 2 kg\n- Height: 40 cm'],
    ['two lines', 'Weight\n\n2 kg\n\nHeight\n\n40 cm'],
  ])('is found in %s', (_form, markdown) => {
    const { answer } = answerFromPage(`# Lamp\n\n${OTHERS}\n\n## Data\n\n${markdown}`, 'What does the lamp weigh?')
    expect(answer).toContain('2 kg')
  })
})

it.each([
  ['How heavy is it?', '2 kg'],
  ['How heavy is the lamp?', '2 kg'],
  ['Wie schwer ist die Lampe?', '2 kg'],
  ['How tall is it?', '40 cm'],
  ['How high is the lamp?', '40 cm'],
])('answers %s with the row of that measure alone', (question, value) => {
  for (const head of ['|  |  |', '| Measure | Value |']) {
    const table = `${head}\n| --- | --- |\n| Height | 40 cm |\n| Weight | 2 kg |`
    const { answer } = answerFromPage(`# Lamp\n\n${OTHERS}\n\n## Data\n\n${table}`, question)
    expect(answer?.match(/\d+ \w+/g)).toEqual([value])
  }
})

it('gives rows their headers and passages their headings', () => {
  const passages = splitIntoPassages(
    '# Prices\n\n## Rooms\n\n| Room | Low | High |\n| --- | --- | --- |\n| Blue | 50 | 70 |',
  )
  expect(passages).toMatchObject([{ text: 'Blue – Low: 50; High: 70', headings: ['Prices', 'Rooms'] }])
})

it('puts the column that is asked for first', () => {
  const table = '| Room | Low | High |\n| --- | --- | --- |\n| Blue | 50 € | 70 € |\n| Red | 60 € | 80 € |'
  expect(answerFromPage(`# Rooms\n\n${table}`, 'What does the blue room cost, high?').answer).toMatch(
    /^Rooms: Blue – High: 70 €/,
  )
})

it('says that a page has no answer when nothing on it shares a word with the question', () => {
  const { answer, closest } = answerFromPage(`# Lamp\n\n${OTHERS}`, 'Zeppelin timetable?')
  expect([answer, closest]).toEqual([null, undefined])
})

it('quotes highlights verbatim, in the order of the page', () => {
  const markdown = `# Lamp\n\nThe *lamp* weighs 2 kg.\n\n${'A sentence about something else. '.repeat(20)}\n\nThe weight of the **lamp** is without its cable.`
  const found = findHighlights(markdown, 'weight of the lamp')
  expect(found[0]).toBe('The *lamp* weighs 2 kg.')
  for (const passage of found) expect(markdown).toContain(passage)
})

describe('a summary', () => {
  it('is what the page says of itself, when it does', () => {
    const own = 'The Slow Lamp is a small lamp of brass that lights a desk and nothing else.'
    expect(summarise(`# The Slow Lamp\n\n${OTHERS}`, own)).toBe(own)
  })

  it('has at most five whole sentences, and no notices', () => {
    const body = Array.from(
      { length: 12 },
      (_, n) => `The lamp of brass number ${n} lights the desk of the harbour master.`,
    )
    const summary = summarise(`# Lamps\n\nWe use cookies to remember you on this site.\n\n${body.join(' ')}`) ?? ''
    expect(summary.match(/\./g)?.length).toBeLessThanOrEqual(5)
    expect(summary).not.toContain('cookies')
  })
})

it('does not fail on a list without text', () => {
  expect(
    answerFromPage('# Lamp\n\n| a | b |\n| --- | --- |\n| c | d |\n\n- ![](x.png)\n', 'What is c?').quotes,
  ).toBeDefined()
})

it('marks a passage that only shares words with the question as the closest', () => {
  const page = `# Swimming pool\n\n${'The pool is 25 metres long and kept at 28 degrees. '.repeat(4)}\n\nAqua fit with Gemma is on Wednesdays. A locker takes one coin of £1, which it returns. ${'Children swim with an adult. '.repeat(5)}`
  expect(answerFromPage(page, 'What does a locker cost?').answer).toBe(
    'A locker takes one coin of £1, which it returns.',
  )
  expect(answerFromPage(page, 'What does aqua fit cost?').answer).toMatch(/^Closest on this page:/)
})
