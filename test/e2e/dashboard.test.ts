// The dashboard as a person meets it: the built page in a real Chromium, on the real service, on our own web.
import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import * as pdfs from '../documents/pdfs.mjs'
import { inertPages } from '../site/inert.ts'
import { LINKED_PAGES, linkedPages } from '../site/linked.ts'
import { dashboardContext, lookAt, lookAtState, shoot, signIn } from './dashboard-page.ts'
import { until } from './waiting.ts'

const { site, service, window, at } = dashboardContext({
  env: () => ({}),
  pages: {
    ...linkedPages,
    ...inertPages,
    '/robots.txt': ({ response }) => void response.end('User-agent: *\nDisallow: /linked/7\n'),
    '/hook': ({ response }) => void response.end('ok'),
  },
})

const enterKey = (page: Page): Promise<void> => signIn(page, service.key)

/** The address that the service printed for signing in, once. */
const signInAddress = (): string =>
  (/Sign in\s+(\S+)/.exec(service.printed())?.[1] ?? '').replace(/^http:\/\/localhost:\d+/, service.url)

const creditsLeft = async (team: string): Promise<number> =>
  (await service.call('GET', '/v2/admin/teams')).json.data.find(({ name }: { name: string }) => name === team)?.credits
    .left

const answerIn = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true })

describe('the first minute', () => {
  it('goes from the address that was printed at start to the first result in one click', async () => {
    const { page } = window
    await page.goto(service.url)
    await page.getByLabel('API key').waitFor()
    expect(await lookAt(page, 'sign-in')).toEqual([])
    await page.goto('about:blank')
    await page.goto(signInAddress())
    const box = page.getByLabel('A request, a URL or several URLs')
    await box.waitFor()
    expect(await lookAt(page, 'home')).toEqual([])
    await box.fill(`${site.url}/article`)
    expect(await lookAtState(page, 'home-offers')).toEqual([])
    await page.getByRole('button', { name: 'Scrape', exact: true }).click()
    const answer = answerIn(page)
    await answer.getByRole('heading').first().waitFor()
    await expect.poll(() => answer.textContent()).toContain('Why the tide tables moved')
    const raw = page.getByRole('region', { name: 'Raw answer' })
    expect(JSON.parse((await raw.textContent()) ?? '').data.markdown).toContain('# Why the tide')
    // The picture in the docs.
    await shoot(page, 'dashboard', false)
    expect(await lookAt(page, 'playground-result')).toEqual([])
  })

  it('takes a pasted key, refuses a wrong one in words, and stays signed in on reload', async () => {
    const { page, complaints } = window
    await page.goto(service.url)
    await page.getByLabel('API key').fill('fc-00000000000000000000000000000000')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('This key does not exist')
    // The browser itself notes that the answer was 401.
    complaints.splice(0)
    await page.getByLabel('API key').fill(service.key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('navigation').waitFor()
    await page.reload()
    await page.getByRole('navigation').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
  })
})

describe('the playground', () => {
  it('offers every option of the service, and shows the same call in other words', async () => {
    const page = await at('playground')
    await page.getByLabel('Address', { exact: true }).fill(`${site.url}/article`)
    await page.getByText('screenshot', { exact: true }).click()
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('Find an option').fill('main')
    await page.getByLabel('Only main content').uncheck()
    const code = page.getByRole('region', { name: 'The call in' })
    for (const [language, text] of [
      ['curl', '"onlyMainContent": false'],
      ['Go', '"onlyMainContent": false'],
      ['TypeScript', 'onlyMainContent: false'],
      ['Python', 'only_main_content=False'],
      ['CLI', '--no-only-main-content'],
      ['MCP', '"onlyMainContent": false'],
    ] as const) {
      await page.getByRole('tab', { name: language }).click()
      await expect.poll(() => code.textContent()).toContain(text)
    }
    // With a key that works, when one is asked for.
    await page.getByRole('tab', { name: 'curl' }).click()
    await expect.poll(() => code.textContent()).toContain('fc-YOUR-KEY')
    await page.getByRole('button', { name: 'Insert a new key' }).click()
    await page.getByRole('button', { name: 'Hide the key' }).waitFor()
    const [key = ''] = /fc-[0-9a-f]{32}/.exec((await code.textContent()) ?? '') ?? []
    expect((await service.call('GET', '/v2/jobs', undefined, { authorization: `Bearer ${key}` })).status).toBe(200)
    await page.getByRole('button', { name: 'Hide the key' }).click()
    expect(await code.textContent()).not.toContain(key)
    await page.getByLabel('Find an option').fill('')
    expect(await lookAt(page, 'playground-options')).toEqual([])
    await page.getByRole('button', { name: 'Run' }).click()
    // The tab that was asked for opens.
    await answerIn(page).getByRole('tab', { name: 'Screenshot', selected: true }).waitFor()
    const shot = page.getByAltText('The page as rendered by the browser')
    await shot.waitFor()
    await until(() => shot.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0))
    await page.getByRole('tab', { name: 'Explain' }).click()
    await page.getByRole('list', { name: 'Steps of this scrape' }).waitFor()
    expect(await lookAtState(page, 'playground-explain')).toEqual([])
  })

  it('says what the service refused, and what to do', async () => {
    const page = await at('playground')
    await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:1/')
    await page.getByRole('button', { name: 'Run' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    await expect.poll(() => alert.textContent()).toMatch(/not on the public web.*ORB_ALLOW_PRIVATE/)
    window.complaints.splice(0)
  })

  it('goes by keyboard alone', async () => {
    const page = await at('playground')
    await page.getByLabel('Address', { exact: true }).waitFor()
    await until(async () => {
      await page.keyboard.press('/')
      return (await page.locator('input:focus').count()) > 0
    })
    await page.keyboard.type(`${site.url}/article`)
    await page.keyboard.press('Enter')
    await answerIn(page).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Playground' }).click()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard' })
    await keys.waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  })
})

describe('jobs', () => {
  it('a crawl is watched as its pages arrive, and what became of each address is told', async () => {
    const page = await at('playground')
    await page.getByLabel('What to do', { exact: true }).selectOption('/v2/crawl')
    await page.getByLabel('Address', { exact: true }).fill(`${site.url}/linked/0`)
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('Limit', { exact: true }).fill('100')
    await page.getByLabel('Crawl entire domain').check()
    await page.getByLabel('Include paths', { exact: true }).fill('^/linked/')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('heading', { level: 1, name: 'Crawl' }).waitFor()
    const list = page.getByRole('list', { name: 'Newest first' })
    await list.waitFor()
    await until(async () => (await list.getByRole('listitem').count()) === LINKED_PAGES - 1, 60_000)
    await page.getByText('completed', { exact: true }).first().waitFor()
    expect(await lookAt(page, 'job')).toEqual([])
    await page.getByRole('button', { name: 'Read Page 0', exact: true }).click()
    await page.getByText('number 0 is among them').first().waitFor()
    expect(await lookAtState(page, 'job-page')).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('tab', { name: 'Tree' }).click()
    await page.getByText('robots.txt forbids it').waitFor()
    expect(await lookAtState(page, 'job-tree')).toEqual([])
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'JSONL' }).click()
    expect((await saving).suggestedFilename()).toMatch(/^crawl-.*\.jsonl$/)
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page
      .getByRole('cell', { name: /linked\/0/ })
      .first()
      .waitFor()
    expect(await lookAt(page, 'jobs')).toEqual([])
  })

  it('a page that failed says why, one click away', async () => {
    const urls = [`${site.url}/article`, `${site.url}/moods/broken`, `${site.url}/nowhere-at-all`]
    const { json } = await service.call('POST', '/v2/batch/scrape', { urls })
    const page = await at(`jobs/${json.id}`)
    await page.getByRole('button', { name: 'see why' }).click({ timeout: 60_000 })
    await page.getByText('it closed the connection before answering').waitFor()
    expect(await page.getByText('article', { exact: true }).count()).toBe(0)
    // An error page that was kept is not shown as one that was found.
    await page.getByRole('main').getByRole('combobox').selectOption({ label: 'all' })
    const missing = page.locator('li.leaf', { hasText: 'nowhere-at-all' })
    await missing.getByText('the site returned 404').waitFor()
    expect(await missing.locator('.dot.done').count()).toBe(0)
  })

  it('a running job is cancelled after a question', async () => {
    const { json } = await service.call('POST', '/v2/crawl', {
      url: `${site.url}/linked/0`,
      crawlEntireDomain: true,
      delay: 5,
    })
    const page = await at(`jobs/${json.id}`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the job' }).click()
    await page.getByText('cancelled', { exact: true }).waitFor()
  })
})

describe('documents', () => {
  it('the blocks of a PDF lie over its page, and lead to their markdown and back', async () => {
    const page = await at('documents')
    expect(await lookAtState(page, 'documents-empty')).toEqual([])
    const buffer = await pdfs.invoice()
    await page.locator('input[type=file]').setInputFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer })
    const sheet = page.getByAltText('Page 1 of the document')
    await sheet.waitFor()
    const box = page.getByRole('region', { name: 'Page 1' }).getByRole('button', { name: /^table: \| Item/ })
    await box.click({ position: { x: 3, y: 3 } })
    const pressed = page.getByRole('region', { name: 'Blocks and their markdown' }).locator('[aria-pressed=true]')
    await expect.poll(() => pressed.textContent()).toContain('| Item | Quantity |')
    const heading = page.getByRole('region', { name: 'Blocks and their markdown' }).getByRole('button').first()
    await heading.click()
    const other = page.getByRole('region', { name: 'Page 1' }).locator('[aria-pressed=true]')
    expect(await other.count()).toBe(1)
    expect(await lookAt(page, 'documents')).toEqual([])
  })

  it('a PDF of the web is opened through the service', async () => {
    const page = await at('documents')
    await page.getByLabel('URL of a PDF').fill(`${site.url}/files/paper.pdf`)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByAltText('Page 1 of the document').waitFor()
  })
})

describe('keys, teams and use', () => {
  it('a key is made, shown once, works, and is revoked', async () => {
    const page = await at('keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('the <b>crawler</b>')
    await page.getByRole('group', { name: 'Rights' }).waitFor()
    expect(await lookAt(page, 'key-dialog')).toEqual([])
    await page.getByRole('button', { name: 'Make the key' }).click()
    const dialog = page.getByRole('dialog', { name: 'The new key' })
    const key = (await dialog.locator('code').textContent()) ?? ''
    expect(key).toMatch(/^fc-[0-9a-f]{32}$/)
    const ask = () => service.call('GET', '/v2/jobs', undefined, { authorization: `Bearer ${key}` })
    expect((await ask()).status).toBe(200)
    await dialog.getByRole('button', { name: 'Close' }).click()
    const row = page.getByRole('row', { name: /the <b>crawler<\/b>/ })
    // Its rules can be changed later, and what was set stands in the form.
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('group', { name: 'Endpoints' }).getByLabel('crawl', { exact: true }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('crawl', { exact: true }).waitFor()
    expect((await ask()).status).toBe(403)
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('group', { name: 'Endpoints' }).getByLabel('crawl', { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByText('all endpoints').waitFor()
    expect((await ask()).status).toBe(200)
    await row.getByText('no work in 90 days').waitFor()
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await row.getByText('revoked', { exact: true }).waitFor()
    expect((await ask()).status).toBe(401)
    expect(await page.textContent('body')).not.toContain(key)
    expect(await lookAt(page, 'keys')).toEqual([])
  })

  it('a client is connected by lines with a key of its own, and its last call is told', async () => {
    const page = await at('connect')
    await page.getByRole('button', { name: 'Connect n8n', exact: true }).click()
    await page.getByRole('button', { name: 'Create a key for it' }).click()
    await page.getByText('Copy the lines now').waitFor()
    const lines = (await page.getByLabel('Lines for n8n', { exact: true }).textContent()) ?? ''
    const [, base = '', key = ''] = /Base URL +(\S+)\s+API Key +(fc-[0-9a-f]{32})/.exec(lines) ?? []
    expect(base).toBe(`${service.url}/v2`)
    expect(await lookAt(page, 'connect-dialog')).toEqual([])
    const ask = (body: object) =>
      service.call('POST', '/v2/scrape', body, { authorization: `Bearer ${key}`, 'user-agent': 'n8n' })
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    const row = page.getByRole('row', { name: /^n8n/ })
    await ask({ url: `${site.url}/article`, formatz: ['markdown'] })
    await row.getByText('failed (400)').waitFor()
    await row.getByText(/A field of the request is unknown/).waitFor()
    await ask({ url: `${site.url}/article` })
    await row.getByText('works', { exact: true }).waitFor()
    expect(await lookAt(page, 'connect')).toEqual([])
  })

  it('use shows up after use', async () => {
    await service.sdk.scrape(`${site.url}/docs`, { maxAge: 0 })
    const page = await at('usage')
    await page.getByRole('img', { name: /^Credits by day: [1-9]/ }).waitFor()
    await page.getByRole('region', { name: 'By endpoint' }).getByRole('cell', { name: 'scrape', exact: true }).waitFor()
    await page.getByRole('region', { name: 'Last calls' }).getByText(`${site.url}/docs`).first().waitFor()
    expect(await lookAt(page, 'usage')).toEqual([])
  })

  it('a team is made, and its credits changed', async () => {
    const page = await at('teams')
    const name = 'research'
    await page.getByRole('button', { name: 'New team' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Plan', { exact: true }).selectOption('standard')
    await page.getByRole('button', { name: 'Make the team' }).click()
    await page.getByText('Copy it now').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    const row = page.getByRole('row', { name: new RegExp(`^${name}`) })
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Credits', { exact: true }).fill('500')
    await page.getByRole('button', { name: 'Save' }).click()
    await row.getByRole('cell', { name: '500' }).waitFor()
    expect(await lookAt(page, 'teams')).toEqual([])
    // And the whole dashboard speaks for it, until one goes back.
    await page.reload()
    await page.getByLabel('Team', { exact: true }).selectOption({ label: name })
    const band = page.getByRole('region', { name: 'Acting for another team' })
    await band.getByText(name).waitFor()
    expect(await lookAtState(page, 'acting-for')).toEqual([])
    await page.getByLabel('A request, a URL or several URLs').fill(`${site.url}/article`)
    await page.keyboard.press('Enter')
    await answerIn(page).getByText('Why the tide tables moved').first().waitFor()
    // The books are the measure; the screen follows them while it is looked at.
    await expect.poll(() => creditsLeft(name)).toBeLessThan(500)
    const left = String(await creditsLeft(name))
    await page.getByRole('link', { name: 'Teams' }).click()
    await row.getByRole('cell', { name: left }).waitFor()
    expect(await page.getByRole('row', { name: /^default/ }).count()).toBe(0)
    await page.reload()
    await band.waitFor()
    await band.getByRole('button', { name: 'Back to default' }).click()
    await band.waitFor({ state: 'detached' })
    await page.getByLabel('Team', { exact: true }).getByText('default (yours)').waitFor({ state: 'attached' })
    // A link to a team that is not there leads nowhere, and says so.
    await page.goto(`${service.url}/?team=00000000-0000-4000-8000-000000000000#/home`)
    await page.getByRole('heading', { name: 'Not your team' }).waitFor()
    await page.getByRole('button', { name: 'Continue as default' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    // The browser itself notes that the answer was 404.
    window.complaints.splice(0)
  })

  it('webhooks are listed and sent again', async () => {
    const body = { urls: [`${site.url}/article`], webhook: `${site.url}/hook` }
    await service.call('POST', '/v2/batch/scrape', body)
    await until(() => site.hits('/hook') >= 2)
    const page = await at('webhooks')
    const before = site.hits('/hook')
    await page
      .getByRole('button', { name: /^Send again/ })
      .first()
      .click()
    await until(() => site.hits('/hook') > before)
    await page.getByRole('button', { name: 'Make one' }).click()
    await page.getByText('webhooks are signed').waitFor()
    expect(await lookAt(page, 'webhooks')).toEqual([])
    // What was sent, and what came back each time.
    await page
      .getByRole('button', { name: /^See it.*batch_scrape.page/ })
      .first()
      .click()
    const sheet = page.getByRole('dialog', { name: 'batch_scrape.page' })
    await sheet.getByRole('region', { name: 'Body' }).getByText('Why the tide tables moved').first().waitFor()
    await sheet.getByRole('region', { name: 'Headers' }).getByText('application/json').first().waitFor()
    const tries = sheet.getByRole('region', { name: 'Tries' }).getByRole('row')
    const known = await tries.count()
    await sheet.getByRole('button', { name: 'Send again' }).click()
    await until(async () => (await tries.count()) === known + 1)
    // It was signed this time.
    await tries
      .nth(1)
      .getByText(/^sha256=/)
      .waitFor()
    await tries.nth(1).getByText('200').waitFor()
    expect(await lookAt(page, 'webhook')).toEqual([])
  })

  it.each(['limits', 'health'])('the screen %s says how things stand', async (screen) => {
    const page = await at(screen)
    await page.locator('.figure').first().waitFor()
    // What is looked at again and again becomes a line.
    if (screen === 'health')
      await until(async () =>
        ((await page.locator('.trail polyline').first().getAttribute('points')) ?? '').includes(' '),
      )
    expect(await lookAt(page, screen)).toEqual([])
  })
})

describe('a hostile page', () => {
  const isInert = async (page: Page) => {
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.locator('main script, main iframe, main form[action], main a[href^="javascript:"]').count()).toBe(
      0,
    )
  }

  it('is inert in every part of an answer', async () => {
    const page = await at('playground')
    await page.getByLabel('Address', { exact: true }).fill(`${site.url}/inert?q="><img src=x onerror=alert(1)>`)
    await page.getByRole('button', { name: /more formats/ }).click()
    for (const format of ['html', 'rawHtml', 'images']) await page.getByText(format, { exact: true }).click()
    await page.getByRole('button', { name: 'Run' }).click()
    const answer = answerIn(page)
    await answer.waitFor()
    for (const tab of await answer.getByRole('tab').all()) {
      await tab.click()
      await page.waitForTimeout(150)
      await isInert(page)
    }
    const calls = page.getByRole('region', { name: 'The call', exact: true })
    for (const tab of await calls.getByRole('tab').all()) {
      await tab.click()
      await page.waitForTimeout(100)
      await isInert(page)
    }
  })

  it('is inert among jobs and in the books', async () => {
    const { json } = await service.call('POST', '/v2/crawl', {
      url: `${site.url}/inert`,
      limit: 4,
      crawlEntireDomain: true,
      sitemap: 'skip',
    })
    const page = await at(`jobs/${json.id}`)
    await page.getByText('completed', { exact: true }).first().waitFor()
    await isInert(page)
    await page.getByRole('tab', { name: 'Tree' }).click()
    await page.locator('.url-tree').waitFor()
    await isInert(page)
    for (const name of ['Jobs', 'Usage', 'Keys', 'Teams', 'Webhooks']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.waitForTimeout(300)
      await isInert(page)
    }
  })
})

describe('a command line that waits for a key', () => {
  it('gets one when the person at the dashboard allows it, and only then', async () => {
    const { page } = window
    await page.goto(`${service.url}/cli-auth?code_challenge=abc`)
    await enterKey(page)
    await page.getByText('This URL is incomplete').waitFor()
    const session_id = randomBytes(32).toString('hex')
    const code_verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const ask = async () => (await service.call('POST', '/api/auth/cli/status', { session_id, code_verifier })).json
    expect(await ask()).toEqual({ status: 'pending' })
    await page.goto('about:blank')
    await page.goto(`${service.url}/cli-auth?code_challenge=${challenge}#session_id=${session_id}`)
    const allow = page.getByRole('button', { name: 'Allow', exact: true })
    await allow.waitFor()
    expect(await lookAt(page, 'cli-auth')).toEqual([])
    expect(await ask()).toEqual({ status: 'pending' })
    await allow.click()
    await page.getByText('The command line has its key').waitFor()
    expect(await ask()).toMatchObject({
      status: 'complete',
      apiKey: expect.stringMatching(/^fc-/),
      teamName: 'default',
    })
  })
})
