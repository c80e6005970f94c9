// Time zone and position per country. Other countries get a time zone from the runtime's locale data and no position.
import { makeLookupTable } from '../../base/lookup-table.ts'

interface TimezoneAndPosition {
  timezone: string
  position?: { latitude: number; longitude: number }
}

// Capital or largest city; with several zones, the most populous one.
const PLACE_OF_COUNTRY = makeLookupTable<readonly [string, number, number]>({
  AE: ['Asia/Dubai', 25.2, 55.27],
  AR: ['America/Argentina/Buenos_Aires', -34.6, -58.38],
  AT: ['Europe/Vienna', 48.21, 16.37],
  AU: ['Australia/Sydney', -33.87, 151.21],
  BE: ['Europe/Brussels', 50.85, 4.35],
  BR: ['America/Sao_Paulo', -23.55, -46.63],
  CA: ['America/Toronto', 43.65, -79.38],
  CH: ['Europe/Zurich', 47.37, 8.54],
  CL: ['America/Santiago', -33.45, -70.67],
  CN: ['Asia/Shanghai', 31.23, 121.47],
  CO: ['America/Bogota', 4.71, -74.07],
  CZ: ['Europe/Prague', 50.08, 14.44],
  DE: ['Europe/Berlin', 52.52, 13.4],
  DK: ['Europe/Copenhagen', 55.68, 12.57],
  EG: ['Africa/Cairo', 30.04, 31.24],
  ES: ['Europe/Madrid', 40.42, -3.7],
  FI: ['Europe/Helsinki', 60.17, 24.94],
  FR: ['Europe/Paris', 48.86, 2.35],
  GB: ['Europe/London', 51.51, -0.13],
  GR: ['Europe/Athens', 37.98, 23.73],
  HK: ['Asia/Hong_Kong', 22.32, 114.17],
  HU: ['Europe/Budapest', 47.5, 19.04],
  ID: ['Asia/Jakarta', -6.21, 106.85],
  IE: ['Europe/Dublin', 53.35, -6.26],
  IL: ['Asia/Jerusalem', 32.09, 34.78],
  IN: ['Asia/Kolkata', 28.61, 77.21],
  IT: ['Europe/Rome', 41.9, 12.5],
  JP: ['Asia/Tokyo', 35.68, 139.69],
  KE: ['Africa/Nairobi', -1.29, 36.82],
  KR: ['Asia/Seoul', 37.57, 126.98],
  MX: ['America/Mexico_City', 19.43, -99.13],
  MY: ['Asia/Kuala_Lumpur', 3.14, 101.69],
  NG: ['Africa/Lagos', 6.52, 3.38],
  NL: ['Europe/Amsterdam', 52.37, 4.9],
  NO: ['Europe/Oslo', 59.91, 10.75],
  NZ: ['Pacific/Auckland', -36.85, 174.76],
  PE: ['America/Lima', -12.05, -77.04],
  PH: ['Asia/Manila', 14.6, 120.98],
  PK: ['Asia/Karachi', 24.86, 67.0],
  PL: ['Europe/Warsaw', 52.23, 21.01],
  PT: ['Europe/Lisbon', 38.72, -9.14],
  RO: ['Europe/Bucharest', 44.43, 26.1],
  RU: ['Europe/Moscow', 55.76, 37.62],
  SA: ['Asia/Riyadh', 24.71, 46.68],
  SE: ['Europe/Stockholm', 59.33, 18.07],
  SG: ['Asia/Singapore', 1.35, 103.82],
  TH: ['Asia/Bangkok', 13.76, 100.5],
  TR: ['Europe/Istanbul', 41.01, 28.98],
  TW: ['Asia/Taipei', 25.03, 121.57],
  UA: ['Europe/Kyiv', 50.45, 30.52],
  US: ['America/New_York', 40.71, -74.01],
  VN: ['Asia/Ho_Chi_Minh', 10.82, 106.63],
  ZA: ['Africa/Johannesburg', -26.2, 28.05],
})

export function findTimezoneAndPosition(country: string): TimezoneAndPosition {
  const known = Object.hasOwn(PLACE_OF_COUNTRY, country) ? PLACE_OF_COUNTRY[country] : undefined
  if (known) return { timezone: known[0], position: { latitude: known[1], longitude: known[2] } }
  return { timezone: zoneFromLocale(country) ?? 'UTC' }
}

function zoneFromLocale(country: string): string | undefined {
  try {
    const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
      timeZones?: string[]
      getTimeZones?(): string[]
    }
    return (locale.getTimeZones?.() ?? locale.timeZones)?.[0]
  } catch {
    return undefined
  }
}
