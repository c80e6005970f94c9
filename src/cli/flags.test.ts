import { describe, expect, it } from 'vitest'
import { type OperationInputs, toKebabCase } from '../capabilities/operation.ts'
import { UsageError } from './command.ts'
import { alignColumns, describeOperationFlags } from './flag-help.ts'
import { type CommandFlag, parseFlags } from './flags.ts'

const inputs: OperationInputs = {
  required: ['url'],
  properties: {
    url: { type: 'string' },
    onlyMainContent: { type: 'boolean', default: true, description: 'Leave out the rest.' },
    redactPII: { anyOf: [{ type: 'boolean' }, { type: 'object', properties: { mode: { type: 'string' } } }] },
    limit: { type: 'integer' },
    proxy: { enum: ['basic', 'auto'], type: 'string', default: 'auto' },
    formats: { type: 'array', items: { anyOf: [{ enum: ['markdown', 'html'], type: 'string' }, { type: 'object' }] } },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    scrapeOptions: { type: 'object', properties: { waitFor: { type: 'integer' }, mobile: { type: 'boolean' } } },
    webhook: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    explain: { type: 'string', enum: ['true', 'false'] },
  },
}
const own: readonly CommandFlag[] = [
  { name: 'json', help: 'As JSON.' },
  { name: 'output', short: 'o', value: 'file', help: 'Where to.' },
]
const given = (...args: string[]) => parseFlags(args, inputs, own).given

describe('flags become values of the schema', () => {
  it.each<[string[], object]>([
    [['--limit', '5'], { limit: 5 }],
    [['--limit=5'], { limit: 5 }],
    [['--only-main-content'], { onlyMainContent: true }],
    [['--no-only-main-content'], { onlyMainContent: false }],
    [['--only-main-content', 'false'], { onlyMainContent: false }],
    [['--onlyMainContent=false'], { onlyMainContent: false }],
    [['--redact-pii'], { redactPII: true }],
    [['--redact-pii.mode', 'fast'], { redactPII: { mode: 'fast' } }],
    [['--explain'], { explain: true }],
    [['--formats', 'markdown,html'], { formats: ['markdown', 'html'] }],
    [['--formats', 'markdown', '--formats', '{"type":"x"}'], { formats: ['markdown', { type: 'x' }] }],
    [['--formats', '["html"]'], { formats: ['html'] }],
    [['--headers', '{"a":"b"}', '--headers.X-Mine', '1'], { headers: { a: 'b', 'X-Mine': '1' } }],
    [['--scrape-options.wait-for', '9', '--scrape-options.mobile'], { scrapeOptions: { waitFor: 9, mobile: true } }],
    [['--webhook', 'https://example.com'], { webhook: 'https://example.com' }],
    [['--webhook', '{"url":"https://example.com"}'], { webhook: { url: 'https://example.com' } }],
    [['--url=https://example.com/?a=b'], { url: 'https://example.com/?a=b' }],
  ])('%j', (args, expected) => {
    expect(given(...args)).toEqual(expected)
  })

  it('words without dashes, and everything after --, are left in their order', () => {
    const parsed = parseFlags(['one', '--json', 'two', '-o', 'file', '--', '--three'], inputs, own)
    expect(parsed).toEqual({ given: {}, own: { json: true, output: 'file' }, positionals: ['one', 'two', '--three'] })
  })

  it('a name that reaches into prototypes is a name like any other', () => {
    const parsed = given('--headers.__proto__', 'x')
    expect(Object.getPrototypeOf(parsed.headers)).toBe(Object.prototype)
    expect(Object.hasOwn(parsed.headers as object, '__proto__')).toBe(true)
    expect(() => given('--__proto__', 'x')).toThrow(/no flag/)
  })

  it.each([
    [['--limit', 'many'], '--limit must be a number, not "many"'],
    [['--limit'], '--limit needs a value'],
    [['--proxy', 'none'], '--proxy must be one of basic, auto; not "none"'],
    [['--formats', 'pdf'], '--formats must be one of markdown, html; not "pdf"'],
    [['--headers', 'a: b'], '--headers must be JSON'],
    [['--dance'], 'there is no flag --dance'],
    [['--no-limit'], 'there is no flag --no-limit'],
    [['-x'], 'there is no flag -x'],
    [['--json=yes'], '--json takes no value'],
    [['--headers', '@/nowhere.json'], 'the file /nowhere.json cannot be read (ENOENT)'],
    [['--scrape-options.dance', '1'], 'there is no flag --scrape-options.dance'],
  ])('%j is refused with what would be right', (args, sentence) => {
    expect(() => given(...args)).toThrow(UsageError)
    expect(() => given(...args)).toThrow(sentence)
  })
})

describe('help', () => {
  it('shows a switch that is on as the flag that turns it off', () => {
    const lines = describeOperationFlags(inputs, ['url'])
    expect(lines.map(({ flag }) => flag)).toEqual([
      '--no-only-main-content',
      '--redact-pii',
      '--limit <number>',
      '--proxy <basic|auto>',
      '--formats <list>',
      '--headers <json>',
      '--scrape-options <json>',
      '--webhook <text>',
      '--explain',
    ])
    expect(lines[0]?.help).toBe('Turn off: Leave out the rest.')
    expect(
      alignColumns(lines, 60)
        .split('\n')
        .every((line) => line.length <= 62),
    ).toBe(true)
  })

  it('names are parted where a word begins', () => {
    expect(['onlyMainContent', 'redactPII', 'regexOnFullURL', 'deduplicateSimilarURLs'].map(toKebabCase)).toEqual([
      'only-main-content',
      'redact-pii',
      'regex-on-full-url',
      'deduplicate-similar-urls',
    ])
  })
})
