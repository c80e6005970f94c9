// Sets the device, locale and place of a tab over the DevTools protocol.
import type { BrowserContextOptions } from 'playwright-core'
import type { Session } from './cdp-pipe.ts'

export const USUAL = { locale: 'en-US', timezone: 'America/New_York' }

/** Sends only the settings that differ from the browser's defaults. */
export function emulate(session: Session, options: BrowserContextOptions): unknown[] {
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
    locale && locale !== USUAL.locale && session.send('Emulation.setLocaleOverride', { locale }),
    timezoneId && timezoneId !== USUAL.timezone && session.send('Emulation.setTimezoneOverride', { timezoneId }),
    geolocation && session.send('Emulation.setGeolocationOverride', geolocation),
    options.ignoreHTTPSErrors && session.send('Security.setIgnoreCertificateErrors', { ignore: true }),
  ]
}
