// The list of faults and their tests says what is so: every number is there once, and what it points at exists.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const rows = readFileSync(join(ROOT, 'test/faults.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, number, , file = '', words = '']) => ({ number: Number(number), file, words }))

describe('the list of faults', () => {
  it('has every number once', () => {
    const wanted = [...Array.from({ length: 48 }, (_, at) => at + 1), 50, 52]
    expect(rows.map(({ number }) => number)).toEqual(wanted)
  })

  it.each(rows)('fault $number is tested where it says', ({ file, words }) => {
    expect(words).not.toBe('')
    expect(existsSync(join(ROOT, file)), file).toBe(true)
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(words)
  })
})
