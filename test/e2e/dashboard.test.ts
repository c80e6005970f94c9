// The dashboard as a person meets it: the built page in a real Chromium, on the real service, on our own web.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linkedPages } from '../site/linked.ts'
import { type Site, startSite } from '../site/site.ts'
import { lookAt, openChromium, openWindow, shoot, type Window } from './dashboard-page.ts'
import { type Service, startService } from './service.ts'

let site: Site
let service: Service
let browser: Browser
let window: Window
beforeAll(async () => {
  site = await startSite(linkedPages)
  service = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_API_KEY: '' } })
  browser = await openChromium()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await site?.close()
})
beforeEach(async () => {
  window = await openWindow(browser, service.url)
})
afterEach(async () => {
  await window.context.close()
})

/** Signed in, on the screen. */
async function at(screen: string) {
  const { page } = window
  await page.goto(`${service.url}/#/${screen}`)
  await page.getByRole('button', { name: 'Sign in on this machine' }).click()
  await page.getByRole('navigation').waitFor()
  return page
}

describe('the first minute', () => {
  it('goes from the first visit to the first result in two clicks', async () => {
    const { page, complaints } = window
    await page.goto(service.url)
    const enter = page.getByRole('button', { name: 'Sign in on this machine' })
    await enter.waitFor()
    expect(await lookAt(page, 'sign-in')).toEqual([])
    await enter.click()
    const box = page.getByLabel('Address')
    await box.waitFor()
    expect(await lookAt(page, 'playground-empty')).toEqual([])
    await box.fill(`${site.url}/article`)
    await page.getByRole('button', { name: 'Run' }).click()
    const answer = page.getByRole('region', { name: 'Answer', exact: true })
    await answer.getByRole('heading').first().waitFor()
    expect(await answer.textContent()).toContain('Why the tide tables moved')
    const raw = page.getByRole('region', { name: 'Raw answer' })
    expect(JSON.parse((await raw.textContent()) ?? '').data.markdown).toContain('#')
    expect(await lookAt(page, 'playground-result')).toEqual([])
    expect(complaints).toEqual([])
  })
})
