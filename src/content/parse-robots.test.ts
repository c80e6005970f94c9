import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { looksLikeMarkup, parseRobots } from './parse-robots.ts'

const allows = (text: string, path: string, agent = 'orbweaver') =>
  parseRobots(text, agent).allows(`https://example.com${path}`)

/** Processor time, not the clock: other tests run beside these. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe('robots.txt', () => {
  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /', '/a', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['User-agent: *\nDisallow: /private', '/private/x', false],
    ['User-agent: *\nDisallow: /private', '/privateer', false],
    ['User-agent: *\nDisallow: /private/', '/private', true],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['User-agent: *\nDisallow: /a*c', '/abbbc', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['User-agent: *\nDisallow: /*?', '/x?y=1', false],
    ['User-agent: *\nDisallow: /a$', '/a', false],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: *x', '/abx', false],
    ['User-agent: *\nDisallow: /**/c', '/a/b/c', false],
    ['User-agent: *\nDisallow: /\nAllow: /$', '/', true],
    ['User-agent: *\nDisallow: /caf%C3%A9', '/café', false],
    ['User-agent: *\nDisallow: /café', '/caf%c3%a9', false],
    ['User-agent: *\nDisallow: /%61b', '/ab', false],
    ['User-agent: *\nDisallow: /a%24', '/a$b', false],
    ['User-agent: *\nDisallow: /a%24', '/a', true],
    ['User-agent: *\nDisallow: /a$b', '/a$bc', false],
    ['User-agent: *\nDisallow: /a%2Ac', '/a*c', false],
    ['User-agent: *\nDisallow: /a%2ac', '/abc', true],
    ['User-agent: *\nDisallow: /a*%24$', '/ab$', false],
    ['User-agent: *\nDisallow: /a*c', '/a*c', false],
    ['User-agent: *\nDisallow: /', '/robots.txt', true],
    ['\uFEFFUser-agent: *\r\nDisallow: /a\r\n', '/a', false],
    ['user-AGENT:*\rDISALLOW:/a', '/a', false],
    ['User-agent: * # all\nDisallow: /a # not this', '/a', false],
    ['Disallow: /a', '/a', true],
    ['nonsense\n:::\n\0\nUser-agent: *\nDisallow: /a', '/a', false],
  ])('%j says about %s: %s', (text, path, expected) => {
    expect(allows(text, path)).toBe(expected)
  })

  it('the group that names us wins over the one for all, and groups of one name are joined', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: Orbweaver/2.0\nDisallow: /a\n\nUser-agent: other\nUser-agent: orbweaver\nDisallow: /b'
    expect(allows(text, '/c')).toBe(true)
    expect(allows(text, '/a')).toBe(false)
    expect(allows(text, '/b')).toBe(false)
    expect(allows(text, '/c', 'someone')).toBe(false)
  })

  it('sitemaps belong to no group, and a delay to its own', () => {
    const text =
      'Sitemap: https://example.com/a.xml\nUser-agent: *\nCrawl-delay: 3600\nSitemap: https://example.com/b.xml'
    const { sitemaps, crawlDelay } = parseRobots(text, 'orbweaver')
    expect(sitemaps).toEqual(['https://example.com/a.xml', 'https://example.com/b.xml'])
    expect(crawlDelay).toBe(3600)
    expect(parseRobots('User-agent: *\nCrawl-delay: soon', 'x').crawlDelay).toBeUndefined()
  })

  it('a page in its place is recognised', () => {
    expect(looksLikeMarkup('<!DOCTYPE html><html>')).toBe(true)
    expect(looksLikeMarkup('\n  <html lang="en">')).toBe(true)
    expect(looksLikeMarkup('User-agent: *')).toBe(false)
  })

  it('rules made to cost time cost little', () => {
    const rules = Array.from({ length: 25_000 }, (_, at) => `Disallow: /*a*a*a*a*${at}$`).join('\n')
    const plain = Array.from({ length: 25_000 }, (_, at) => `Disallow: /${'a'.repeat(at % 500)}${at}`).join('\n')
    const started = cpuMs()
    const read = parseRobots(`User-agent: *\n${rules}\n${plain}`, 'orbweaver')
    expect(read.warnings).toHaveLength(1)
    for (let at = 0; at < 20; at++) read.allows(`https://example.com/${'a'.repeat(2000)}`)
    expectCost(cpuMs() - started).toBeLessThan(3000)
  })
})
