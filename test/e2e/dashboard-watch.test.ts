// The dashboard for those who watch and ask: monitors from the first click on a page to what changed on it, and runs of the
// agent call by call; the built page in a real Chromium, on the real service, on our own web.
import { describe, expect, it } from 'vitest'
import { toolPages } from '../site/agent-tools-web.ts'
import { agentPages } from '../site/agent-web.ts'
import type { Pages } from '../site/site.ts'
import { dashboardContext, lookAt, lookAtState } from './dashboard-page.ts'
import { until } from './waiting.ts'

const kayaks = [
  ['Petrel 24', '12.450,00 €'],
  ['Fulmar 31', '38.900,50 €'],
  ['Tern 19', '6.800,00 €'],
] as const
const kayakLinks = kayaks.map(([name], at) => `<li><a href="/kayak/${at + 1}">${name}</a></li>`).join('')
const kayakPages: Pages = Object.fromEntries(
  kayaks.map(([name, price], at) => [
    `/kayak/${at + 1}`,
    ({ response }) => {
      const facts = `<dt>Seats</dt><dd>${at + 1}</dd><dt>Price</dt><dd class="amount">${price}</dd>`
      const main = `<main><h1 class="kayak-name">${name}</h1><dl class="facts">${facts}</dl></main>`
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><html lang="de"><title>${name}</title>${main}<footer><ul>${kayakLinks}</ul></footer>`)
    },
  ]),
)

/** What the page `/priced` says now. */
let priced = () => '10'
const { site, service, at } = dashboardContext({
  pages: {
    ...agentPages,
    ...toolPages,
    ...kayakPages,
    '/priced': ({ response }) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          `<!doctype html><title>Priced</title><main><h1>A thing</h1><p>It is a good thing that many people like, and it has been made the same way for years.</p><p class="price" onclick="window.top.pwned=1">The price is ${priced()} euros.</p><img src="x" onerror="window.top.pwned=1"><script>window.top.pwned=1</script></main>`,
        ),
    '/dated': ({ response, url }) => {
      const days = Number(url.searchParams.get('days'))
      const dates = [1, 2, 3].map(
        (n) => `<time datetime="${new Date(Date.now() - n * days * 86_400_000).toISOString()}">`,
      )
      const page = `<!doctype html><title>Dated</title><main><h1>Entries</h1>${dates.join('an entry</time>')}</main>`
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
        Number(url.searchParams.get('ms')),
      )
    },
  },
  // The picture of a run's browser may ask once more for one that is gone.
  expected: /410 \(Gone\)/,
})

describe('on the dashboard', () => {
  it('an agent run is asked for with its price, followed call by call, and run again', async () => {
    const page = await at('agents')
    await page.getByText('No runs yet').waitFor()
    await page.getByLabel('What do you want to know?').fill('Find who founded Tarn Boats, when, and its e-mail address')
    await page.getByLabel('Start pages').fill(`${site.url}/tarn/`)
    await page.getByLabel('Fields').fill('founder, founded, email')
    await page.getByRole('button', { name: 'Estimate the cost' }).click()
    await page.getByText(/^About \d+ credits for/).waitFor()
    await page.getByRole('button', { name: 'Find it' }).click()
    await page.getByRole('region', { name: 'Answer', exact: true }).getByText('Mary Fell').first().waitFor()
    await page.getByRole('heading', { level: 1, name: /who founded Tarn Boats/ }).waitFor()
    await page.getByText('Trace', { exact: true }).click()
    await page.getByRole('button', { name: /^scrape .*about/ }).click()
    const chosen = page.getByRole('region', { name: 'The chosen call' })
    await chosen.getByText('About Tarn Boats').first().waitFor()
    expect(await lookAt(page, 'agent-run')).toEqual([])
    await page.getByRole('button', { name: 'Run again with changes' }).click()
    await expect.poll(() => page.getByLabel('What do you want to know?').inputValue()).toContain('who founded Tarn')
    await page.getByRole('link', { name: /^Find who founded/ }).waitFor()
    expect(await lookAt(page, 'agents')).toEqual([])
  })

  it('the browser of a run is watched beside what the run does', async () => {
    const page = await at('agents')
    await page.getByLabel('What do you want to know?').fill('List all ferries with name and price')
    await page.getByLabel('Start pages').fill(`${site.url}/loch/slow-ferries`)
    const item = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } }
    const schema = { type: 'object', properties: { ferries: { type: 'array', items: item } } }
    await page.getByLabel('Fields').fill(JSON.stringify(schema))
    await page.getByRole('button', { name: 'Find it' }).click()
    const shown = page.getByRole('region', { name: 'Open browsers' }).locator('iframe')
    await shown.waitFor()
    await shown.contentFrame().locator('canvas, img').first().waitFor()
    expect(await lookAtState(page, 'agent-browser')).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await shown.waitFor({ state: 'detached' })
  })

  it('who is told of changes is said there, and what they would have been told is kept', async () => {
    const { json } = await service.call('POST', '/v2/monitor', {
      name: 'Told',
      schedule: { text: 'daily' },
      targets: [{ type: 'scrape', urls: [`${site.url}/priced`] }],
    })
    const { id } = json.data
    const page = await at(`monitors/${id}`)
    const form = page.getByRole('form', { name: 'Notifications' })
    await form.getByLabel('By e-mail').fill('ada@example.org')
    await form.getByLabel('When').selectOption('daily digest')
    await form.getByLabel('Quiet from').fill('22:00')
    await form.getByLabel('until').fill('07:00')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Saved.').waitFor()
    await form.getByText('No mail server is set up').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('email ada@example.org No mail server is set up (ORB_SMTP_URL)').waitFor()
    await page.getByText('Settings', { exact: true }).click()
    const settings = page.getByRole('form', { name: 'Settings' })
    await settings.getByLabel('Name').fill('Told again')
    await settings.getByLabel(/^Check/).selectOption('weekly')
    await settings.getByRole('button', { name: 'Save settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Told again' }).waitFor()
    const { notification } = (await service.call('GET', `/v2/monitor/${id}`)).json.data
    expect(notification).toMatchObject({
      email: { enabled: true, recipients: ['ada@example.org'] },
      digest: 'daily',
      quietHours: { from: '22:00', to: '07:00' },
    })
    await page.getByText('1 message').click()
    await page.getByText('ada@example.org:').waitFor()
    expect(await lookAtState(page, 'monitor-told')).toEqual([])
    await page.goto(`${service.url}/#/monitors`)
    await expect
      .poll(() => page.getByRole('link', { name: 'Feed of all' }).getAttribute('href'))
      .toContain('/feeds/team/')
  })

  it('a stored flow is listed, run with its parameters, and scheduled', async () => {
    const steps = [
      { type: 'open', url: `${site.url}/dated?days={{days}}` },
      { type: 'extract', as: 'heading', target: { role: 'heading', name: 'Entries' } },
      { type: 'extract', as: 'dates', target: { selector: 'time' }, all: true },
    ]
    const stored = await service.call('PUT', '/v2/flow/entries', { steps, parameters: { days: { default: '1' } } })
    expect(stored.status, JSON.stringify(stored.json)).toBe(200)
    const page = await at('flows')
    await page.getByRole('link', { name: 'entries', exact: true }).click()
    await page.getByRole('region', { name: 'Steps', exact: true }).getByText('time', { exact: true }).waitFor()
    await page.getByLabel('days', { exact: true }).fill('2')
    const form = page.getByRole('form', { name: 'Run the flow' })
    await form.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('region', { name: 'Result' }).getByText('dated?days=2').first().waitFor()
    expect(await lookAt(page, 'flow')).toEqual([])
    await form.getByRole('button', { name: 'Schedule' }).click()
    await page.getByRole('heading', { level: 1, name: 'Flow entries' }).waitFor()
  })

  it('an extractor is taught by clicks, tested on the other pages, corrected and used', async () => {
    const page = await at('extractors')
    const { data } = (await service.call('POST', '/api/session/code', {})).json
    // As `orb extractor teach URL --pick` opens it.
    await page.goto('about:blank')
    await page.goto(`${service.url}/#code=${data.code}/extractors/new?url=${encodeURIComponent(`${site.url}/kayak/1`)}`)
    await page.getByRole('button', { name: 'Show the page' }).click()
    const shown = page.getByRole('region', { name: 'The page: click a value' })
    const form = page.getByRole('form', { name: 'Add a value' })
    await shown.getByRole('heading', { name: 'Petrel 24' }).click()
    await form.getByLabel('Name').fill('name')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await shown.getByText('12.450,00 €').click()
    await form.getByLabel('Name').fill('price')
    await form.getByLabel('Type').selectOption('Number')
    await form.getByText('The number 12450.').waitFor()
    expect(await lookAtState(page, 'extractor-teach')).toEqual([])
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('Name of the extractor').fill('kayaks')
    await page.getByRole('button', { name: 'Teach', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'kayaks' }).waitFor()
    const table = page.getByRole('table', { name: 'What it reads on each page' })
    await table.getByRole('row', { name: /Fulmar 31.*38900\.5/ }).waitFor()
    await table.getByRole('row', { name: /Tern 19.*6800/ }).waitFor()
    expect(await lookAt(page, 'extractor')).toEqual([])

    await table.getByRole('button', { name: 'Correct' }).first().click()
    await expect.poll(() => page.getByLabel('Value of name').inputValue()).toMatch(/Fulmar 31|Tern 19/)
    await shown.waitFor()
    await page.getByRole('button', { name: 'Correct it' }).click()
    await page.getByText(/^Version 2, taught/).waitFor()

    await page.getByRole('link', { name: 'Open in the playground' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Teach an extractor' }).waitFor()
    await page.goto(`${service.url}/#/extractors`)
    await page.getByRole('link', { name: 'kayaks' }).waitFor()
    expect(await lookAt(page, 'extractors')).toEqual([])
  })

  it('a feed is made of the entries that a page has, and its address copied', async () => {
    const page = await at('feeds')
    await page.getByText('There is no feed yet').waitFor()
    await page.getByLabel('URL of a list page').fill(`${site.url}/listing`)
    await page.getByRole('button', { name: 'Find its entries' }).click()
    const found = page.getByRole('region', { name: 'Entries found' })
    await found.getByText(/^\d+ entries found/).waitFor()
    expect(await lookAtState(page, 'feed-entries')).toEqual([])
    await page.getByRole('button', { name: 'Create the feed' }).click()
    await page.getByRole('button', { name: 'Copy its URL' }).waitFor()
    const { data } = (await service.call('GET', '/v2/feeds')).json
    expect((await fetch(data[0].rss)).status).toBe(200)
    await page.getByRole('button', { name: `Remove ${data[0].title}` }).waitFor()
    expect(await lookAt(page, 'feeds')).toEqual([])
    await page.getByRole('button', { name: `Remove ${data[0].title}` }).click()
    await page.getByText('There is no feed yet').waitFor()
    expect((await fetch(data[0].rss)).status).toBe(404)
  })

  it('suggests how often to look, for the address that stands there; a link alone visits nothing', async () => {
    const page = await at('home')
    await page.getByLabel('A request, a URL or several URLs').fill(`${site.url}/dated?days=30`)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByText('Suggested: weekly').waitFor()
    const form = page.getByRole('form', { name: 'Watch a page' })
    const change = async (query: string) => {
      await form.getByLabel('Address').fill(`${site.url}/dated?${query}`)
      await form.getByLabel('Address').blur()
    }
    // The answer for the first of them comes last.
    await change('days=31&ms=1500')
    await change('days=1')
    await page.getByText('Suggested: every 6 hours').waitFor()
    await page.waitForTimeout(2500)
    expect(await page.getByText('Suggested: every 6 hours').count()).toBe(1)
    const before = site.hits('/dated')
    await page.goto(`${service.url}/#/monitors?url=${encodeURIComponent(`${site.url}/dated?days=2`)}`)
    await page.reload()
    await form.waitFor()
    await page.waitForTimeout(1000)
    expect(site.hits('/dated')).toBe(before)
  })

  it('a part of a page is picked by pointing at it, watched, and its change seen in words and pictures', async () => {
    let price = '10'
    priced = () => price
    const page = await at('monitors')
    const form = page.getByRole('form', { name: 'Watch a page' })
    await form.getByLabel('Address').fill(`${site.url}/priced`)
    await form.getByRole('button', { name: 'Choose a part' }).click()
    await page.locator('.part-picker').getByText('The price is').click()
    await expect.poll(() => form.getByLabel('Only this part').inputValue()).toBe('p.price')
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await lookAtState(page, 'monitor-picker')).toEqual([])
    // Not in the middle of the checks below.
    await form.getByLabel(/^Check/).selectOption('weekly')
    await form.getByRole('button', { name: 'Watch it' }).click()
    await page.getByRole('heading', { level: 1, name: /priced/ }).waitFor()
    const id = page.url().split('/').at(-1)!
    const summary = async () => (await service.call('GET', `/v2/monitor/${id}`)).json.data
    await until(async () => (await summary()).lastCheckSummary !== null, 40_000)
    const { targets } = await summary()
    const scrapeOptions = { formats: ['markdown', 'screenshot'] }
    await service.call('PATCH', `/v2/monitor/${id}`, { targets: [{ ...targets[0], scrapeOptions }] })
    const look = async (expected: string) => {
      const before = (await summary()).lastRunAt
      await service.call('POST', `/v2/monitor/${id}/run`)
      await until(
        async () => (await summary()).lastRunAt !== before && (await summary()).currentCheckId === null,
        60_000,
      )
      expect((await summary()).lastCheckSummary).toMatchObject({ [expected]: 1 })
    }
    price = '12'
    await look('changed')
    price = '15'
    await look('changed')
    await page.locator('ins', { hasText: '15' }).waitFor()
    await page.getByLabel('Show').nth(1).selectOption('side by side')
    await page.getByRole('button', { name: 'Show the pictures' }).first().click()
    await page.getByAltText('The page before the change').waitFor()
    await page.locator('.changed-box').waitFor()
    await page.getByLabel('Before or after').fill('20')
    expect(await lookAt(page, 'monitor-changes')).toEqual([])
    await page.getByRole('button', { name: 'Not relevant' }).first().click()
    await page.getByText('no longer count').waitFor()
    await page.goto(`${service.url}/#/monitors`)
    await page.getByRole('img', { name: /^News in: [1-3] of the last 3 checks/ }).waitFor()
    expect(await lookAt(page, 'monitors')).toEqual([])
  })
})
