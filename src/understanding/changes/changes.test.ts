import { describe, expect, it } from 'vitest'
import { expectCost, sized } from '../../../test/cost.ts'
import { compareJson } from './compare-json.ts'
import { compareTextVersions, fingerprintLines } from './compare-texts.ts'
import { comparisonKeyOf } from './comparison-key.ts'
import { judgeChangeByRules } from './judge-change-by-rules.ts'

const pageText = (text: string, lines: number[] = []) => ({ text, lines })
const changed = (before: string, after: string) => compareTextVersions(pageText(before), pageText(after)).changed

describe('a section that leads elsewhere', () => {
  const page = (items: string, more = 'Telephone 12') =>
    `# Mill\n\nThe mill is old.\n\n## Most read\n\n${items}\n\n## Contact\n\n${more}`

  it('changes without the page', () => {
    expect(changed(page('- [A storm](/1)'), page('- [A fair](/2)'))).toBe(false)
    expect(changed(page('- [A storm](/1)'), page('- [A storm](/1)', 'Telephone 14'))).toBe(true)
  })

  it('ends where the page itself speaks again', () => {
    const prose =
      'The wheel was renewed in 1911, and the stones were dressed by hand until the last miller went away in the spring of the year after.'
    const pageWith = (text: string) => `# Mill\n\n## Related\n\n- [A storm](/1)\n\n${text}`
    expect(changed(pageWith(prose), pageWith(prose.replace('1911', '1912')))).toBe(true)
  })

  it('is known by its heading on the whole page, where the content kept the items alone', () => {
    const whole = (item: string) => fingerprintLines(`# Mill\n\nOld.\n\n## Up next\n\n${item}`)
    const [before, after] = ['- [A storm](/1)', '- [A fair](/2)']
    const pages = [before, after].map((item) => pageText(`# Mill\n\nOld.\n\n${item}`, whole(item)))
    expect(compareTextVersions(pages[0]!, pages[1]!).changed).toBe(false)
  })
})

describe('noise', () => {
  it.each([
    ['Posted 5 minutes ago by Ada', 'Posted 3 hours ago by Ada'],
    ['This page has been accessed 2,339 times.', 'This page has been accessed 2,340 times.'],
    ['Your last visit: 17:02', 'Your last visit: 18:40'],
    ['vor 3 Stunden geschrieben', 'vor 2 Tagen geschrieben'],
    ['Last updated: 3 May 2026 10:22', 'Last updated: 9 June 2026 11:00'],
    ['A story with 1,204 views', 'A story with 9,310 views'],
    ['[Shop](https://a.b/c?id=7&utm_source=x)', '[Shop](https://a.b/c?id=7&utm_source=y&fbclid=z)'],
    ['Request id: 9f86d081884c7d659a2feaa0c55ad015', 'Request id: 0b1c2d3e4f5a69788796a5b4c3d2e1f0'],
    ['```', '```js'],
    ['Sunday, 15 November 2026', 'Monday, 16 November 2026'],
    ['Some   words', 'Some words '],
    ['12 boats · 318 reviews · 1.2k forks', '12 boats · 320 reviews · 1.3k forks'],
    ['Used by 2,671 · Open issues 16', 'Used by 2,699 · Open issues 9'],
    ['| main | 3 days ago | 84 ms |', '| main | last month | 91 ms |'],
    ['Made at 2026-11-15T09:41:07.331Z', 'Made at 2026-11-16T10:02:55Z'],
    ['Latest commit 9d3b1f7', 'Latest commit 04ce8a2'],
    ['Build 20261115.3', 'Build 20261116.1'],
    ['Basket (0)', 'Basket (2)'],
  ])('does not count: %j is %j', (before, after) => {
    expect(comparisonKeyOf(before)).toBe(comparisonKeyOf(after))
  })

  it.each([
    ['Open 9:00 to 17:00', 'Open 10:00 to 17:00'],
    ['The hall holds 200 people', 'The hall holds 250 people'],
    ['Deadline: 3 May 2026', 'Deadline: 9 May 2026'],
    ['[Guide](https://a.b/v2.pdf)', '[Guide](https://a.b/v3.pdf)'],
    ['Bake for 1 h 10 min', 'Bake for 1 h 30 min'],
    ['price 10', 'price 12'],
    ['Score 2-1', 'Score 2-2'],
    ['For 5 users', 'For 9 users'],
    ['A house of 4 stars', 'A house of 3 stars'],
    ['Ready in 40 minutes', 'Ready in 50 minutes'],
    ['SHA-256: b7d1e0c99f2a4d53a1c68e7f0b2234d1', 'SHA-256: c90a1be4470d2f88e6135ab7c04fd912'],
    ['Returns within 60 days', 'Returns within 30 days'],
  ])('is not what a page says: %j is not %j', (before, after) => {
    expect(comparisonKeyOf(before)).not.toBe(comparisonKeyOf(after))
  })
})

describe('comparing', () => {
  it('does not mind order or wrapping', () => {
    expect(changed('one line\n\ntwo lines', 'two lines\n\none line')).toBe(false)
    expect(changed('some words run\non here', 'some words run on here')).toBe(false)
  })

  it('minds words that changed places within a line', () => {
    expect(changed('Rovers beat United', 'United beat Rovers')).toBe(true)
  })

  it('shows what came and went as a unified diff, and not what moved', () => {
    const { diff } = compareTextVersions(pageText('a\n\nb\n\nc\n\nprice 10'), pageText('c\n\na\n\nb\n\nprice 12'))
    expect(diff).toBe('--- previous\n+++ current\n@@ -1,4 +1,4 @@\n c\n-price 10\n a\n b\n+price 12\n')
  })

  it('forgives a line that the page holds as often as before', () => {
    const whole = fingerprintLines('tile\nbody')
    expect(compareTextVersions(pageText('body\n\ntile', whole), pageText('body', whole)).changed).toBe(false)
    expect(
      compareTextVersions(pageText('body\n\ntile', whole), pageText('body', fingerprintLines('body'))).changed,
    ).toBe(true)
  })

  it('takes time in proportion, even when nothing is left as it was', () => {
    const page = (n: number, word: string) =>
      Array.from({ length: n }, (_, at) => `${word} ${at} `.repeat(8)).join('\n')
    const small = cpu(() => compareTextVersions(pageText(page(sized(1000), 'a')), pageText(page(sized(1000), 'b'))))
    const large = cpu(() => compareTextVersions(pageText(page(sized(10_000), 'a')), pageText(page(sized(10_000), 'b'))))
    expectCost(large).toBeLessThan(Math.max(small, 30) * 30)
  })

  it('bounds the diff', () => {
    const page = (word: string) => Array.from({ length: 800 }, (_, at) => `${word} ${at} `.repeat(250)).join('\n')
    expect(compareTextVersions(pageText(page('a')), pageText(page('b'))).diff.length).toBeLessThan(1_000_000)
  })
})

describe('comparing extractions', () => {
  it('names each value by its path', () => {
    const before = { name: 'Lamp', plans: [{ price: 5 }, { price: 9 }], gone: 1 }
    const after = { name: 'Lamp ', plans: [{ price: 5 }, { price: 10 }], here: true }
    expect(compareJson(before, after)).toEqual({
      gone: { previous: 1, current: null },
      here: { previous: null, current: true },
      'plans[1].price': { previous: 9, current: 10 },
    })
  })

  it('does not go down with the depth of the data', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`)
    expect(Object.keys(compareJson(deep, 2))).toHaveLength(2)
  })
})

function cpu(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

it.each([
  ['when its text changes', true],
  ['tell me when the content of the page changes', true],
  ['when anything changes', true],
  ['when the price drops', false],
])('a goal that names no subject matches any text: %s', (goal, meaningful) => {
  const change = {
    type: 'changed',
    before: 'Boats in the bay',
    after: 'Boats at sea',
    section: '',
    kind: 'text',
  } as const
  expect(judgeChangeByRules(goal, [change], []).meaningful).toBe(meaningful)
})
