// Sets the device, locale and place of a tab over the DevTools protocol.
import type { BrowserContextOptions } from 'playwright-core'
import type { CdpSession } from './cdp-pipe.ts'

export const DEFAULT_LOCALE_AND_ZONE = { locale: 'en-US', timezone: 'America/New_York' }

/** Sends only the settings that differ from the browser's defaults. */
export function emulateDevice(session: CdpSession, options: BrowserContextOptions): unknown[] {
  const { viewport, isMobile = false, hasTouch, deviceScaleFactor = 1, locale, timezoneId, geolocation } = options
  return [
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    viewport &&
      session.send('Emulation.setDeviceMetricsOverride', {
        ...viewport,
        screenWidth: viewport.width,
        screenHeight: viewport.height,
        mobile: isMobile,
        deviceScaleFactor,
      }),
    hasTouch && session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
    locale && locale !== DEFAULT_LOCALE_AND_ZONE.locale && session.send('Emulation.setLocaleOverride', { locale }),
    timezoneId &&
      timezoneId !== DEFAULT_LOCALE_AND_ZONE.timezone &&
      session.send('Emulation.setTimezoneOverride', { timezoneId }),
    geolocation && session.send('Emulation.setGeolocationOverride', geolocation),
    options.ignoreHTTPSErrors && session.send('Security.setIgnoreCertificateErrors', { ignore: true }),
  ]
}
