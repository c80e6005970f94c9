// Ten things that people come for, each from the empty screen to its result in six actions at most, without a network: the
// pages are those of the zoo. An action is a click, a typed text or a pressed key.
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dashboardContext, lookAt, lookAtState, signIn } from './dashboard-page.ts'

const MOST_ACTIONS = 6
let zoo: string
let actions = 0
const { service, window } = dashboardContext({
  async prepare(begun) {
    zoo = (await begun.call('GET', '/zoo/index.json')).json.origin
  },
  contextOptions: { viewport: { width: 1440, height: 900 } },
})

beforeEach(async () => {
  const { page } = window
  await page.goto(service.url)
  await signIn(page, service.key)
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  actions = 0
})
afterEach(() => {
  expect(actions, 'actions of the task').toBeLessThanOrEqual(MOST_ACTIONS)
})

const click = async (what: Locator) => {
  actions += 1
  await what.click()
}
const type = async (what: Locator, text: string) => {
  actions += 1
  await what.fill(text)
}
const press = async (page: Page, key: string) => {
  actions += 1
  await page.keyboard.press(key)
}
const box = (page: Page) => page.getByLabel('A request, a URL or several URLs')
const answerIn = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true })

describe('ten tasks', () => {
  it('read a page, and find the same result after a reload', async () => {
    const { page } = window
    await type(box(page), `${zoo}/zoo/article`)
    await press(page, 'Enter')
    await answerIn(page).getByText('Every evening an orb weaver eats its web').waitFor()
    expect(await lookAtState(page, 'task-read')).toEqual([])
    await page.waitForURL(/id=/)
    await page.reload()
    await answerIn(page).getByText('Every evening an orb weaver eats its web').waitFor()
    await expect.poll(() => page.getByLabel('Address', { exact: true }).inputValue()).toBe(`${zoo}/zoo/article`)
  })

  it('type a verb and an address: a picture, a feed, a watch, a question to the agent', async () => {
    const { page } = window
    const firstOffer = page.getByRole('list', { name: 'Possible actions' }).getByRole('button').first()
    for (const [request, label] of [
      [`screenshot of ${zoo}/zoo/article`, 'Screenshot'],
      [`make a feed of ${zoo}/zoo/article`, 'Create a feed'],
      [`summarize ${zoo}/zoo/article`, 'Summarize'],
      [`download the PDFs of ${zoo}/zoo/article`, 'Download the files'],
      ['who sells copper kettles, and for how much?', 'Ask the agent'],
    ] as const) {
      await box(page).fill(request)
      await expect.poll(() => firstOffer.textContent()).toBe(label)
    }
    await click(firstOffer)
    await expect.poll(() => page.getByLabel('Prompt', { exact: true }).inputValue()).toMatch(/copper kettles/)
    await page.goto(`${page.url().split('#')[0]}#/home`)
    await type(box(page), `tell me when ${zoo}/zoo/article changes`)
    await expect.poll(() => firstOffer.textContent()).toBe('Watch')
    expect(await lookAtState(page, 'task-request')).toEqual([])
    await press(page, 'Enter')
    await expect.poll(() => page.getByLabel('Address', { exact: true }).inputValue()).toBe(`${zoo}/zoo/article`)
  })

  it('read an example by two clicks', async () => {
    const { page } = window
    await click(page.getByRole('button', { name: 'Shop', exact: true }))
    await click(page.getByRole('button', { name: 'Scrape', exact: true }))
    await answerIn(page).getByText('Copper kettle').first().waitFor()
  })

  it('see that a page is not there', async () => {
    const { page } = window
    await click(page.getByRole('button', { name: 'A 404' }))
    await click(page.getByRole('button', { name: 'Scrape', exact: true }))
    await answerIn(page).getByText('This is its error page').waitFor()
    await page.getByText('the site returned 404', { exact: true }).waitFor()
    expect(await lookAtState(page, 'task-404')).toEqual([])
  })

  it('crawl a small site with the limit in sight', async () => {
    const { page } = window
    await type(box(page), `${zoo}/zoo/handbook/`)
    await click(page.getByRole('button', { name: 'Crawl', exact: true }))
    await expect.poll(() => page.getByLabel('Limit', { exact: true }).inputValue()).toBe('20')
    expect(await lookAtState(page, 'task-crawl-form')).toEqual([])
    await click(page.getByRole('button', { name: 'Run' }))
    await page.getByRole('heading', { level: 1, name: 'Crawl' }).waitFor()
    await page.getByText('completed', { exact: true }).first().waitFor()
    await click(page.getByRole('tab', { name: 'Table' }))
    await page
      .getByRole('cell', { name: /^Repairs http/ })
      .first()
      .waitFor()
    expect(await lookAtState(page, 'task-crawl-table')).toEqual([])
  })

  it('watch a page that was pasted on Home', async () => {
    const { page } = window
    await type(box(page), `${zoo}/zoo/article`)
    await click(page.getByRole('button', { name: 'Watch', exact: true }))
    await click(page.getByRole('button', { name: 'Watch it' }))
    await page.getByRole('heading', { level: 1, name: /zoo\/article/ }).waitFor()
    expect(await lookAtState(page, 'task-watch')).toEqual([])
  })

  it('list the addresses of a site', async () => {
    const { page } = window
    await type(box(page), `${zoo}/zoo/handbook/`)
    await click(page.getByRole('button', { name: 'Map', exact: true }))
    await answerIn(page).getByText('/zoo/handbook/repairs').first().waitFor()
  })

  it('scrape a list, and be told what was left out of it', async () => {
    const { page } = window
    await type(box(page), `${zoo}/zoo/shop/kettle\nnot an address\n${zoo}/zoo/shop/lamp`)
    await page.getByText('Line 2: not an address is not a URL').waitFor()
    expect(await lookAtState(page, 'task-list')).toEqual([])
    await click(page.getByRole('button', { name: 'Scrape all' }))
    await click(page.getByRole('button', { name: 'Run' }))
    await page.getByText('completed', { exact: true }).first().waitFor()
    await page.getByText('Reading lamp').first().waitFor()
  })

  it('press Run the moment it is there', async () => {
    const { page } = window
    await type(box(page), `${zoo}/zoo/shop/kettle\n${zoo}/zoo/shop/lamp`)
    await page.evaluate(`new MutationObserver((_, observer) => {
      const run = [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Run')
      if (!run) return
      observer.disconnect()
      setTimeout(() => run.click())
    }).observe(document.body, { childList: true, subtree: true })`)
    await click(page.getByRole('button', { name: 'Scrape all' }))
    await page.getByText('completed', { exact: true }).first().waitFor()
    await page.getByText('Reading lamp').first().waitFor()
  })

  it('a late timer of the form does not lead back from the job that was begun', async () => {
    const { page } = window
    // The form writes its address 300 ms after a change. Such a timer may end after the answer has changed the address, and
    // before the browser says so; here it always does.
    await page.evaluate(`(() => {
      const due = new Map()
      const { setTimeout: start, clearTimeout: stop } = window
      window.setTimeout = (call, ms, ...rest) => {
        const id = start(ms === 300 ? () => undefined : call, ms, ...rest)
        if (ms === 300) due.set(id, call)
        return id
      }
      window.clearTimeout = (id) => { due.delete(id); stop(id) }
      addEventListener('hashchange', () => { for (const call of due.values()) call(); due.clear() }, { capture: true })
    })()`)
    await type(box(page), `${zoo}/zoo/shop/kettle\n${zoo}/zoo/shop/lamp`)
    await click(page.getByRole('button', { name: 'Scrape all' }))
    await click(page.getByRole('button', { name: 'Run' }))
    await page.getByText('completed', { exact: true }).first().waitFor()
  })

  it('find a product as data', async () => {
    const { page } = window
    await type(box(page), `${zoo}/zoo/shop/kettle`)
    await press(page, 'Enter')
    await answerIn(page).getByText('Copper kettle').first().waitFor()
    await click(page.getByText('name, price, stock, variants'))
    await click(page.getByRole('button', { name: 'Run' }))
    await answerIn(page).getByRole('tab', { name: 'Product', selected: true }).waitFor()
    await answerIn(page).getByText('49.9').first().waitFor()
    expect(await lookAtState(page, 'task-product')).toEqual([])
  })

  it('read a file', async () => {
    const { page } = window
    actions += 1
    await page.locator('input[type=file]').setInputFiles({
      name: 'notes.html',
      mimeType: 'text/html',
      buffer: Buffer.from('<h1>Notes</h1><p>Feed the tarantula at six.</p>'),
    })
    await click(page.getByRole('button', { name: 'Read the file' }))
    await answerIn(page).getByText('Feed the tarantula').waitFor()
  })

  it('search what was read before', async () => {
    const { page } = window
    await service.sdk.scrape(`${zoo}/zoo/handbook/refunds`)
    await vi.waitFor(
      async () => {
        const { json } = await service.call('POST', '/v2/search', { query: 'refunds thirty days' })
        expect(json.data?.web?.length).toBeGreaterThan(0)
      },
      { timeout: 120_000, interval: 500 },
    )
    await type(box(page), 'refunds thirty days')
    await press(page, 'Enter')
    await answerIn(page).getByText('Refunds').first().waitFor()
  })

  it('run something again from the history', async () => {
    const { page } = window
    await service.sdk.map(`${zoo}/zoo/handbook/`)
    await type(box(page), `${zoo}/zoo/menu`)
    await press(page, 'Enter')
    await answerIn(page).getByText('Leek soup').waitFor()
    await click(page.getByRole('link', { name: 'History', exact: true }))
    // Run by the client, with a key: the service knows of it.
    await page
      .getByRole('row', { name: `${zoo}/zoo/handbook/ map` })
      .first()
      .waitFor()
    expect(await lookAt(page, 'history')).toEqual([])
    await click(page.getByRole('button', { name: /^Run again/ }).first())
    await answerIn(page).getByText('Leek soup').waitFor()
  })
})

describe('where the values come from', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'number' }, inStock: { type: 'boolean' } },
  }

  it('pointing at a value marks what the page says, and says so when it says it nowhere', async () => {
    const { page } = window
    const body = { url: `${zoo}/zoo/shop/kettle`, formats: ['markdown', { type: 'json', schema }] }
    await page.goto(`${service.url}/#/playground?call=/v2/scrape&body=${encodeURIComponent(JSON.stringify(body))}`)
    // Made, and then the same out of the cache: the sources are those of the scrape that made it.
    for (const _ of ['made', 'recalled']) {
      await page.getByRole('button', { name: 'Run' }).click()
      const answer = answerIn(page)
      await answer.getByRole('tab', { name: 'Data', selected: true }).waitFor()
      await answer.getByText('2 of 3 values stand on the page word for word.').waitFor()
      const said = page.locator('.source.on')
      const price = answer.locator('[data-path=price]')
      await price.hover()
      await said.getByText('49.90', { exact: true }).waitFor()
      expect(await said.count()).toBe(1)
      await answer.getByText(/price: read from .*The page says 49.90, marked below/).waitFor()
      expect(await lookAt(page, 'sources')).toEqual([])
      // By keyboard as well; the pointer must not happen to rest on a value.
      await page.mouse.move(0, 0)
      await answer.locator('[data-path=name]').focus()
      await said.getByText('Copper kettle', { exact: true }).waitFor()
      expect(
        await said.evaluate((mark) => (mark as unknown as { closest(of: string): unknown }).closest('h1') !== null),
      ).toBe(true)
      await page.keyboard.press('Tab')
      await said.getByText('49.90', { exact: true }).waitFor()
      await page.keyboard.press('Tab')
      await answer.getByText(/inStock: .*does not occur literally on the page/).waitFor()
      await said.waitFor({ state: 'detached' })
      // And from the page back to the value.
      await page.locator('.source', { hasText: '49.90' }).hover()
      await answer.locator('[data-path=price][aria-pressed=true]').waitFor()
    }
  })

  it('without its markdown the page is fetched on demand', async () => {
    const { page } = window
    const body = { url: `${zoo}/zoo/shop/lamp`, formats: [{ type: 'json', schema }] }
    await page.goto(`${service.url}/#/playground?call=/v2/scrape&body=${encodeURIComponent(JSON.stringify(body))}`)
    await page.getByRole('button', { name: 'Run' }).click()
    await answerIn(page).locator('[data-path=price]').focus()
    await answerIn(page)
      .getByText(/The page says € 32.50/)
      .waitFor()
    await page.getByRole('button', { name: 'Show the page beside it' }).click()
    await page.locator('.source.on').getByText('32.50', { exact: true }).waitFor()
  })
})

describe('what must not happen', () => {
  it('text that is no JSON stops the run, and says where it breaks off', async () => {
    const { page } = window
    await page.goto(`${service.url}/#/playground`)
    await page.getByLabel('Address', { exact: true }).fill(`${zoo}/zoo/shop/kettle`)
    await page.getByText('fields by your schema or words').click()
    await page.getByRole('button', { name: '+ Field' }).click()
    await page.getByLabel('Name of field 1').fill('title')
    await page.getByLabel('Type of field 1').selectOption('number')
    await page.getByLabel('Write them as').selectOption('JSON Schema')
    const written = page.getByLabel('Schema', { exact: true })
    expect(JSON.parse(await written.inputValue()).properties).toEqual({ title: { type: 'number' } })
    await written.fill('{\n  "type": "object",\n  "properties": { broken }\n}')
    await page.getByRole('button', { name: 'Run' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    await expect.poll(() => alert.textContent()).toMatch(/Not sent.*Schema.*not valid JSON.*line 3/)
    expect(await answerIn(page).count()).toBe(0)
  })

  it('a link from a stranger fills in the form and runs nothing', async () => {
    const { page } = window
    const calls: string[] = []
    page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
    const body = encodeURIComponent(JSON.stringify({ url: `${zoo}/zoo/article` }))
    await page.goto(`${service.url}/#/playground?call=/v2/scrape&body=${body}&run=1`)
    await vi.waitFor(
      async () => expect(await page.getByLabel('Address', { exact: true }).inputValue()).toContain('/zoo/article'),
      120_000,
    )
    await page.waitForTimeout(500)
    expect(calls).toEqual([])
  })

  it('votes and older calls are no tasks', async () => {
    const { page } = window
    await page.goto(`${service.url}/#/playground`)
    const offered = await page.getByLabel('What to do', { exact: true }).textContent()
    expect(offered).toContain('Crawl a site')
    expect(offered).not.toMatch(/Rate|older clients/)
  })
})
