import { describe, expect, it } from 'vitest'
import { expectCost } from '../../../test/cost.ts'
import { analysePdfLayout } from './analyse-pdf-layout.ts'
import { assembleFormulas } from './find-formulas.ts'
import { groupIntoRows } from './group-rows.ts'
import type { PdfRun, PdfSheet } from './page-layout-types.ts'
import { runsToDisplay } from './runs-to-markdown.ts'

const run = (text: string, x: number, base: number, more: Partial<PdfRun> = {}): PdfRun => {
  const size = more.size ?? 10
  return {
    text,
    x0: x,
    x1: x + text.length * size * 0.5,
    y0: base - size * 0.8,
    y1: base + size * 0.2,
    base,
    size,
    bold: false,
    italic: false,
    mono: false,
    math: false,
    ...more,
  }
}
const sheet = (runs: PdfRun[], number = 1): PdfSheet => ({
  number,
  width: 600,
  height: 800,
  runs,
  turned: [],
  images: [],
  rules: [],
  source: 'native_text',
})
const read = (...pages: PdfRun[][]) =>
  analysePdfLayout(
    pages.map((runs, index) => sheet(runs, index + 1)),
    { pageMarkers: false, status: () => 'ok' },
  )
const lines = (texts: string[], x: number, from: number) => texts.map((text, index) => run(text, x, from + index * 12))

describe('paragraphs', () => {
  it('are joined across lines, and a hyphen that only the line end made goes', () => {
    const { markdown } = read(
      lines(
        [
          'The gauge was read every morn-',
          'ing by the keeper of the light, and',
          'the well-',
          'known book was kept. A well-known one.',
        ],
        50,
        200,
      ),
    )
    expect(markdown).toBe(
      'The gauge was read every morning by the keeper of the light, and the well-known book was kept. A well-known one.',
    )
  })

  it('are joined across pages when a sentence goes on', () => {
    const { markdown, blocks } = read(
      lines(['The gauge was read every morning', 'by the keeper of the'], 50, 200),
      lines(['light, who wrote it down.', 'Nobody else did so.'], 50, 200),
    )
    expect(markdown).toBe(
      'The gauge was read every morning by the keeper of the light, who wrote it down. Nobody else did so.',
    )
    for (const { items } of blocks)
      for (const { markdownSpan, content } of items) expect(markdown.slice(...(markdownSpan ?? [0, 0]))).toBe(content)
  })
})

it('reads three columns one after another, under a title that spans them', () => {
  const column = (name: string) => Array.from({ length: 6 }, (_, index) => `${name} line number ${index} of it`)
  const runs = [
    run('A title that spans all of the columns of this page', 50, 100, { size: 20 }),
    ...lines(column('left'), 50, 160),
    ...lines(column('middle'), 230, 160),
    ...lines(column('right'), 410, 160),
  ]
  const { markdown } = read(runs)
  expect(
    markdown.match(/title|left line number 5|middle line number 0|middle line number 5|right line number 0/g),
  ).toEqual(['title', 'left line number 5', 'middle line number 0', 'middle line number 5', 'right line number 0'])
})

it('leaves running heads and page numbers out of the markdown and keeps them as blocks', () => {
  const page = (number: number) => [
    run('A report on tides', 50, 40),
    ...lines(['Some text of the page stands here.', 'And more of it.'], 50, 200 + number),
    run(String(number), 300, 780),
  ]
  const { markdown, blocks } = read(page(1), page(2), page(3))
  expect(markdown).not.toMatch(/report|^\d$/m)
  expect(blocks[1]?.items.map(({ type }) => type)).toEqual(['page_header', 'text', 'page_number'])
})

it('leaves a small line above the text of a single page out, and keeps one of its size', () => {
  const body = Array.from({ length: 8 }, (_, at) => run('Text that goes on to the end of its line', 50, 160 + at * 12))
  expect(read([run('The yearly report', 250, 90, { size: 8 }), ...body]).markdown).not.toContain('yearly')
  expect(read([run('The yearly report', 250, 90), ...body]).markdown).toContain('yearly')
})

it('keeps the only line of a page, which is no running head of it', () => {
  const certificates = [1, 2, 3, 4].map((number) => [run(`Certificate ${number} issued to a sailor`, 50, 30)])
  expect(read(...certificates).pages.map(({ markdown }) => markdown)).toEqual(
    [1, 2, 3, 4].map((number) => `Certificate ${number} issued to a sailor`),
  )
  expect(read(...['7', '9'].map((text) => [run(text, 300, 780)])).markdown).toMatch(/7\s+9/)
  const body = lines(['Body text of this page that goes on.', 'And goes on.'], 50, 300)
  const head = () => run('The yearly report', 250, 30)
  const { pages } = read([head(), ...body], [head()], [head(), ...body], [head(), run('2', 300, 780)])
  expect(pages.map(({ markdown }) => markdown.includes('yearly'))).toEqual([false, false, false, false])
})

it('makes a table of pieces that line up, and a list of marked lines', () => {
  const rows = [
    ['Name', 'Size', 'Price'],
    ['Rope', '24', '18.50'],
    ['Fender', '6', '41.00'],
  ].flatMap((cells, row) => cells.map((text, column) => run(text, 50 + column * 120, 200 + row * 14)))
  expect(read(rows).markdown).toBe(
    '| Name | Size | Price |\n| --- | --- | --- |\n| Rope | 24 | 18.50 |\n| Fender | 6 | 41.00 |',
  )
  expect(read(lines(['• Ropes', '• Fenders', '1. Not a year'], 50, 200)).markdown).toBe(
    '- Ropes\n- Fenders\n\n1. Not a year',
  )
})

it('keeps a statement one table over its sections, with the head over its columns and the signs of its amounts', () => {
  const line = (base: number, label: string, ...amounts: string[]) => [
    run(label, 60, base),
    ...amounts.flatMap((amount, at) => {
      const end = 400 + at * 60
      const [digits = '', sign] = amount.split('$').reverse()
      return [...(sign === undefined ? [] : [run('$', end - 55, base)]), run(digits, end - digits.length * 5, base)]
    }),
  ]
  const { markdown } = read([
    run('December 31,', 372, 100),
    run('2025', 375, 112),
    run('2024', 435, 112),
    ...line(130, 'Current assets:'),
    ...line(142, 'Cash', '$1,234', '$987'),
    ...line(154, 'Receivables', '345', '(12)'),
    ...line(166, 'Total', '$1,579', '$975'),
    ...line(210, 'Liabilities and equity'),
    ...line(222, 'Current liabilities:'),
    ...line(234, 'Commitments and contingencies'),
    ...line(246, 'Payables', '$500', '$450'),
    ...line(258, 'Earnings', '1,079', '525'),
  ])
  expect(markdown).toBe(
    [
      '|  | December 31, 2025 | December 31, 2024 |',
      '| --- | --- | --- |',
      '| Current assets: |  |  |',
      '| Cash | $ 1,234 | $ 987 |',
      '| Receivables | 345 | (12) |',
      '| Total | $ 1,579 | $ 975 |',
      '| Liabilities and equity |  |  |',
      '| Current liabilities: |  |  |',
      '| Commitments and contingencies |  |  |',
      '| Payables | $ 500 | $ 450 |',
      '| Earnings | 1,079 | 525 |',
    ].join('\n'),
  )
})

it.each([
  ['a sign in a sentence stays with its amount', [2, 2], ['Preis: 100', '€', 'pro Monat'], ['Preis: 100 € pro Monat']],
  ['signs follow their amounts', [2, 30, 2], ['1.234,00', '€', '5.678,00', '€'], ['1.234,00 €', '5.678,00 €']],
  [
    'in a column of signs they precede them',
    [5, 25, 5, 35],
    ['Cash', '$', '1,234', '$', '987'],
    ['Cash $ 1,234', '$ 987'],
  ],
  ['the nearer amount has the sign', [20, 5, 2], ['Note 12', '$', '1,234'], ['Note 12', '$ 1,234']],
])('%s', (_, gaps, texts, segments) => {
  let x = 50
  const runs = texts.map((text, at) => {
    const made = run(text, x, 200)
    x = made.x1 + (gaps[at] ?? 0)
    return made
  })
  expect(groupIntoRows(runs).map((row) => row.map(({ text }) => text))).toEqual([segments])
})

it('joins the two lines of a label with the figures halfway between them', () => {
  const row = (base: number, label: string, ...figures: string[]) => [
    ...(label ? [run(label, 50, base)] : []),
    ...figures.map((figure, at) => run(figure, 300 + at * 80, base)),
  ]
  const rows = [
    ...row(100, 'Balance', '100', '45', '145'),
    ...row(118, 'Profit of the year that the'),
    ...row(124, '', '12', '88', '100'),
    ...row(130, 'owners may divide'),
    ...row(148, 'Dividends', '40', '4', '44'),
    ...row(166, 'Balance', '72', '129', '201'),
  ]
  expect(read(rows).markdown).toContain('| Profit of the year that the owners may divide | 12 | 88 | 100 |')
})

it('joins no labels that belong to other rows, introduce some or begin anew', () => {
  const row = (base: number, label: string, ...figures: string[]) => [
    ...(label ? [run(label, 50, base)] : []),
    ...figures.map((figure, at) => run(figure, 300 + at * 80, base)),
  ]
  const table = (...rest: PdfRun[][]) => read([...row(100, 'Balance', '1', '2'), ...rest.flat()]).markdown
  const end = [row(166, 'Balance', '5', '6'), row(184, 'Dividends', '7', '8')]
  expect(table(row(118, 'Assets:'), row(124, '', '3', '4'), row(130, 'in all'), ...end)).not.toContain('Assets: in all')
  expect(table(row(118, 'Cash'), row(124, '', '3', '4'), row(130, 'Claims'), ...end)).not.toContain('Cash Claims')
  const shared = [row(118, 'cash'), row(124, '', '3', '4'), row(130, 'and'), row(136, '', '9', '4'), row(142, 'claims')]
  expect(table(...shared, ...end)).not.toMatch(/cash and|and claims/)
})

it('joins the lines of a title whose distance is that of the text in proportion to its size, centred or not', () => {
  const title = [
    run('A title that needs several', 50, 100, { size: 30 }),
    run('lines and is centred', 95, 151, { size: 30 }),
  ]
  const text = Array.from({ length: 6 }, (_, at) =>
    run('Words of the text that fill the width of the column of this page', 50, 230 + at * 18),
  )
  expect(read([...title, ...text]).markdown).toMatch(/^# A title that needs several lines and is centred\n\n/)
})

it('takes the large signs of a formula for no heading, but the letters of an index', () => {
  const text = lines(
    Array.from({ length: 6 }, (_, at) => `Words about the tide that fill line ${at}`),
    50,
    300,
  )
  const { markdown } = read([run('b ρ', 50, 200, { size: 16 }), run('A', 50, 260, { size: 16 }), ...text])
  expect(markdown).toMatch(/^b ρ\n\n# A\n\nWords/)
})

describe('formulas', () => {
  const sign = (text: string, x: number, base: number, more: Partial<PdfRun> = {}) =>
    run(text, x, base, { math: true, font: 'CMMI10', ...more })
  const bar = (x0: number, x1: number, y: number) => ({ x0, x1, y0: y, y1: y + 0.5 })
  const readWith = (runs: PdfRun[], rules: PdfSheet['rules']) =>
    analysePdfLayout([{ ...sheet(runs), rules }], { pageMarkers: false, status: () => 'ok' }).markdown
  const small = { size: 7 }

  it('are a fraction by their bar, and have scripts by size and base line', () => {
    const runs = [
      ...[sign('y', 100, 200), run('=', 108, 200), sign('x', 120, 193), sign('i', 125, 194.5, small)],
      ...[sign('k', 120, 207), run('2', 125, 203.5, small), run('+ 1 holds.', 132, 200)],
    ]
    expect(readWith(runs, [bar(120, 128.5, 197.5)])).toBe('$y=\\frac{x_{i}}{k^{2}}+1$ holds.')
  })

  it('escape what is markup in TeX', () => {
    const y = [sign('y', 100, 200), run('=', 108, 200)]
    const tex = (above: string, below: string) =>
      readWith([...y, run(above, 120, 193), run(below, 120, 207)], [bar(120, 135, 197.5)])
    expect(tex('10%', 'A&B')).toBe('$$\ny=\\frac{\\text{10\\%}}{\\text{A\\&B}}\n$$')
    expect(tex('$5', 'k_1')).toBe('$$\ny=\\frac{\\text{\\$5}}{\\text{k\\_1}}\n$$')
    expect(runsToDisplay([run('for 5% of it', 50, 200)])).toBe('\\text{for 5\\% of it}')
  })

  it('are not what text has raised or underlined', () => {
    const runs = [
      ...[run('An area of 25 m', 50, 100), run('2', 125, 96.4, small), run('of the 3', 131, 100)],
      ...[run('rd', 171, 96.4, small), run('field', 181, 100), run('has', 209, 100), run('weeds', 227, 100)],
      ...[run('2019', 50, 200), run('412', 52, 212), sign('•', 400, 400, { font: 'CMSY10' })],
    ]
    const markdown = readWith(runs, [bar(50, 70, 202.5), bar(227, 252, 102)])
    expect(markdown).toMatch(/^An area of 25 m2 of the 3rd field has weeds\n/)
    expect(markdown).not.toContain('$')
    const bound = [
      run('Players of age', 50, 100),
      run('≥', 130, 100, { font: 'SymbolMT', math: true }),
      run('18 may join.', 140, 100),
    ]
    expect(readWith(bound, [])).not.toContain('$')
  })

  it('take a bounded time', () => {
    const runs = Array.from({ length: 1900 }, (_, at) =>
      sign(at % 2 ? '∑' : '(', (at * 37) % 580, 20 + ((at * 53) % 760), { size: 3 + (at % 40) }),
    )
    const rules = runs.slice(0, 300).map(({ x0, base }) => bar(x0, x0 + 9, base))
    const started = performance.now()
    readWith(runs, rules)
    expectCost(performance.now() - started).toBeLessThan(8000)
  })

  const many = (n: number, make: (at: number) => PdfRun) => Array.from({ length: n }, (_, at) => make(at))
  it.each<[string, (n: number) => PdfRun[]]>([
    ['one run', (n) => [sign('∑', 10, 700), run('x='.repeat(n / 2), 100, 100, { italic: true })]],
    ['limits', (n) => [sign('∑', 100, 100), ...many(n, (at) => sign('i', 100 + (at % 5), 109, { size: 6 }))]],
    [
      'brackets',
      (n) => [run('('.repeat(n / 2), 0, 100), sign('x', n * 2.5, 100), run(')'.repeat(n / 2), n * 2.5 + 5, 100)],
    ],
    ['accents', (n) => many(n, (at) => sign(at % 2 ? '\u0302' : 'a', (at * 37) % 580, (at * 11) % 700))],
  ])('take a bounded time for %s of thousands of signs', (_, runs) => {
    const started = performance.now()
    assembleFormulas(sheet(runs(2000)))
    expectCost(performance.now() - started).toBeLessThan(8000)
  })
})

it('escapes what would be markdown', () => {
  expect(read(lines(['# not a heading, and 2 * 3 * 4 and <b>'], 50, 200)).markdown).toBe(
    '\\# not a heading, and 2 * 3 * 4 and \\<b>',
  )
})

it('stays quick on a page with very many pieces', () => {
  const noise = Array.from({ length: 20_000 }, (_, at) =>
    run('x y', (at * 37) % 580, 20 + ((at * 53) % 760), { size: 3 + (at % 40) }),
  )
  const started = performance.now()
  analysePdfLayout([sheet(noise)], { pageMarkers: false, status: () => 'ok' })
  expectCost(performance.now() - started).toBeLessThan(5000)
})
