import { describe, expect, it } from 'vitest'
import { composeAccents, type PlacedLetter } from './compose-accents.ts'

/** Letters side by side, five points each; `^` before a sign sets it back over the middle of the next letter. */
function drawn(text: string): PlacedLetter[] {
  let x = 0
  let after: PlacedLetter['after'] = ''
  const letters: PlacedLetter[] = []
  for (const char of text) {
    if (char === ' ') {
      after = ' '
      x += 3
      continue
    }
    const isAccent = /[´ˇˆ¨¸]/.test(char)
    letters.push({ text: char, x0: isAccent ? x + 1 : x, x1: isAccent ? x + 4 : x + 5, y: 100, size: 10, after })
    after = ''
    if (!isAccent) x += 5
  }
  return letters
}

const read = (letters: readonly PlacedLetter[]): string => letters.map(({ after, text }) => after + text).join('')

describe('accents that are signs of their own', () => {
  it('stand on the letter below them', () => {
    expect(read(composeAccents(drawn('J´an Min´aˇc, Nguyˆen')))).toBe('Ján Mináč, Nguyên')
    expect(read(composeAccents(drawn('na¨ıve Gar¸con')))).toBe('naïve Garçon')
  })

  it('leave no gap where the reader saw one', () => {
    const letters = drawn('Min´ac')
    const accent = letters.findIndex(({ text }) => text === '´')
    const seen = letters.map((letter, at) => (at === accent ? { ...letter, after: ' ' as const } : letter))
    expect(read(composeAccents(seen))).toBe('Minác')
  })

  it('come from the end of the line too, where some files draw them', () => {
    const letters = drawn('caf´e au lait')
    const [accent] = letters.splice(3, 1)
    expect(read(composeAccents([...letters, accent!]))).toBe('café au lait')
  })

  it('stay what they are where no letter is below', () => {
    const far = drawn('x').concat({ text: '´', x0: 50, x1: 53, y: 100, size: 10, after: '' })
    expect(read(composeAccents(far))).toBe('x´')
    const above = drawn('x').concat({ text: '´', x0: 1, x1: 4, y: 130, size: 10, after: '' })
    expect(read(composeAccents(above))).toBe('x´')
  })
})
