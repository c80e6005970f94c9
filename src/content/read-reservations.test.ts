import { describe, expect, it } from 'vitest'
import { parseRobots } from './parse-robots.ts'
import { parseTdmrep, readPageReservations, readTdmPolicy, usesOf } from './read-reservations.ts'

const uses = (headers: Record<string, string>, metadata: Record<string, string> = {}) =>
  usesOf(readPageReservations(headers, metadata, 'orbweaver'))
const AI = ['ai-input', 'ai-train']

describe('reservations of a page', () => {
  it.each([
    [{}, []],
    [{ 'x-robots-tag': 'noindex, nofollow' }, ['search']],
    [{ 'x-robots-tag': 'NOAI, noimageai' }, AI],
    [{ 'x-robots-tag': 'googlebot: noindex' }, []],
    [{ 'x-robots-tag': 'googlebot: noindex, orbweaver: none' }, ['search']],
    [{ 'x-robots-tag': 'googlebot: nofollow, noai' }, AI],
    [{ 'x-robots-tag': 'unavailable_after: 25 Jun 2099 15:00:00 PST, noindex' }, ['search']],
    [{ 'x-robots-tag': ',,:,noindexed, no index' }, []],
    [{ 'tdm-reservation': '1' }, AI],
    [{ 'tdm-reservation': 'true' }, []],
    [{ 'content-usage': 'train-ai=n, search=y' }, ['ai-train']],
    [{ 'content-usage': 'train-ai=maybe, =, ai-input' }, []],
  ])('%j: %j', (headers, expected) => {
    expect(uses(headers as Record<string, string>)).toEqual(expected)
  })

  it('meta tags count beside headers, and every statement is named', () => {
    const found = readPageReservations(
      { 'x-robots-tag': 'noindex' },
      { robots: 'noai, noindex', 'tdm-reservation': '1' },
      'orbweaver',
    )
    expect(found.map(({ by }) => by)).toEqual([
      'X-Robots-Tag: noindex',
      'meta robots: noai',
      'meta robots: noindex',
      'meta tdm-reservation',
    ])
  })

  it('the terms are an address of the web', () => {
    expect(readTdmPolicy({ 'tdm-policy': 'https://example.com/terms' }, {})).toBe('https://example.com/terms')
    expect(readTdmPolicy({}, { 'tdm-policy': 'javascript:alert(1)' })).toBeUndefined()
  })
})

describe('reservations of a site', () => {
  const signals = (text: string, path = '/') => parseRobots(text, 'orbweaver').reserves(`https://example.com${path}`)

  it.each([
    ['User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /', '/', ['ai-train']],
    ['Content-Signal: ai-train=no\nUser-agent: *\nDisallow: /x', '/', ['ai-train']],
    ['User-agent: other\nContent-Signal: search=no', '/', []],
    ['User-agent: *\nContent-Usage: /pictures/ train-ai=n', '/text', []],
    ['User-agent: *\nContent-Usage: /pictures/ train-ai=n', '/pictures/1', ['ai-train']],
    ['User-agent: *\nContent-Signal: ai-input=no\nUser-agent: orbweaver\nAllow: /', '/', []],
    ['User-agent: *\nContent-Signal: ai-input', '/', []],
  ])('robots.txt %j: %s %j', (text, path, expected) => {
    expect(signals(text, path)).toEqual(expected)
  })

  it('tdmrep.json: the longest location decides', () => {
    const of = parseTdmrep('[{"location":"/*","tdm-reservation":1},{"location":"/open/*","tdm-reservation":0}]')
    expect(usesOf(of('https://example.com/a'))).toEqual(AI)
    expect(usesOf(of('https://example.com/open/a'))).toEqual([])
  })

  it.each([
    '',
    '{}',
    'null',
    '[null,1,"x",{}]',
    '[{"location":1,"tdm-reservation":1}]',
    '[{"location":"/","tdm-reservation":"1"}]',
    `${'['.repeat(100_000)}`,
    '<html>',
  ])('a malformed tdmrep.json reserves nothing: %.30s', (text) =>
    expect(parseTdmrep(text)('https://example.com/')).toEqual([]),
  )
})
