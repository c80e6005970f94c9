import { describe, expect, it } from 'vitest'
import { expectCost } from '../../../test/cost.ts'
import { rankByWords } from './rank-by-words.ts'

const order = (search: string, ...items: ({ url: string; title?: string; description?: string } | string)[]) =>
  rankByWords(
    items.map((item) => (typeof item === 'string' ? { url: `https://example.com${item}` } : item)),
    search,
  )
const paths = (ranked: Awaited<ReturnType<typeof order>>) => ranked.map(({ item }) => new URL(item.url).pathname)

describe('ranking by words', () => {
  it('puts what matches in the path first, and gives the rest nothing', async () => {
    const ranked = await order('pricing', '/about', '/docs/pricing', '/blog')
    expect(paths(ranked)).toEqual(['/docs/pricing', '/about', '/blog'])
    expect(ranked.map(({ score }) => score > 0)).toEqual([true, false, false])
  })

  it('counts a title more than a path, and a path more than a description', async () => {
    const ranked = await order(
      'gauges',
      { url: 'https://example.com/1', description: 'All about gauges' },
      { url: 'https://example.com/gauges' },
      { url: 'https://example.com/3', title: 'Gauges' },
    )
    expect(paths(ranked)).toEqual(['/3', '/gauges', '/1'])
  })

  it('counts a rare word more than a common one', async () => {
    const many = Array.from({ length: 20 }, (_, n) => `/blog/post-${n}`)
    expect(paths(await order('blog frost', ...many, '/forum/frost'))[0]).toBe('/forum/frost')
  })

  it('takes words in a row before the same words apart', async () => {
    expect(paths(await order('tide clock', '/clock/of/tide', '/tide-clock'))).toEqual(['/tide-clock', '/clock/of/tide'])
  })

  it('knows other endings, other scripts, escapes and accents', async () => {
    expect(paths(await order('prices', '/a', '/pricelist-2026'))[0]).toBe('/pricelist-2026')
    expect(paths(await order('цены', '/a', '/%D1%86%D0%B5%D0%BD%D1%8B'))[0]).toBe('/%D1%86%D0%B5%D0%BD%D1%8B')
    expect(paths(await order('CAFÉ', '/a', '/cafe'))[0]).toBe('/cafe')
    expect(paths(await order('bad escape', '/a', '/%E0%A4%A/bad-escape'))[0]).toBe('/%E0%A4%A/bad-escape')
  })

  it('keeps the order of what is as good, and all of it when nothing is asked', async () => {
    expect(paths(await order('zebra', '/c', '/a', '/b'))).toEqual(['/c', '/a', '/b'])
    expect(paths(await order('!?', '/c', '/a'))).toEqual(['/c', '/a'])
  })

  it('a hundred thousand addresses take little, and never hold up the loop', async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => `/section-${n % 50}/a-long-name-of-page-${n}`)
    let longest = 0
    let before = performance.now()
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - before)
      before = performance.now()
    }, 1)
    const listed = items.map((path) => ({ url: `https://example.com${path}` }))
    before = performance.now()
    const started = before
    await rankByWords(listed, 'long section name zebra 7777')
    clearInterval(watch)
    expectCost(performance.now() - started).toBeLessThan(6000)
    expectCost(longest).toBeLessThan(1000)
  })
})
