// The built service with an empty data folder and a Chromium to look at its dashboard with, for figures and pictures.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { root } from '../scripts/setup.mjs'
import { startUntil } from './process.mjs'

const KEY = 'fc-0123456789abcdef0123456789abcdef'

/** `look` gets the browser and the service's address; both are gone afterwards. */
export async function withDashboard(look, args = []) {
  const folder = mkdtempSync(join(tmpdir(), 'orb-dashboard-'))
  const { child, found } = await startUntil([join(root, 'dist/main.js'), 'start'], /ready\s+http:\/\/localhost:(\d+)/, {
    ORB_PORT: '0',
    ORB_DATA_DIR: folder,
    ORB_API_KEY: KEY,
  })
  const { findChromium: findBinary } = await import(
    pathToFileURL(join(root, 'dist/fetch/chrome/find-chromium.js')).href
  )
  const cacheDirs = [join(tmpdir(), 'orb-chromium')]
  const { path, env } = await findBinary({ given: process.env.ORB_CHROMIUM, cacheDirs })
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...args],
    env: { ...process.env, ...env },
  })
  try {
    return await look(browser, `http://localhost:${found[1]}`)
  } finally {
    await browser.close()
    child.removeAllListeners('exit')
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function signIn(page, url) {
  await page.goto(url)
  await page.getByLabel('API key').fill(KEY)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').waitFor()
}
