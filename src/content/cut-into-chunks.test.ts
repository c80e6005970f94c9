import { describe, expect, it } from 'vitest'
import { type ChunkLimits, cutIntoChunks } from './cut-into-chunks.ts'

/** Words stand for tokens: the counting is a library's. */
const words = (text: string) => text.match(/\S+/g)?.length ?? 0
const cut = (markdown: string, limits: Partial<ChunkLimits> = {}) =>
  cutIntoChunks(markdown, { maxTokens: 30, overlap: 0, by: 'heading', ...limits }, words)

const row = (n: number) => `| Lamp ${n} | ${n} € |\n`
const table = `| Name | Price |\n| --- | --- |\n${Array.from({ length: 40 }, (_, n) => row(n)).join('')}`
const list = Array.from({ length: 20 }, (_, n) => `- Item ${n}\n  goes on\n  - nested ${n}\n`).join('')
const prose = Array.from({ length: 12 }, (_, n) => `This is sentence number ${n} of a long paragraph.`).join(' ')
const code = `\`\`\`js\n${'let a = 1\n\n'.repeat(40)}# no heading\n\`\`\`\n`
const page = `\n\n# Guide\n\nIntro.\n\n## Prices\n\n${table}\n## Steps\n\n${list}\n### Why\n\n${prose}\n\n${code}\nLast words.\n`

describe('chunks', () => {
  it.each(['heading', 'size'] as const)('by %s hold every character once, in order', (by) => {
    let at = 0
    for (const { span, text } of cut(page, { by })) {
      expect(span[0]).toBe(at)
      expect(text.endsWith(page.slice(...span))).toBe(true)
      at = span[1]
    }
    expect(at).toBe(page.length)
  })

  it('end at headings, and say which stand above them', () => {
    const made = cut(page)
    expect(made[0]).toMatchObject({ headings: ['Guide'], text: '\n\n# Guide\n\nIntro.\n\n' })
    expect(made.find(({ text }) => text.startsWith('### Why'))?.headings).toEqual(['Guide', 'Steps', 'Why'])
    expect(made.every(({ text }) => !/\n#+ .*\s*$/.test(text))).toBe(true)
  })

  it('repeat the header of a table, and never cut a row', () => {
    const rows = cut(page).filter(({ headings, text }) => headings.at(-1) === 'Prices' && text.includes('Lamp'))
    expect(rows.length).toBeGreaterThan(3)
    for (const { text } of rows) expect(text).toMatch(/\| Name \| Price \|\n\| --- \| --- \|\n\| Lamp[\s\S]*\|\n+$/)
    expect(rows.flatMap(({ text }) => text.match(/Lamp \d+ \| \d+ €/g))).toHaveLength(40)
  })

  it('never cut an item, a sentence or code, however long', () => {
    const made = cut(page)
    for (const { text } of made.filter(({ text }) => text.includes('Item')))
      expect(text.match(/Item/g)).toHaveLength(text.match(/nested/g)!.length)
    for (const { text } of made.filter(({ text }) => text.includes('sentence number')))
      expect(text.trim()).toMatch(/\.$/)
    expect(made.filter(({ text }) => text.includes('let a')).map(({ text }) => text.match(/```/g)?.length)).toEqual([2])
  })

  it('stay within the limit where cutting is allowed', () => {
    for (const { tokens, text } of cut(page)) expect(tokens <= 40 || text.includes('```')).toBe(true)
  })

  it('a long item is cut at the items within it', () => {
    const nested = Array.from({ length: 30 }, (_, n) => `  - part ${n} of it\n`).join('')
    expect(cut(`- All of it:\n${nested}`).length).toBeGreaterThan(3)
  })

  it('repeat whole pieces of the chunk before when they may overlap', () => {
    const made = cut(`# A\n\n${prose}`, { overlap: 10 })
    expect(made.length).toBeGreaterThan(2)
    for (const [at, one] of made.entries())
      if (at > 0) {
        expect(one.span[0]).toBeLessThan(made[at - 1]!.span[1])
        expect(one.text).toMatch(/^This is sentence/)
      }
  })

  it('by page end where a page does', () => {
    const text = 'First page.\n\nStill first.\n\nSecond page.\n'
    const at = text.indexOf('Second')
    const made = cutIntoChunks(text, { maxTokens: 100, overlap: 0, by: 'page' }, words, (offset) =>
      offset < at ? 1 : 2,
    )
    expect(made.map(({ span }) => span)).toEqual([
      [0, at],
      [at, text.length],
    ])
  })

  it('an empty text has none; a text of headings alone is one', () => {
    expect(cut('')).toEqual([])
    expect(cut('# A\n\n## B\n')).toHaveLength(1)
  })

  it.each([
    ['paragraphs', 'word. '],
    ['items', '- a\n'],
    ['rows', '| a | b |\n'],
    ['fences', '```\n'],
    ['headings', '# a\n'],
    ['open links', '[a. '],
  ])('take linear time on many %s', (_, piece) => {
    const time = (times: number) => {
      const text = `| a | b |\n| - | - |\n${piece.repeat(times)}`
      const started = process.cpuUsage()
      cutIntoChunks(text, { maxTokens: 500, overlap: 0, by: 'heading' }, (part) => part.length / 4)
      return process.cpuUsage(started).user + 20_000
    }
    time(1000)
    expect(time(100_000) / time(10_000)).toBeLessThan(40)
  })
})
