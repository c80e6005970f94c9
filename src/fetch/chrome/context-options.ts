// Converts visit options to browser context options.
import type { BrowserContextOptions } from 'playwright-core'
import { valueOr } from '../../base/attempt.ts'
import { Problem } from '../../base/problem.ts'
import type { Visit } from '../../base/visit-and-capture-types.ts'
import { botIdentity } from '../bot-identity.ts'
import places from './country-places.json' with { type: 'json' }
import { VIRTUAL_SCREEN_SIZE } from './virtual-display.ts'

const DESKTOP = { width: 1280, height: 800 }
const MOBILE = { width: 390, height: 844 }

export function makeContextOptions(visit: Visit, proxyServer: string): (version: string) => BrowserContextOptions {
  const { timezone, position } = findTimezoneAndPosition(visit.country)
  const locale = visit.languages.find(isLocale) ?? 'en-US'
  const agent = statedUserAgent(visit)
  const viewport = visit.screenshot?.viewport ?? (visit.mobile ? MOBILE : DESKTOP)
  return (version) => ({
    proxy: { server: proxyServer, bypass: '<-loopback>' },
    userAgent: agent ?? userAgent(version, visit.mobile),
    viewport,
    ...(visit.mobile ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
    // A window with its frame must fit on the screen.
    ...(visit.proxy === 'enhanced' && !visit.mobile ? { screen: screenFor(viewport) } : {}),
    locale,
    timezoneId: timezone,
    ...(visit.geolocate && position
      ? { geolocation: { ...position, accuracy: 50 }, permissions: ['geolocation'] }
      : {}),
    ignoreHTTPSErrors: visit.skipTlsVerification,
    acceptDownloads: false,
    ...(visit.remembered === undefined ? {} : { storageState: parseState(visit.remembered) }),
  })
}

const FRAME = 100

const screenFor = ({ width, height }: { width: number; height: number }) => ({
  width: Math.max(VIRTUAL_SCREEN_SIZE.width, width + FRAME),
  height: Math.max(VIRTUAL_SCREEN_SIZE.height, height + FRAME),
})

export const headerOfVisit = (visit: Visit, name: string): string | undefined =>
  Object.entries(visit.headers).find(([key]) => key.toLowerCase() === name)?.[1]

/** One that is not a browser's. */
const statedUserAgent = (visit: Visit): string | undefined =>
  headerOfVisit(visit, 'user-agent') ?? botIdentity()?.userAgent

function userAgent(version: string, mobile: boolean): string {
  const major = version.split('.', 1)[0]
  const system = mobile ? 'Linux; Android 10; K' : 'X11; Linux x86_64'
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 ${mobile ? 'Mobile ' : ''}Safari/537.36`
}

/** User agent with client hints: a headless browser reveals itself in the hints. */
export function makeUserAgentOverride(visit: Visit, version: string) {
  const given = statedUserAgent(visit)
  const major = version.split('.', 1)[0] ?? ''
  const acceptLanguage = visit.languages.filter(isLocale).join(',') || 'en-US,en'
  if (given !== undefined) return { userAgent: given, acceptLanguage }
  const brands = (full: string) => [
    { brand: 'Chromium', version: full },
    { brand: 'Google Chrome', version: full },
    { brand: 'Not.A/Brand', version: full === major ? '8' : '8.0.0.0' },
  ]
  return {
    userAgent: userAgent(version, visit.mobile),
    acceptLanguage,
    platform: visit.mobile ? 'Linux armv81' : 'Linux x86_64',
    userAgentMetadata: {
      brands: brands(major),
      fullVersionList: brands(version),
      platform: visit.mobile ? 'Android' : 'Linux',
      platformVersion: visit.mobile ? '10.0.0' : '6.8.0',
      architecture: visit.mobile ? '' : 'x86',
      bitness: visit.mobile ? '' : '64',
      model: visit.mobile ? 'K' : '',
      mobile: visit.mobile,
    },
  }
}

const isLocale = (text: string): boolean => valueOr(false, () => Intl.getCanonicalLocales(text).length === 1)

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

function parseState(text: string): StorageState {
  try {
    return JSON.parse(text) as StorageState
  } catch (cause) {
    throw new Problem('internal', { cause })
  }
}

/** Other countries get a time zone from the locale data of the runtime, and no position. */
interface TimezoneAndPosition {
  timezone: string
  position?: { latitude: number; longitude: number }
}

// Capital or largest city; with several zones, the most populous one.
const PLACE_OF_COUNTRY = new Map(Object.entries(places as unknown as Record<string, [string, number, number]>))

function findTimezoneAndPosition(country: string): TimezoneAndPosition {
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
