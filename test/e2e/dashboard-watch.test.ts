// The dashboard for those who watch and ask: monitors from the first click on a page to what changed on it, and runs of the
// agent call by call; the built page in a real Chromium, on the real service, on our own web.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agentPages } from '../site/agent-web.ts'
import { type Site, startSite } from '../site/site.ts'
import { lookAt, openChromium, openWindow, shoot, type Window } from './dashboard-page.ts'
import { type Service, startService } from './service.ts'

const PATIENCE_MS = 120_000
let site: Site
let service: Service
let browser: Browser
let window: Window
beforeAll(async () => {
  site = await startSite({
    ...agentPages,
  })
  service = await startService({
    env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_API_KEY: '', ORB_MONITOR_CONFIRM_MS: '50' },
  })
  browser = await openChromium()
}, PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await site?.close()
})
beforeEach(async () => {
  window = await openWindow(browser, service.url)
})
afterEach(async ({ task }) => {
  const { complaints, context, page } = window
  if (task.result?.state === 'fail') await shoot(page, `failed-${task.name.replaceAll(/\W+/g, '-')}`)
  await context.close()
  expect(complaints).toEqual([])
})

/** Signed in, on the screen. */
async function at(screen: string): Promise<Page> {
  const { page } = window
  await page.goto(`${service.url}/#/${screen}`)
  await page.getByLabel('API key').fill(service.key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('navigation').waitFor()
  return page
}

describe('on the dashboard', () => {
  it(
    'an agent run is asked for with its price, followed call by call, and run again',
    async () => {
      const page = await at('agents')
      await page.getByText('Nothing was asked yet').waitFor()
      await page
        .getByLabel('What do you want to know?')
        .fill('Find who founded Tarn Boats, when, and its e-mail address')
      await page.getByLabel('Pages to begin with').fill(`${site.url}/tarn/`)
      await page.getByLabel('Fields').fill('founder, founded, email')
      await page.getByRole('button', { name: 'What would it cost?' }).click()
      await page.getByText(/^About \d+ credits for/).waitFor()
      await page.getByRole('button', { name: 'Find it' }).click()
      const sources = page.getByRole('region', { name: 'Where it comes from' })
      await sources.getByText('Mary Fell').first().waitFor({ timeout: 40_000 })
      await page.getByRole('button', { name: /^scrape .*about/ }).click()
      const chosen = page.getByRole('region', { name: 'The chosen call' })
      await chosen.getByText('About Tarn Boats').first().waitFor()
      expect(await lookAt(page, 'agent-run')).toEqual([])
      await page.getByRole('button', { name: 'Run again with changes' }).click()
      expect(await page.getByLabel('What do you want to know?').inputValue()).toContain('who founded Tarn')
      await page.getByRole('link', { name: /^Find who founded/ }).waitFor()
      expect(await lookAt(page, 'agents')).toEqual([])
    },
    PATIENCE_MS,
  )
})
