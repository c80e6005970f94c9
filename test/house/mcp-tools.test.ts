// The list of tools as an agent pays for it and chooses from it: its size by a tokenizer, and the right tool for what
// people say, ranked by words alone (BM25 over names and descriptions).
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { describeTool, MORE_TOOLS_TOOL, makeToolSet, readToolArguments, toolNameOf } from '../../src/api/mcp/tools.ts'
import { deriveOperations } from '../../src/capabilities/derive-operations.ts'
import { capabilities } from '../../src/capabilities/index.ts'

const operations = deriveOperations(capabilities)
const everyone = makeToolSet(operations, false)
const admin = makeToolSet(operations, true)

describe('the list of tools', () => {
  it.each([
    ['everyone', everyone],
    ['an administrator', admin],
  ])('costs %s 5,000 tokens at most', (_who, { tools }) => {
    const tokens = encode(JSON.stringify(tools)).length
    const each = tools.map((tool) => `${tool.name} ${encode(JSON.stringify(tool)).length}`)
    expect(tokens, each.join('\n')).toBeLessThan(5000)
  })

  it('names operations and inputs that there are', () => {
    for (const [name, { inputs = {} }] of capabilities.flatMap(({ mcp }) => Object.entries(mcp))) {
      const operation = operations.find((one) => one.name === name)
      expect(operation, name).toBeDefined()
      const known = Object.keys(operation?.inputs().properties ?? {})
      for (const input of Object.keys(inputs)) expect(known, `${name}: ${input}`).toContain(input)
    }
  })

  it('has one name for an id', () => {
    const names = [...everyone.operations.values()].flatMap((operation) => {
      const { inputSchema } = JSON.parse(describeTool(operation)) as { inputSchema: { required: string[] } }
      return operation.params.slice(0, 1).flatMap(() => inputSchema.required.slice(0, 1))
    })
    expect([...new Set(names)].sort()).toEqual(['id', 'name'])
  })

  it('has every other operation of the web behind one tool, by name', () => {
    const listed = new Set(everyone.tools.map(({ name }) => name))
    const more = everyone.tools.find(({ name }) => name === MORE_TOOLS_TOOL)?.description ?? ''
    for (const operation of operations.filter(({ isAccount }) => !isAccount))
      expect(listed.has(toolNameOf(operation)) || more.includes(toolNameOf(operation)), operation.name).toBe(true)
  })

  it('shows the keeping of the service to administrators alone, and then only to be read', () => {
    expect(everyone.tools.map(({ name }) => name)).not.toContain('admin')
    expect([...everyone.operations.keys()].filter((name) => /^(admin|team|webhooks)_/.test(name))).toEqual([])
    const seen = [...admin.operations].filter(([, { isAccount }]) => isAccount)
    expect(seen.map(([name]) => name)).toContain('admin_usage')
    for (const [name, { method }] of seen) {
      expect(method, name).toBe('GET')
      expect(name).not.toMatch(/secret/)
    }
  })

  it('says of every tool with more options where they are described', () => {
    const scrape = everyone.tools.find(({ name }) => name === 'scrape')
    expect(scrape?.inputSchema.required).toEqual(['url'])
    expect(Object.keys(scrape?.inputSchema.properties ?? {}).length).toBeLessThanOrEqual(12)
    expect(scrape?.inputSchema.properties?.options).toMatchObject({
      description: expect.stringContaining('orbweaver://tools/scrape'),
    })
    const whole = JSON.parse(describeTool(everyone.operations.get('scrape') as never))
    expect(whole.inputSchema.properties.timeout).toMatchObject({ maximum: 300_000 })
    expect(whole.inputSchema.properties.redactPII).toBeDefined()
  })

  it('what stands beside `options` wins over what stands in it', () => {
    const scrape = everyone.operations.get('scrape')!
    expect(readToolArguments(scrape, { url: 'a', mobile: true, options: { mobile: false, proxy: 'basic' } })).toEqual({
      url: 'a',
      mobile: true,
      proxy: 'basic',
    })
    expect(() => readToolArguments(scrape, { options: 'fast' })).toThrow(/options: must be an object/)
  })
})

/** What people say, and the tool that a client should reach for. */
const dialogues: readonly (readonly [string, string])[] = [
  ['Give me the text of this web page as markdown: https://example.com/story', 'scrape'],
  ['Take a screenshot of the page https://example.com', 'scrape'],
  ['Get title and price from this product page as JSON fields', 'scrape'],
  ['Download every page of the documentation website', 'crawl'],
  ['Is the crawl finished, or is it still running?', 'crawl_status'],
  ['Stop the crawl that is running', 'crawl_cancel'],
  ['Which URLs does this website have? List them', 'map'],
  ['Here is a list of forty addresses, scrape them all', 'batch'],
  ['How far is the batch?', 'batch_status'],
  ['Search the web for news about sodium batteries', 'search'],
  ['Read this PDF file and give me its tables', 'parse'],
  ['Convert the attached Word document to markdown', 'parse'],
  ['Watch this page and tell me when the price changes', 'monitor_create'],
  ['What changed on the pages we watch?', 'monitor_history'],
  ['Research which of these companies has the best plan, compare several websites with sources', 'agent'],
  ['Has the agent found the answer yet?', 'agent_status'],
  ['Click the "load more" button on the page you just scraped', 'interact'],
  ['Open a browser and keep the login for next time', 'session_open'],
  ['Run this Playwright code in the browser session', 'session_run'],
  ['Show me the rest of that long answer', 'read_on'],
  ['Close the browser session', 'session_stop'],
  ['List my recent jobs', 'jobs'],
  ['Delete the monitor, stop watching it', 'monitor_delete'],
  ['Why were pages of the crawl dropped or failed?', 'jobs_pages'],
]

const STOP = new Set(
  'an and are as at be by for from has have how in is it its me my of on or that the them this to we were what which why with you your'.split(
    ' ',
  ),
)
const wordsIn = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replace(/https?:\S+/g, '')
      .match(/[a-z]{2,}/g) ?? []
  )
    .filter((word) => !STOP.has(word))
    .map((word) => word.replace(/(?:ies|es|s|ed|ing)$/, ''))

/** BM25 with its usual constants. */
function ranked(asked: string, texts: ReadonlyMap<string, readonly string[]>): string[] {
  const [k, b] = [1.2, 0.75]
  const mean = [...texts.values()].reduce((sum, words) => sum + words.length, 0) / texts.size
  const score = (words: readonly string[]) =>
    [...new Set(wordsIn(asked))].reduce((sum, word) => {
      const has = [...texts.values()].filter((other) => other.includes(word)).length
      const often = words.filter((one) => one === word).length
      const rarity = Math.log(1 + (texts.size - has + 0.5) / (has + 0.5))
      return sum + (rarity * often * (k + 1)) / (often + k * (1 - b + (b * words.length) / mean))
    }, 0)
  return [...texts]
    .map(([name, words]) => ({ name, score: score(words) }))
    .sort((x, y) => y.score - x.score)
    .map(({ name }) => name)
}

describe('words alone choose the tool', () => {
  // What a tool is not for names the others, and an example is not its description.
  const texts = new Map(
    everyone.tools.map(({ name, description = '' }) => [
      name,
      wordsIn(`${name.replaceAll('_', ' ')} ${description.replace(/Not for .*|Example: .*/s, '')}`),
    ]),
  )

  it.each(dialogues)('%s → %s', (asked, tool) => {
    expect(ranked(asked, texts).slice(0, 3)[0], ranked(asked, texts).slice(0, 3).join(', ')).toBe(tool)
  })
})
