// What a model may remove from a page's text, and what it may not.
import { expect, it } from 'vitest'
import { keepCleanedLines } from './keep-cleaned-lines.ts'

const CONTENT = `# Trail Lamp

The lamp shines for forty hours with one set of batteries and weighs little.

| Size | Price |
| --- | --- |
| Small | €29.00 |
| Large | €48.50 |

It comes with a strap, and with a bag of cloth that keeps the rain out of it.`
const NOTICE = 'Our shop remembers what you looked at, so that it finds your way back.'
const PAGE = `[Home](/)\n[Lamps](/lamps)\n\n${CONTENT}\n\n${NOTICE}\n\nSubscribe to our newsletter`

it('boilerplate may go, and the rest is copied from the page', () => {
  const cleaned = CONTENT.replaceAll('| --- |', '|---|')
  expect(keepCleanedLines(PAGE, cleaned)).toEqual({ text: CONTENT })
  expect(keepCleanedLines(PAGE, PAGE)).toEqual({ text: PAGE })
})

it.each([
  ['everything', ''],
  ['all but a line', '# Trail Lamp'],
  ['the paragraphs', CONTENT.replace(/^(?:The|It) .*$/gm, '')],
  ['the text, for a summary of it', '# Trail Lamp\n\nA lamp with two sizes, forty hours of light, a strap and a bag.'],
  ['an amount, for another', CONTENT.replace('48.50', '84.50').replace('forty', 'sixty')],
])('%s may not', (_name, cleaned) => {
  expect(keepCleanedLines(PAGE, cleaned)).toEqual({ because: expect.stringMatching(/removed|changed/) })
})
