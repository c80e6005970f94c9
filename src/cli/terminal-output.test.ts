import { describe, expect, it } from 'vitest'
import { formatReplyTable, formatTable, makeTextStyler } from './terminal-output.ts'

const terminal = { isTTY: true, hasColors: () => true } as never
const pipe = { isTTY: false } as never

describe('on a terminal', () => {
  it('has colours, and a pipe has none', () => {
    expect(makeTextStyler(terminal).bold('x')).toBe('\u001b[1mx\u001b[22m')
    expect(makeTextStyler(pipe).bold('x')).toBe('x')
    expect(makeTextStyler({ isTTY: true, hasColors: () => false } as never).bad('x')).toBe('x')
  })

  it('lists of records are tables, the telling columns first and as many as fit', () => {
    const rows = [
      { total: 3, id: 'one', status: 'completed', inner: { a: 1 } },
      { total: 12, id: 'two', status: 'scraping', inner: { a: 2 } },
    ]
    expect(formatTable(rows, makeTextStyler(pipe), 80)).toBe(
      ['id   status     total', 'one  completed  3', 'two  scraping   12'].join('\n'),
    )
    expect(formatTable(rows, makeTextStyler(pipe), 16)).toBe(
      ['id   status', 'one  completed', 'two  scraping'].join('\n'),
    )
  })

  it('finds the list of an answer under every name, and writes figures line by line', () => {
    const table = (answer: object) => formatReplyTable(answer as never, makeTextStyler(pipe), 80)
    const agents = [{ id: 'one', status: 'completed', options: { prompt: 'x' } }]
    expect(table({ success: true, agents })).toBe(['id   status', 'one  completed'].join('\n'))
    expect(table({ success: true, data: { keys: agents, total: 1 } })).toContain('one')
    expect(table({ success: true, data: { remainingCredits: 7, planCredits: null } })).toBe(
      ['remainingCredits  7', 'planCredits       '].join('\n'),
    )
    expect(table({ success: true, data: { markdown: '# A', images: agents } })).toBeUndefined()
    expect(table({ success: true, data: { web: agents, news: agents } })).toBeUndefined()
  })

  it('what is no list of records is no table, and a page cannot steer the terminal', () => {
    expect(formatTable(['a', 'b'], makeTextStyler(pipe), 80)).toBeUndefined()
    expect(formatTable([], makeTextStyler(pipe), 80)).toBeUndefined()
    expect(formatTable([{ id: 1, title: 'a\u001b[2Jb' }], makeTextStyler(pipe), 80)).not.toContain('\u001b')
  })
})
