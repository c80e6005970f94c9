// The call in other words must be the same call: shells and JavaScript read back what was shown.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { type Capability, capabilitiesOf, kindOf, spoken } from '../../dashboard/src/playground/schema.ts'
import { type Call, snippet } from '../../dashboard/src/playground/snippets.ts'
import { makeOpenApiDocument } from '../../src/api/openapi.ts'
import { capabilities } from '../../src/capabilities/index.ts'

const offered = capabilitiesOf(makeOpenApiDocument(capabilities, '0') as never)
const at = (path: string): Capability => offered.find((capability) => capability.path === path)!
const NASTY = `it's "quoted" $(touch /tmp/x) \`id\` \\ \n; & | <b> ünïcode`

const call = (path: string, body: Record<string, unknown>): Call => ({
  capability: at(path),
  body,
  origin: 'http://localhost:3002',
})

/** What a shell makes of a command line: its words. */
function words(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; npx() { printf '%s\\0' "$@"; }; ${command}`
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
}

describe('snippets', () => {
  it('curl sends exactly the body, whatever is in it', () => {
    const body = { url: 'https://example.com/?a=1&b=2', headers: { 'x-odd': NASTY }, waitFor: 5 }
    const given = words(snippet('curl', call('/v2/scrape', body)))
    expect(given[0]).toBe('http://localhost:3002/v2/scrape')
    expect(JSON.parse(given[given.indexOf('-d') + 1]!)).toEqual(body)
  })

  it('the command line gets the same values as flags', () => {
    const body = {
      url: `https://example.com/${NASTY}`,
      formats: ['markdown', 'links'],
      onlyMainContent: false,
      mobile: true,
    }
    const given = words(snippet('CLI', call('/v2/scrape', body)))
    expect(given).toEqual([
      'orbweaver',
      'scrape',
      body.url,
      '--formats',
      'markdown,links',
      '--no-only-main-content',
      '--mobile',
    ])
  })

  it('TypeScript says the same, as the SDK groups it', () => {
    const body = {
      urls: ['https://a.test', NASTY],
      formats: [{ type: 'screenshot', fullPage: true }],
      maxConcurrency: 2,
    }
    const text = snippet('TypeScript', call('/v2/batch/scrape', body))
    const [, inner = ''] = /client\.batchScrape\(([\s\S]*)\)\nconsole/.exec(text) ?? []
    expect(new Function(`return [${inner}]`)()).toEqual([
      body.urls,
      { maxConcurrency: 2, options: { formats: [{ type: 'screenshot', fullPage: true }] } },
    ])
  })

  it('Python spells names its own way', () => {
    const text = snippet('Python', call('/v2/scrape', { url: 'https://a.test', onlyMainContent: false, maxAge: 0 }))
    expect(text).toContain('client.scrape("https://a.test", only_main_content=False, max_age=0)')
  })

  it('data keeps its names in every language: a property of a schema is no option', () => {
    const schema = { type: 'object', properties: { inStock: { type: 'boolean' }, priceInEuros: { type: 'number' } } }
    const body = { url: 'https://a.test', formats: [{ type: 'json', schema }], headers: { 'X-myHeader': 'aB' } }
    for (const language of ['curl', 'TypeScript', 'Python', 'Go', 'CLI', 'MCP'] as const) {
      const text = snippet(language, call('/v2/scrape', body))
      expect(text, language).toContain('inStock')
      expect(text, language).toContain('priceInEuros')
      expect(text, language).toContain('X-myHeader')
      expect(text, language).not.toContain('in_stock')
    }
    const inner = snippet(
      'Python',
      call('/v2/crawl', {
        url: 'https://a.test',
        scrapeOptions: { onlyMainContent: false, formats: [{ type: 'json', schema }] },
      }),
    )
    expect(inner).toContain('"only_main_content": False')
    expect(inner).toContain('"inStock"')
  })

  it('Go carries the body whatever is in it', () => {
    const body = { url: 'https://a.test', headers: { odd: 'a `quoted` word' } }
    const text = snippet('Go', call('/v2/scrape', body))
    const [, inner = ''] = /NewReader\(([\s\S]*?)\)\n\trequest/.exec(text) ?? []
    // Raw texts of Go put together by plus signs, read as the compiler would.
    const read = [...inner.matchAll(/`([^`]*)`|"([^"]*)"/g)].map(([, one, other]) => one ?? other).join('')
    expect(JSON.parse(read)).toEqual(body)
  })

  it('MCP names the tool and gives it the body', () => {
    const text = snippet('MCP', call('/v2/batch/scrape', { urls: ['https://a.test'] }))
    expect(JSON.parse(text.slice(text.indexOf('\n{')))).toMatchObject({
      method: 'tools/call',
      params: { name: 'batch', arguments: { urls: ['https://a.test'] } },
    })
  })
})

describe('the form', () => {
  it('offers every call that takes an address, a query or a file', () => {
    expect(offered.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/v2/scrape', '/v2/parse', '/v2/batch/scrape', '/v2/crawl', '/v2/map', '/v2/crawl/plan']),
    )
  })

  it('draws every option of a scrape as something better than JSON', () => {
    const asJson = Object.entries(at('/v2/scrape').fields).filter(([, schema]) => kindOf(schema).kind === 'json')
    expect(asJson.map(([name]) => name)).toEqual([])
    expect(kindOf(at('/v2/scrape').fields.formats!)).toMatchObject({ kind: 'picks' })
    expect(kindOf(at('/v2/scrape').fields.actions!)).toMatchObject({ kind: 'list' })
  })

  it.each([
    ['onlyMainContent', 'Only main content'],
    ['skipTlsVerification', 'Skip TLS verification'],
    ['removeBase64Images', 'Remove base64 images'],
    ['redactPII', 'Redact PII'],
    ['ignoreInvalidURLs', 'Ignore invalid URLs'],
  ])('calls %s “%s”', (name, label) => expect(spoken(name)).toBe(label))
})
