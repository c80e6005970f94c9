// Docs for users are easy to read: a grade of nine at most, and no sentence of more than thirty words. Pages about the inside
// (docs/internals, architecture) and lists of figures are for those who build it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readability, syllablesOf } from '../../scripts/readability.mjs'
import { problems } from '../../src/base/problem.ts'
import { problemHelp } from '../../src/base/problem-help.ts'

const root = join(import.meta.dirname, '../..')
const FOR_BUILDERS = new Set(['architecture.md', 'measured.md'])
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && !FOR_BUILDERS.has(file))
    .map((file) => `docs/${file}`),
]
const MOST_GRADE = 9
const MOST_WORDS = 30

describe('docs for users', () => {
  it.each(pages)('%s is easy to read', (page) => {
    const { grade, longest, longestWords } = readability(readFileSync(join(root, page), 'utf8'))
    expect(grade).toBeLessThanOrEqual(MOST_GRADE)
    expect(longestWords, longest).toBeLessThanOrEqual(MOST_WORDS)
  })

  it('so are the texts of failures', () => {
    const texts = [...Object.values(problems).map(({ say }) => say), ...Object.values(problemHelp)]
    const { grade, longest, longestWords } = readability(
      texts.map((text) => `${text.replace(/\.$/, '')}.`).join('\n\n'),
    )
    expect(grade).toBeLessThanOrEqual(MOST_GRADE)
    expect(longestWords, longest).toBeLessThanOrEqual(MOST_WORDS)
  })
})

describe('the measure', () => {
  it.each([
    ['spider', 2],
    ['web', 1],
    ['service', 2],
    ['documentation', 5],
    ['pages', 2],
    ['asked', 1],
  ])('%s has about %i syllables', (word, count) => {
    expect(Math.abs(syllablesOf(word) - count)).toBeLessThanOrEqual(1)
  })

  it('tells a hard text from an easy one, and looks at prose alone', () => {
    const easy = 'The cat sat. It ran. We saw it go.'
    const hard =
      'Notwithstanding considerable organisational heterogeneity, interdepartmental communication necessitates comprehensive standardisation of terminological conventions.'
    expect(readability(easy).grade).toBeLessThan(4)
    expect(readability(hard).grade).toBeGreaterThan(15)
    expect(readability(`${easy}\n\n\`\`\`\n${hard}\n\`\`\`\n\n| ${hard} |\n`).grade).toBe(readability(easy).grade)
  })
})
