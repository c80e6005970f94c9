// Live sessions as a person meets them: the screen of the dashboard with the picture in it, and the pages that are handed
// on, driven with mouse, wheel, keyboard, touch, clipboard and an input method, in a real Chromium.
import type { FrameLocator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { dashboardContext, lookAt, lookAtState, shoot } from './dashboard-page.ts'
import type { Json } from './service.ts'
import { until } from './waiting.ts'

const { site, service, window } = dashboardContext({
  env: () => ({}),
  pages: {
    '/form': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'in=yes; Path=/; Max-Age=3600' })
      response.end(`<!doctype html><title>Order form</title><style>body{font:18px sans-serif;margin:24px;height:3000px}input,textarea,button{font:inherit;padding:8px}</style>
        <h1>Order form</h1><p><input id="name" placeholder="Name" style="width:400px"></p>
        <button id="send" onclick="document.title='Sent ' + document.querySelector('#name').value">Send</button>
        <button id="ask" onclick="document.title = confirm('Really order?') ? 'Yes' : 'No'">Ask</button>
        <a href="/other" target="_blank">Another window</a>
        <div id="t" style="width:300px;height:120px;background:#cde">Touch me</div>
        <script>t.addEventListener('touchstart',()=>{t.textContent='touched'});document.title='Order form'</script>`)
    },
    '/other': ({ response }) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Other</title><h1>Other</h1>'),
  },
  contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
  // The session that was stopped under its own view says so with 410, which the browser calls an error.
  expected: /410|WebSocket|clipboard/,
})

const open = async (body: object = {}): Promise<Json> => (await service.call('POST', '/v2/interact', body)).json
const run = async (id: string, code: string): Promise<string> =>
  (await service.call('POST', `/v2/interact/${id}/execute`, { code, timeout: 120 })).json.result
const drop = (id: string) => service.call('DELETE', `/v2/interact/${id}`)

/** Where something of the session's page is seen in the picture. */
async function spot(view: Page | FrameLocator, id: string, selector: string): Promise<{ x: number; y: number }> {
  const box = JSON.parse(
    await run(
      id,
      `const b = await page.locator('${selector}').boundingBox(); ({ ...b, ...(await page.evaluate(() => ({ w: innerWidth, h: innerHeight }))) })`,
    ),
  )
  const picture = await view.locator('#picture').boundingBox()
  if (!picture) throw new Error('there is no picture')
  return {
    x: ((box.x + box.width / 2) / box.w) * picture.width,
    y: ((box.y + box.height / 2) / box.h) * picture.height,
  }
}
const press = async (view: Page | FrameLocator, id: string, selector: string) =>
  view.locator('#picture').click({ position: await spot(view, id, selector) })
const title = (id: string) => run(id, 'await page.title()')

const tap = (page: Page, { x, y }: { x: number; y: number }) =>
  page.evaluate(`{
    const picture = document.getElementById('picture'), box = picture.getBoundingClientRect()
    const touch = new Touch({ identifier: 1, target: picture, clientX: box.x + ${x}, clientY: box.y + ${y} })
    const facts = { changedTouches: [touch], cancelable: true }
    picture.dispatchEvent(new TouchEvent('touchstart', { touches: [touch], ...facts }))
    picture.dispatchEvent(new TouchEvent('touchend', { touches: [], ...facts }))
  }`)

describe('the live view', () => {
  it('is driven by mouse, keys, wheel, touch, clipboard and input methods; its dialogs are answered', async () => {
    const made = await open({ activityTtl: 120 })
    await run(made.id, `await page.goto('${site.url}/form')`)
    const { page } = window
    await page.goto(made.interactiveLiveViewUrl)
    await page.locator('body[data-seen]').waitFor()
    await page.locator('#who').filter({ hasText: 'You drive' }).waitFor()
    await expect.poll(() => page.locator('#url').inputValue()).toBe(`${site.url}/form`)
    const name = () => run(made.id, `await page.inputValue('#name')`)

    await press(page, made.id, '#name')
    await page.keyboard.type('Ada')
    await page.keyboard.press('Backspace')
    await until(async () => (await name()) === 'Ad')
    // A text that an input method composed comes in one piece.
    await page.evaluate(`for (const [type, data] of [['compositionstart', ''], ['compositionend', '日本']])
      document.getElementById('keys').dispatchEvent(new CompositionEvent(type, { data }))`)
    await until(async () => (await name()) === 'Ad日本')
    await page.evaluate(`const clipboardData = new DataTransfer(); clipboardData.setData('text', ' pasted')
      document.getElementById('keys').dispatchEvent(new ClipboardEvent('paste', { clipboardData }))`)
    await until(async () => (await name()) === 'Ad日本 pasted')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await until(async () => (await page.evaluate('navigator.clipboard.readText()')) === 'Ad日本 pasted')

    await press(page, made.id, '#ask')
    await page.getByRole('dialog', { name: 'The page asks' }).waitFor()
    await expect.poll(() => page.locator('#asked').textContent()).toBe('Really order?')
    await page.getByRole('button', { name: 'OK' }).click()
    await until(async () => (await title(made.id)) === 'Yes')

    const box = (await page.locator('#picture').boundingBox())!
    await tap(page, await spot(page, made.id, '#t'))
    await until(async () => (await run(made.id, `await page.textContent('#t')`)) === 'touched')
    // A tap is a click too, on pages that know nothing of touch.
    await tap(page, await spot(page, made.id, '#send'))
    await until(async () => (await title(made.id)).startsWith('Sent Ad'))

    await page.mouse.move(box.x + 200, box.y + 200)
    await page.mouse.wheel(0, 600)
    await until(async () => Number(await run(made.id, 'await page.evaluate(() => scrollY)')) > 300)

    await page.locator('#url').fill(`${site.url}/other`)
    await page.keyboard.press('Enter')
    await until(async () => (await title(made.id)) === 'Other')
    await page.getByRole('button', { name: 'Back' }).click()
    await until(async () => (await title(made.id)) === 'Order form')
    await page.getByRole('button', { name: 'Forward' }).click()
    await until(async () => (await title(made.id)) === 'Other')
    await run(made.id, `const more = await context.newPage(); await more.goto('${site.url}/form')`)
    await page.getByRole('navigation', { name: 'Tabs' }).getByRole('button').nth(1).waitFor()
    await shoot(page, 'live-drive', false)
    await page.getByRole('button', { name: 'Save as profile' }).click()
    await page.getByLabel('Name of the profile').fill('by hand')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    expect((await service.call('DELETE', '/v2/interact/profiles/by%20hand')).status).toBe(200)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await shoot(page, 'live-drive-narrow', false)

    // Watching survives a reload, and is told when it is over.
    await page.reload()
    await page.locator('body[data-seen]').waitFor()
    await drop(made.id)
    await page.locator('#who').filter({ hasText: 'The session has ended' }).waitFor()
  })

  it('for watchers shows who drives and takes nothing', async () => {
    const made = await open({ activityTtl: 120 })
    await run(made.id, `await page.goto('${site.url}/form')`)
    const { page, context } = window
    await page.goto(made.liveViewUrl)
    await page.locator('body[data-seen]').waitFor()
    expect(await page.getByRole('button', { name: 'Save as profile' }).count()).toBe(0)
    await expect.poll(() => page.locator('#who').textContent()).toMatch(/You watch/)
    const driver = await context.newPage()
    await driver.goto(made.interactiveLiveViewUrl)
    await driver.locator('body[data-seen]').waitFor()
    await page.locator('#who').filter({ hasText: 'Somebody drives' }).waitFor()
    await driver.locator('#who').filter({ hasText: '1 watches' }).waitFor()
    await driver.emulateMedia({ colorScheme: 'dark' })
    await shoot(driver, 'live-drive-dark', false)
    await shoot(page, 'live-watch', false)
    await drop(made.id)
  })
})

describe('the sessions screen', () => {
  it('opens a session, drives it by hand, words and code, keeps a profile, stops it and plays its recording', async () => {
    const { page, context } = window
    await page.goto(`${service.url}/#/sessions`)
    await page.getByLabel('API key').fill(service.key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
    await page.getByText('No session is open').waitFor()
    expect(await lookAtState(page, 'sessions-empty')).toEqual([])
    await page.getByLabel('Record it', { exact: true }).check()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Session', exact: true }).waitFor()
    const id = (await page.evaluate<string>('location.hash')).split('/').at(-1) ?? ''
    const view = page.frameLocator('iframe')
    await view.locator('body[data-seen]').waitFor()

    await view.locator('#url').fill(`${site.url}/form`)
    await view.locator('#url').press('Enter')
    await until(async () => (await title(id)) === 'Order form')
    await page.getByLabel('What to do', { exact: true }).fill('Type Bo into Name and press Send')
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.getByText('What was done').waitFor()
    await until(async () => (await title(id)) === 'Sent Bo')
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill('await page.title()')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('region', { name: 'Result' }).filter({ hasText: 'Sent Bo' }).waitFor()
    expect(await lookAt(page, 'session')).toEqual([])

    // What was done so far is a flow, with a parameter, that runs again at once.
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await page.getByRole('list', { name: 'Steps so far' }).getByText('Click "Send"').waitFor()
    // Pointing names the element and presses nothing.
    await page.getByRole('button', { name: 'Extract by pointing' }).click()
    await page.getByText('Click a text in the page.').waitFor()
    await view.locator('body[data-pointing]').waitFor()
    await press(view, id, 'h1')
    await page.getByRole('list', { name: 'Steps so far' }).getByText('Extract value from "h1"').waitFor()
    await page.getByText('Click a text in the page.').waitFor({ state: 'detached' })
    expect(await lookAtState(page, 'session-pointing')).toEqual([])
    await page.getByRole('button', { name: 'Stop recording' }).click()
    await page.getByLabel('Parameter of step 2', { exact: true }).fill('name')
    await page.getByLabel('Name for the value of step 4', { exact: true }).fill('heading')
    await page.getByLabel('Name of the flow', { exact: true }).fill('order')
    expect(await lookAtState(page, 'session-recorder')).toEqual([])
    await page.getByRole('button', { name: 'Save flow' }).click()
    await page.getByText('Saved as "order", version 1.').waitFor()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByText(/^Done: 5 steps, ended at .* heading: /).waitFor()
    expect((await service.call('GET', '/v2/flow/order')).json.parameters).toEqual({ name: { default: 'Bo' } })

    // Once on the screen: in the bar of the picture.
    expect(await page.getByRole('button', { name: 'Save as profile' }).count()).toBe(0)
    await view.getByRole('button', { name: 'Save as profile' }).click()
    await view.getByLabel('Name of the profile').fill('shop')
    await view.getByRole('button', { name: 'Save', exact: true }).click()
    await view.getByText('Saved.').waitFor()
    await view.getByRole('button', { name: 'Close' }).click()
    await page.goto(`${service.url}/#/sessions`)
    const profiles = page.getByRole('region', { name: 'Profiles' })
    await profiles.getByRole('cell', { name: 'shop' }).waitFor()
    expect(await lookAt(page, 'sessions')).toEqual([])
    await page.getByRole('link', { name: id.slice(-12) }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('The session has ended').waitFor()
    const [film] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Play the recording' }).click(),
    ])
    await film.getByRole('button', { name: 'Play' }).waitFor()
    await expect.poll(() => film.locator('#steps').textContent()).toMatch(/Went to .*\/form[\s\S]*Asked: Type Bo/)
    expect(
      await film.evaluate<number>(
        `document.getElementById('picture').decode().then(() => document.getElementById('picture').naturalWidth)`,
      ),
    ).toBeGreaterThan(300)
    await film.getByRole('button', { name: /Asked/ }).click()
    await film.getByRole('button', { name: 'Play' }).click()
    await film.getByRole('button', { name: 'Pause' }).waitFor()
    await shoot(film, 'film')
    await film.setViewportSize({ width: 390, height: 844 })
    await shoot(film, 'film-narrow')
    await film.close()

    // A scrape with the profile is signed in; then the profile is forgotten.
    const made = await open({ profile: { name: 'shop', saveChanges: false } })
    await run(made.id, `await page.goto('${site.url}/other')`)
    expect(await run(made.id, 'await page.evaluate(() => document.cookie)')).toContain('in=yes')
    await drop(made.id)
    await page.goto(`${service.url}/#/sessions`)
    await profiles.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await profiles.getByText('Cookies and storage under a name').waitFor()

    // A session without a picture is kept from the head of its screen.
    const unseen = await open({ streamWebView: false })
    await page.goto(`${service.url}/#/sessions/${unseen.id}`)
    await page.getByText('This session has no live view').waitFor()
    await page.getByRole('button', { name: 'Save as profile' }).click()
    await page.getByLabel('Name', { exact: true }).fill('unseen')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await drop(unseen.id)
    expect((await service.call('DELETE', '/v2/interact/profiles/unseen')).status).toBe(200)
  })
})
