// The browser of the enhanced tier agrees with itself: 40 marks that sites compare, headless and headful.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateInput } from '../../src/base/validate-input.ts'
import { findBrowsersByMark, listBrowserProcesses } from '../../src/fetch/chrome/browser-processes.ts'
import { findXvfb } from '../../src/fetch/chrome/virtual-display.ts'
import { findFullBrowserBinary } from '../../src/fetch/open-browser-services.ts'
import { scrapeBody } from '../../src/scrape/scrape-options.ts'
import { makeScrapePlan } from '../../src/scrape/scrape-plan.ts'
import { MARKS, marksPage } from '../site/browser-marks.ts'
import { type Site, startSite } from '../site/site.ts'
import { openEngine } from './browser-engine.ts'
import { emptyFolder } from './service.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ '/marks': marksPage })
})
afterAll(() => site.close())

const hasDisplay = findXvfb() !== undefined && (await findFullBrowserBinary(process.env.ORB_CHROMIUM, emptyFolder()))

/** Processes of the browsers of this test that show pages of the browser's own window. */
const windowProcesses = () =>
  findBrowsersByMark('--orb-mark=')
    .filter((pid) => read(pid, 'status').includes(`PPid:\t${process.pid}\n`))
    .flatMap(listBrowserProcesses)
    .filter(({ pid }) => read(pid, 'cmdline').includes('--top-chrome-webui'))

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

/** The page as it was left, in the text of its `out`. */
async function seenBy(headful: boolean, options: object, zone: string) {
  const { engine, close } = await openEngine({ headful })
  let windows = 0
  const watch = setInterval(() => {
    windows = Math.max(windows, windowProcesses().length)
  }, 200)
  try {
    const body = { url: `${site.url}/marks?zone=${zone}`, proxy: 'enhanced', formats: ['rawHtml'], ...options }
    // Not by an action that waits for a selector: it gives a busy machine ten seconds.
    const script = `new Promise((resolve) => {
      const look = () => ('done' in out.dataset ? resolve(out.textContent) : setTimeout(look, 50))
      look()
    })`
    const actions = [{ type: 'executeJavascript', script }]
    const { visit } = makeScrapePlan(validateInput(scrapeBody, { ...body, actions }), '1')
    const capture = await engine.fetch(visit, AbortSignal.timeout(120_000))
    return { ...JSON.parse(capture?.actions?.javascriptReturns[0]?.value as string), windows }
  } finally {
    clearInterval(watch)
    await close()
  }
}

const modes = [
  ['headless', false],
  ['headful, where a full Chromium and Xvfb are installed', true],
] as const

describe.each(modes)('%s', (_name, headful) => {
  it.skipIf(headful && !hasDisplay)(
    'agrees in 40 marks, and is where the country is',
    async () => {
      expect(Object.keys(MARKS)).toHaveLength(40)
      const { failed, seen, windows } = await seenBy(headful, {}, 'America/New_York')
      expect(failed, JSON.stringify(seen)).toEqual([])
      expect(windows).toBe(0)
      if (headful) expect(seen.plugins).toBeGreaterThan(0)
      // The bars of its window.
      expect(seen.outer[1] > seen.inner[1]).toBe(headful)
      const abroad = await seenBy(headful, { location: { country: 'DE', languages: ['de-DE', 'de'] } }, 'Europe/Berlin')
      // A worker has the languages that its browser was started with.
      expect(abroad.failed, JSON.stringify(abroad.seen)).toEqual(['a worker says the same'])
    },
    200_000,
  )
})
