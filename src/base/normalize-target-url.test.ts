import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { normalizeTargetUrl } from './normalize-target-url.ts'
import { Problem } from './problem.ts'

describe('targetUrl', () => {
  it.each([
    ['example.com', 'http://example.com/'],
    ['  https://Example.COM/a b?q=1#part ', 'https://example.com/a%20b?q=1'],
    ['example.com:8080/x', 'http://example.com:8080/x'],
    ['//example.com/x', 'http://example.com/x'],
    ['HTTP://example.com:80/', 'http://example.com/'],
    ['https://münchen.example/straße', 'https://xn--mnchen-3ya.example/stra%C3%9Fe'],
    ['https://пример.рф/', 'https://xn--e1afmkfd.xn--p1ai/'],
    ['http://8.8.8.8/', 'http://8.8.8.8/'],
    ['http://[2606:4700::1111]:8080/', 'http://[2606:4700::1111]:8080/'],
    ['localhost:3000/a', 'http://localhost:3000/a'],
    ['http://a.localhost/', 'http://a.localhost/'],
    ['http://example.com./', 'http://example.com./'],
    ['http://sub_domain.example.com/', 'http://sub_domain.example.com/'],
  ])('reads %j as %s', (text, href) => {
    expect(normalizeTargetUrl(text)).toBe(href)
  })

  it.each([
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://0177.0.0.1/', 'http://127.0.0.1/'],
    ['http://127.1/', 'http://127.0.0.1/'],
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
    ['http://１２７.０.０.１/', 'http://127.0.0.1/'],
    ['http://127。0。0。1/', 'http://127.0.0.1/'],
    ['ht\ttp://127.0.0.1/', 'http://127.0.0.1/'],
    ['http:\\\\127.0.0.1\\x', 'http://127.0.0.1/x'],
    ['http://[::ffff:169.254.169.254]/', 'http://[::ffff:a9fe:a9fe]/'],
    ['http://example.com\\@127.0.0.1/', 'http://example.com/@127.0.0.1/'],
  ])('shows the disguised address %j as it is: %s', (text, href) => {
    expect(normalizeTargetUrl(text)).toBe(href)
  })

  it.each([
    '',
    '   ',
    'file:///etc/passwd',
    'ftp://example.com/',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,hello',
    'blob:https://example.com/x',
    'view-source:http://example.com/',
    'chrome://settings',
    'mailto:a@example.com',
    'http://',
    'http:///',
    'hello',
    'http://intranet/',
    'http://good@127.0.0.1/',
    'https://user:secret@example.com/',
    'http://exa mple.com/',
    'http://example..com/',
    'http://example.c/',
    'http://-a.example.com/',
    'http://example.com:99999/',
    'http://[::1',
    `http://example.com/${'a'.repeat(20_000)}`,
    `http://${'a.'.repeat(200)}com/`,
  ])('refuses %j', (text) => {
    expect(() => normalizeTargetUrl(text)).toThrow(Problem)
    expect(() => normalizeTargetUrl(text)).toThrow(/^Invalid URL/)
  })

  it('accepts a single-label host that the operator named', () => {
    expect(normalizeTargetUrl('http://wiki/start', ['wiki'])).toBe('http://wiki/start')
  })

  it('takes linear time on a long run of spaces inside the text', () => {
    const started = performance.now()
    expect(() => normalizeTargetUrl(`a${' '.repeat(1_000_000)}b`)).toThrow(/^Invalid URL/)
    expectCost(performance.now() - started).toBeLessThan(200)
  })
})
