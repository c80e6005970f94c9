// `npm run film`: the pictures of the dashboard in the docs, taken from the real thing: the built service, a real browser and
// the pages of its own zoo. Writes docs/film.png, which moves (an APNG), and docs/dashboard.png, which does not.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signIn, withDashboard } from '../bench/dashboard.mjs'
import { makeApng } from './apng.mjs'
import { root, setUp } from './setup.mjs'

const MOST_BYTES = 1_500_000
const SIZE = { width: 1000, height: 640 }
const STILL = { width: 1360, height: 900 }

setUp()
await withDashboard(
  async (browser, url) => {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' })
    const frames = await filmed(page, url)
    const film = makeApng(frames)
    if (film.length > MOST_BYTES) throw new Error(`the film has ${film.length} bytes; ${MOST_BYTES} are allowed`)
    writeFileSync(join(root, 'docs/film.png'), film)
    console.log(
      `wrote docs/film.png (${frames.length} pictures, ${Math.round(film.length / 1000)} kB) and docs/dashboard.png`,
    )
  },
  ['--hide-scrollbars', '--font-render-hinting=none'],
)

/** From the empty box to data with its sources, picture by picture. */
async function filmed(page, url) {
  const frames = []
  const show = async (ms) => frames.push({ png: await page.screenshot({ caret: 'initial' }), ms })
  await signIn(page, url)
  const box = page.getByLabel('An address, several, or a question')
  await box.waitFor()
  const { origin } = await (await fetch(`${url}/zoo/index.json`)).json()
  await show(900)
  const address = `${origin}/zoo/shop/kettle`
  await box.fill(address)
  await page.getByRole('button', { name: 'Scrape', exact: true }).waitFor()
  await show(1200)
  await page.getByRole('button', { name: 'Scrape', exact: true }).click()
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await answer.getByText('Copper kettle').first().waitFor()
  await page.setViewportSize(STILL)
  await page.screenshot({ path: join(root, 'docs/dashboard.png') })
  await page.setViewportSize(SIZE)
  await inViewport(page, answer)
  await show(2200)
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      price: { type: 'number' },
      brand: { type: 'string' },
      inStock: { type: 'boolean' },
    },
  }
  const body = encodeURIComponent(JSON.stringify({ url: address, formats: ['markdown', { type: 'json', schema }] }))
  await page.goto(`${url}/#/playground?call=/v2/scrape&body=${body}`)
  await page.getByText('fields by your schema or words').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await show(1400)
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.getByRole('tab', { name: 'Data', selected: true }).waitFor()
  for (const field of ['name', 'price', 'brand', 'inStock']) {
    await answer.locator(`[data-path=${field}]`).focus()
    await page.locator('.prose mark').first().waitFor()
    await inViewport(page, answer)
    await show(field === 'inStock' ? 2200 : 1300)
  }
  return frames
}

/** What is shown moves to the upper edge of the picture. */
async function inViewport(page, part) {
  await part.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  await page.waitForTimeout(150)
}
