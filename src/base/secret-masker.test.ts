import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { SecretMasker } from './secret-masker.ts'

const masker = new SecretMasker()
masker.add(['p"ss & wörd/1', 'marker-9c02', 'ab'])

describe('a masker of secrets', () => {
  it.each([
    'marker-9c02',
    'https://a.example/?u=x&p=p%22ss+%26+w%C3%B6rd%2F1#top',
    'p=p%22ss%20%26%20w%c3%b6rd/1',
    'marker%2D9c02',
    '<input value="p&quot;ss &amp; wörd/1">',
    '&#109;arker-&#x39;c02',
    JSON.stringify({ a: 'p"ss & wörd/1' }),
    `Basic ${Buffer.from('me:marker-9c02').toString('base64')}`,
    `x${Buffer.from('u=1&p=marker-9c02&z').toString('base64url')}`,
    'mar<!-- -->ker-<b class="x">9c</b>02',
  ])('hides %s', (text) => {
    const shown = masker.text(text)
    expect(shown).toContain('•••')
    expect(shown.replace(/<[^>]*>/g, '')).not.toMatch(/9c|02|ss|rd|a2VyLTlj/)
  })

  it('keeps tags, short values and everything else', () => {
    expect(masker.text('<p>mar<b>ker-9c02</b> ab</p>')).toBe('<p>•••<b></b> ab</p>')
  })

  it('masks the texts of a value and leaves its bytes', () => {
    const bytes = Buffer.from('marker-9c02')
    const shown = masker.deep({ url: '/?p=marker-9c02', list: [1, 'marker-9c02'], bytes })
    expect(shown).toEqual({ url: '/?p=•••', list: [1, '•••'], bytes })
    expect(shown.bytes).toBe(bytes)
  })

  it('masks text files, and refuses other files that have a value', () => {
    const [text, other] = [Buffer.from('a,marker-9c02\n'), Buffer.from([0, 1, ...Buffer.from('marker-9c02')])]
    expect(String(masker.file(text, 'text/csv'))).toBe('a,•••\n')
    expect(masker.file(other, 'application/zip')).toBeUndefined()
    expect(masker.file(text.subarray(0, 3), 'text/csv')).toEqual(text.subarray(0, 3))
    expect(masker.file(other.subarray(0, 5), 'application/zip')).toEqual(other.subarray(0, 5))
  })

  it('stays linear on a page of tags', () => {
    const page = 'm<b>'.repeat(300_000)
    const started = performance.now()
    expect(masker.text(page)).toBe(page)
    expectCost(performance.now() - started).toBeLessThan(1500)
  })
})
