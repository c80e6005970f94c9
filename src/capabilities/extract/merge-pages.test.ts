import { describe, expect, it } from 'vitest'
import { mergeExtractedPages } from './merge-pages.ts'

const page = (url: string, json: unknown) => ({ url, json })

describe('answers of several pages', () => {
  it('fill each other up when they speak of the same thing, with sources', () => {
    const merged = mergeExtractedPages([
      page('https://acme.example/about', { name: 'Acme', ceo: 'Ada Low', price: null }),
      page('https://acme.example/pricing', { name: 'Acme Ltd', ceo: null, price: 9 }),
    ])
    expect(merged.data).toEqual({ name: 'Acme', ceo: 'Ada Low', price: 9 })
    expect(merged.sources).toEqual({
      name: ['https://acme.example/about', 'https://acme.example/pricing'],
      ceo: ['https://acme.example/about'],
      price: ['https://acme.example/pricing'],
    })
    expect(merged.warnings).toEqual([])
  })

  it('are not mixed when they speak of unlike things, and it says so', () => {
    const merged = mergeExtractedPages([
      page('https://conf.example/27', { name: 'Gauge Days', date: '2027-03-01', city: 'Brno', difficulty: null }),
      page('https://trails.example/7', { name: 'Ridge Trail', date: null, city: null, difficulty: 'hard' }),
    ])
    expect(merged.data).toEqual({ name: 'Gauge Days', date: '2027-03-01', city: 'Brno', difficulty: null })
    expect(merged.sources.difficulty).toBeUndefined()
    expect(merged.warnings.join()).toMatch(/2 different things.*list/)
  })

  it('join their lists: no row takes a value of another', () => {
    const merged = mergeExtractedPages([
      page('https://a.example/', {
        rows: [
          { name: 'Gauge Days', city: 'Brno' },
          { name: 'Valve Week', city: 'Gent' },
        ],
      }),
      page('https://b.example/', {
        rows: [
          { name: 'Ridge Trail', difficulty: 'hard' },
          { name: 'valve week', fee: 90 },
        ],
      }),
      page('https://c.example/', { rows: [{ name: 'Gauge Days', city: 'Oslo' }] }),
    ])
    expect(merged.data).toEqual({
      rows: [
        { name: 'Gauge Days', city: 'Brno' },
        { name: 'Valve Week', city: 'Gent', fee: 90 },
        { name: 'Ridge Trail', difficulty: 'hard' },
        { name: 'Gauge Days', city: 'Oslo' },
      ],
    })
    expect(merged.sources.rows).toHaveLength(3)
  })

  it('are lists as they are, and titles of pages of one site do not part them', () => {
    expect(
      mergeExtractedPages([page('https://a.example/', ['x', 'y']), page('https://a.example/2', ['y', 'z'])]).data,
    ).toEqual(['x', 'y', 'z'])
    const site = mergeExtractedPages([
      page('https://a.example/team', { title: 'Team', ceo: 'Ada' }),
      page('https://a.example/prices', { title: 'Prices', price: 3 }),
    ])
    expect(site.data).toEqual({ title: 'Team', ceo: 'Ada', price: 3 })
  })
})
