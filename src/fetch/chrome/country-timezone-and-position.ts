// Time zone and position per country. Other countries get a time zone from the runtime's locale data and no position.
import { valueOr } from '../../base/attempt.ts'
import places from './country-places.json' with { type: 'json' }

interface TimezoneAndPosition {
  timezone: string
  position?: { latitude: number; longitude: number }
}

// Capital or largest city; with several zones, the most populous one.
const PLACE_OF_COUNTRY = new Map(Object.entries(places as unknown as Record<string, [string, number, number]>))

export function findTimezoneAndPosition(country: string): TimezoneAndPosition {
  const known = PLACE_OF_COUNTRY.get(country)
  if (known) return { timezone: known[0], position: { latitude: known[1], longitude: known[2] } }
  return { timezone: zoneFromLocale(country) ?? 'UTC' }
}

const zoneFromLocale = (country: string): string | undefined =>
  valueOr(undefined, () => {
    const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
      timeZones?: string[]
      getTimeZones?(): string[]
    }
    return (locale.getTimeZones?.() ?? locale.timeZones)?.[0]
  })
