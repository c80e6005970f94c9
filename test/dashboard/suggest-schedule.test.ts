// The schedule that the dashboard suggests for a page, by what the page says of its dates.
import { describe, expect, it } from 'vitest'
import { suggestedSchedule } from '../../dashboard/src/screens/suggest-schedule.ts'

const NOW = Date.UTC(2026, 5, 15, 12)
const HOUR = 3_600_000
const ago = (hours: number) => new Date(NOW - hours * HOUR)

describe('the suggested schedule', () => {
  it('follows the dates of what a page lists', () => {
    const list = (...hours: number[]) =>
      hours.map((one) => `<time datetime="${ago(one).toISOString()}">x</time>`).join()
    expect(suggestedSchedule(list(0.2, 0.9, 2, 2.5, 3), NOW).schedule).toBe('every 30 minutes')
    expect(suggestedSchedule(list(1, 6, 11, 16), NOW)).toEqual({
      schedule: 'hourly',
      because: 'Its dates are 5 hours apart.',
    })
    expect(suggestedSchedule(list(24, 48, 73, 96), NOW).schedule).toBe('every 6 hours')
    expect(suggestedSchedule(list(24, 7 * 24, 14 * 24), NOW).schedule).toBe('daily')
  })

  it('reads feeds, sitemaps, JSON-LD and the head of a page', () => {
    const feed = [24, 48, 72].map((one) => `<pubDate>${ago(one).toUTCString()}</pubDate>`).join('')
    expect(suggestedSchedule(feed, NOW).schedule).toBe('every 6 hours')
    expect(suggestedSchedule('<script>{"dateModified": "2026-06-10"}</script>', NOW).schedule).toBe('daily')
    expect(suggestedSchedule('<meta property="article:modified_time" content="2025-01-01T00:00:00Z">', NOW)).toEqual({
      schedule: 'weekly',
      because: 'The page was last dated 531 days ago.',
    })
    expect(suggestedSchedule('<lastmod>2026-06-15</lastmod>', NOW).schedule).toBe('hourly')
  })

  it('leaves dates to come and what is no date out, and is hourly without any', () => {
    for (const html of ['', '<time datetime="2027-01-01">x</time>', '<time datetime="next summer">x</time>'])
      expect(suggestedSchedule(html, NOW).schedule).toBe('hourly')
  })
})
