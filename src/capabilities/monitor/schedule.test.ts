// Schedules: the phrases of the contract, cron, time zones and both changes of summer time.
import { describe, expect, it } from 'vitest'
import { describeSchedule, nextScheduledTime, phraseToCron, runsPerMonth, validateSchedule } from './schedule.ts'

const ID = '01920000-0000-7000-8000-000000000001'
const OTHER = '01920000-0000-7000-8000-000000000002'
const NOW = Date.UTC(2026, 0, 15, 12)
const SMALLEST = 5 * 60_000

const iso = (at: number | null) => at && new Date(at).toISOString()
const ticks = (cron: string, timezone: string, from: number, to: number): string[] => {
  const found: string[] = []
  for (
    let at = nextScheduledTime({ cron, timezone }, from);
    at !== null && at < to;
    at = nextScheduledTime({ cron, timezone }, at)
  )
    found.push(new Date(at).toISOString())
  return found
}

describe('a schedule in words', () => {
  it.each([
    ['daily at 9am', '0 9 * * *'],
    ['daily at 5:30 PM', '30 17 * * *'],
    ['daily at 17:05', '5 17 * * *'],
    ['Daily at 12am', '0 0 * * *'],
    ['every 30 minutes starting at :10', '10-59/30 * * * *'],
    ['every 15 minutes starting at :50', '5-59/15 * * * *'],
    ['every monday at 9am', '0 9 * * 1'],
    ['weekdays at 8:15', '15 8 * * 1-5'],
    ['weekly on friday at 6pm', '0 18 * * 5'],
    ['every day at noon', '0 12 * * *'],
  ])('%s is %s', (phrase, cron) => {
    expect(phraseToCron(phrase, ID)).toBe(cron)
  })

  it.each([
    ['every 10 minutes', /^\d-59\/10 \* \* \* \*$/],
    ['every 60 minutes', /^\d+ \* \* \* \*$/],
    ['hourly', /^\d+ \* \* \* \*$/],
    ['every hour', /^\d+ \* \* \* \*$/],
    ['every 6 hours', /^\d+ [0-5]-23\/6 \* \* \*$/],
    ['daily', /^\d+ \d+ \* \* \*$/],
    ['weekly', /^\d+ \d+ \* \* [0-6]$/],
  ])('%s is spread by the id', (phrase, shape) => {
    expect(phraseToCron(phrase, ID)).toMatch(shape)
    expect(phraseToCron(phrase, ID)).toBe(phraseToCron(phrase, ID))
    const spread = new Set(Array.from({ length: 40 }, (_, at) => phraseToCron(phrase, `${OTHER}${at}`)))
    expect(spread.size).toBeGreaterThan(4)
  })

  it.each(['now and then', 'every 7 minutes', 'every 5 hours', 'daily at 25:00', 'daily at 9', 'every blursday', ''])(
    '"%s" is refused',
    (phrase) => {
      expect(() => phraseToCron(phrase, ID)).toThrow(/schedule: /)
    },
  )
})

describe('a schedule as cron', () => {
  it('is refused when it cannot be, or looks too often', () => {
    const check = (cron: string, timezone = 'UTC') => validateSchedule({ cron, timezone }, SMALLEST, NOW)
    expect(() => check('* * * * *')).toThrow(/smallest interval is 5 minutes/)
    expect(() => check('*/4 * * * *')).toThrow(/smallest interval/)
    expect(() => check('0,3 * * * *')).toThrow(/every 3 minutes/)
    expect(() => check('0 9 * *')).toThrow(/five fields/)
    expect(() => check('61 9 * * *')).toThrow(/cannot be read/)
    expect(() => check('0 9 * * *', 'Mars/Olympus')).toThrow(/not a time zone/)
    expect(() => check('0 0 30 2 *')).toThrow(/never comes due/)
    expect(check('*/5 * * * *')).toBe(SMALLEST)
    expect(check('0 9 * * *', 'Europe/Berlin')).toBe(86_400_000)
  })

  it('is reckoned in its time zone, on the days when the clock changes too', () => {
    expect(iso(nextScheduledTime({ cron: '0 9 * * *', timezone: 'Asia/Tokyo' }, NOW))).toBe('2026-01-16T00:00:00.000Z')
    // Berlin, 29 March 2026: 02:30 does not exist; 25 October: it comes twice.
    const spring = ticks('30 2 * * *', 'Europe/Berlin', Date.UTC(2026, 2, 27, 12), Date.UTC(2026, 2, 31))
    expect(spring).toHaveLength(3)
    const autumn = ticks('30 2 * * *', 'Europe/Berlin', Date.UTC(2026, 9, 23, 12), Date.UTC(2026, 9, 27))
    expect(autumn).toHaveLength(3)
    const hourly = ticks('0 * * * *', 'America/New_York', Date.UTC(2026, 10, 1, 0), Date.UTC(2026, 10, 2, 0))
    expect(hourly).toHaveLength(23)
    expect(ticks('0 * * * *', 'America/New_York', Date.UTC(2026, 2, 8, 0), Date.UTC(2026, 2, 9, 0))).toHaveLength(23)
  })

  it('comes once at each of its times of day, however the clock changes', () => {
    const day = (cron: string, timezone: string, from: string) =>
      ticks(cron, timezone, Date.parse(from), Date.parse(from) + 86_400_000)
    // New York, 1 November 2026: 01:42 comes twice.
    expect(day('42 1-23/6 * * *', 'America/New_York', '2026-11-01T04:00:00Z')).toEqual(
      ['05:42', '12:42', '18:42'].map((time) => `2026-11-01T${time}:00.000Z`).concat('2026-11-02T00:42:00.000Z'),
    )
    // A beat that comes late, in the hour that is there again, makes no second tick either.
    const late = nextScheduledTime(
      { cron: '59 1,7 * * *', timezone: 'America/New_York' },
      Date.parse('2026-11-01T06:00:30Z'),
    )
    expect(iso(late)).toBe('2026-11-01T12:59:00.000Z')
    // Auckland, 27 September 2026: 02:30 is left out.
    expect(day('30 2-23/6 * * *', 'Pacific/Auckland', '2026-09-26T12:00:00Z')).toEqual(
      ['26T14:00', '26T19:30', '27T01:30', '27T07:30'].map((time) => `2026-09-${time}:00.000Z`),
    )
  })

  it('can be read back and counted', () => {
    expect(describeSchedule({ cron: '0 9 * * 1', timezone: 'UTC' })).toBe('At 09:00, only on Monday')
    expect(runsPerMonth({ cron: '0 9 * * *', timezone: 'UTC' }, NOW)).toBe(30)
    expect(runsPerMonth({ cron: '*/5 * * * *', timezone: 'UTC' }, NOW)).toBe(8640)
    expect(runsPerMonth({ cron: '0 9 * * 1', timezone: 'UTC' }, NOW)).toBe(4)
  })
})
