// Quotes of a model, found on the page by their words and returned as the page has them.
import { expect, it } from 'vitest'
import { expectLinear } from '../../test/cost.ts'
import { findQuotes, makeWordFinder } from './find-quotes.ts'

it.each(['](', '](a "', '](b)](', '](\\"', '](a](b) "c'])('takes linear time for %s repeated', (hostile) => {
  expectLinear(50_000, (n) => makeWordFinder(hostile.repeat(n))('no words of the page'))
})

const PAGE = `# The harbour

The **customs house** of 1784 was designed by [Eleanor Marsh](https://e.example/marsh "Her life"),
who never saw it finished. Boats leave daily.

Find [red rope](https://x.test/a_(b)_c?tags[]=red "All \\"red\\" ropes") in [the shop](https://x.test/?a[b]=c_d).

Divers raised the bell in 1996, after two years of work in cold and muddy water below the quay.`

it.each([
  [
    'markup left out',
    ['The customs house of 1784 was designed by Eleanor Marsh'],
    /^The \*\*customs house\*\* of 1784 .*\[Eleanor Marsh/,
  ],
  ['other punctuation and case', ['boats leave daily!'], /^Boats leave daily\.$/],
  [
    'across links with brackets and quotes in their targets',
    ['Find red rope in the shop'],
    /^Find \[red rope\]\(.*\) in \[the shop\]$/,
  ],
  ['over a line break', ['Eleanor Marsh, who never saw it finished.'], /Her life"\), who never saw it finished\.$/],
  [
    'a word changed in the middle',
    ['Divers raised the bell in 1996, after several years of work in cold and muddy water below the quay.'],
    /after two years of work/,
  ],
])('%s', (_name, quotes, expected) => {
  expect(findQuotes(quotes, PAGE)).toEqual([expect.stringMatching(expected)])
})

it('what is not there is left out; the rest comes in the order of the page, once', () => {
  const quotes = [
    'Divers raised the bell',
    'A bell that is nowhere.',
    'Boats leave daily',
    'Boats leave daily.',
    7,
    '',
    '…',
  ]
  expect(findQuotes(quotes, PAGE)).toEqual(['Boats leave daily.', 'Divers raised the bell'])
})
