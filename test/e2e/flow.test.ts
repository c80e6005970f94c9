// Flows: steps that are stored, run again on changed pages, and stopped where an element is not to be found.
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Page, Pages } from '../site/site.ts'
import { holders } from './raw-bytes.ts'
import { runToEnd } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const html =
  (make: (query: URLSearchParams) => string): Page =>
  ({ response, request }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Orders</title>${make(new URL(request.url ?? '/', 'http://x').searchParams)}`)
  }

/** Three makes of one page: other ids, order and wording, a notice that covers it, and one without the button. */
const orders = (make: string | null): string => {
  const other = make === '2'
  const [go, city] = other ? ['Display orders', 'Town'] : ['Show orders', 'City']
  const id = (name: string) => (other ? `x${name.length}${name}9981` : name)
  const fields = [
    `<p><label>${city} <input id="${id('city')}"></label>`,
    `<p><label>Country <select id="${id('country')}"><option>Any<option>Belgium<option>Denmark</select></label>`,
    `<p><label><input type="checkbox" id="${id('express')}"> Express only</label>`,
  ]
  const cover = other
    ? `<div role="dialog" aria-label="Cookies" id="c" style="position:fixed;inset:0;background:#fff">We use cookies
       <button onclick="c.remove()">Decline</button><button onclick="fetch('/accepted')">Accept all</button></div>`
    : ''
  return `<main><h1>Orders</h1>${cover}<form id="f">${(other ? fields.reverse() : fields).join('')}
    ${make === 'none' ? '<button type="button" onclick="fetch(\'/wrong\')">Delete all</button>' : `<button>${go}</button>`}</form>
    <table id="t"></table><dl><dt>Total</dt><dd id="sum">0</dd></dl><p id="said"></p><a href="/report.csv" download>Download report</a></main>
    <script>f.onsubmit = (event) => { event.preventDefault()
      const [city, country, express] = ['${id('city')}', '${id('country')}', '${id('express')}'].map((one) => document.getElementById(one))
      setTimeout(() => {
        t.innerHTML = ['Lamp', 'Chair', 'Desk'].map((one) => '<tr><td>' + one + ' for ' + city.value + '</td><td>' + country.value + '</td><td>'
          + '<button type="button" onclick="if (confirm(\\'Cancel it?\\')) said.textContent = \\'Cancelled ' + one + '\\'">Cancel</button></td></tr>').join('')
        sum.textContent = express.checked ? '3 express' : '3' }, 150) }</script>`
}

/** Three views of one document: a list, an item by its fragment, and its reviews by `pushState`. */
const views = `<main><h1 id="h"></h1><div id="view"></div><p>Visited: <b id="trail"></b></p></main>
  <script>const draw = () => {
      const at = location.pathname.endsWith('/reviews') ? 'Reviews' : location.hash === '#lamp' ? 'Lamp' : 'Catalogue'
      h.textContent = document.title = at
      trail.textContent += ' ' + at
      view.innerHTML = at === 'Catalogue' ? '<a href="#lamp">Show the lamp</a> <a href="/stock">Show the stock</a>'
        : at === 'Lamp' ? '<button id="r">Read reviews</button><button id="c">Close lamp</button>' : '<p>Nice.</p>'
      if (at === 'Lamp') {
        r.onclick = () => { history.pushState({}, '', '/views/reviews'); draw() }
        c.onclick = () => history.back() } }
    addEventListener('popstate', draw)
    draw()</script>`

let chairs = 12

const pages: Pages = {
  '/orders': html((query) => orders(query.get('make'))),
  '/private': html(
    () => `<form id="f"><label>Password <input type="password" id="p"></label><button>Unlock</button></form><p id="said"></p>
      <script>f.onsubmit = (event) => { event.preventDefault(); p.setAttribute('value', p.value); if (p.value) said.textContent = 'Unlocked' }</script>`,
  ),
  '/notices': html(
    () => `<h1>News</h1><div style="position:fixed;bottom:0;width:100%;height:200px">We use cookies <button>Accept all</button></div>
      <div role="dialog" aria-modal="true" aria-label="Letter" id="d"><button onclick="d.remove()">Close</button></div>`,
  ),
  '/views': html(() => views),
  '/choices': html(
    () => `<main><h1>Choices</h1><button id="o" aria-haspopup="listbox" onclick="l.hidden = false">Colour</button>
      <ul role="listbox" id="l" hidden><li role="option" onmousedown="l.hidden = true; said.textContent = 'Green it is'">Green</li></ul>
      <div role="switch" tabindex="0" aria-checked="false" aria-label="Night mode"
        onclick="this.setAttribute('aria-checked', String(this.getAttribute('aria-checked') !== 'true'))">Night mode</div><p id="said"></p></main>`,
  ),
  '/stock': html(
    () => `<main><h1>Stock</h1><form id="f"><label>Town <input id="town"></label><button>Look up</button></form><p id="said">Nothing was asked for yet.</p></main>
      <script>f.onsubmit = async (event) => { event.preventDefault(); said.textContent = 'In ' + town.value + ' there are ' + (await (await fetch('/stock/count')).text()) + ' chairs.' }</script>`,
  ),
  '/stock/count': ({ response }) => void response.end(String(chairs)),
  '/report.csv': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' })
      .end('item,count\nLamp,3\n'),
}

const { site, service } = shared(pages)

const steps = (make = '') => [
  { type: 'open', url: `${site.url}/orders?make=${make}` },
  { type: 'type', target: { role: 'textbox', name: 'City', selector: '#city' }, value: '{{city}}' },
  { type: 'choose', target: { role: 'combobox', name: 'Country' }, value: 'Belgium' },
  { type: 'check', target: { role: 'checkbox', name: 'Express only' }, on: true },
  { type: 'click', target: { role: 'button', name: 'Show orders', within: 'Orders', only: true } },
  { type: 'waitFor', text: 'Chair for {{city}}' },
  { type: 'click', target: { role: 'button', name: 'Cancel', near: 'Chair for {{city}}' }, dialog: 'accept' },
  { type: 'extract', as: 'total', target: { label: 'Total' } },
  { type: 'extract', as: 'rows', target: { selector: 'td:first-child' }, all: true },
  { type: 'download', target: { role: 'link', name: 'Download report' } },
]

async function mcp(method: string, params: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await answer.json()) as { result: Record<string, unknown> }).result
}

describe('a flow', () => {
  it('is stored in versions, read, listed, exported and deleted', async () => {
    const first = await service.call('PUT', '/v2/flow/kept', { steps: steps() })
    expect(first.json).toMatchObject({ success: true, name: 'kept', version: 1, parameters: { city: {} } })
    const second = await service.call('PUT', '/v2/flow/kept', {
      parameters: { city: { default: 'Ghent' } },
      steps: steps().slice(0, 2),
    })
    expect(second.json.version).toBe(2)
    const read = await service.call('GET', '/v2/flow/kept')
    expect(read.json).toMatchObject({ version: 2, parameters: { city: { default: 'Ghent' } } })
    expect(read.json.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    expect((await service.call('GET', '/v2/flow/kept?version=1')).json.steps).toEqual(steps())
    expect((await service.call('GET', '/v2/flow')).json.flows).toMatchObject([{ name: 'kept', version: 2, steps: 2 }])
    const { script } = (await service.call('GET', '/v2/flow/kept/playwright?version=1')).json
    expect(script).toContain(
      'getByRole("combobox", { name: "Country", exact: true }).selectOption({ label: "Belgium" })',
    )
    expect((await service.call('DELETE', '/v2/flow/kept')).status).toBe(200)
    expect((await service.call('GET', '/v2/flow/kept')).status).toBe(404)
  })

  it('refuses a stored password, a parameter that no step has, and a step without a target', async () => {
    const type = (value: string) => ({ type: 'type', target: { role: 'textbox', kind: 'password' }, value })
    const open = { type: 'open', url: site.url }
    const bad = [
      [{ steps: [open, type('hunter2')] }, /a password is not stored/],
      [{ steps: [open], parameters: { city: {} } }, /no step has \{\{city\}\}/],
      [{ steps: [open, { type: 'click', target: {} }] }, /must have a role, a name/],
      [
        { steps: [open, type('{{p}}')], parameters: { p: { secret: true, default: 'x' } } },
        /secret parameter has no default/,
      ],
    ] as const
    for (const [body, text] of bad) {
      const { status, json } = await service.call('PUT', '/v2/flow/bad', body)
      expect(status).toBe(400)
      expect(JSON.stringify(json)).toMatch(text)
    }
    expect((await service.call('PUT', '/v2/flow/bad name', { steps: [open] })).status).toBe(400)
  })

  it('runs with its values: data, download, the formats of the last page, and a picture of each step', async () => {
    await service.call('PUT', '/v2/flow/orders', { steps: steps() })
    const { status, json } = await service.call('POST', '/v2/flow/orders/run', {
      with: { city: 'Ghent' },
      formats: ['markdown', 'links'],
    })
    expect(json.error).toBeUndefined()
    expect(status).toBe(200)
    expect(json.data).toEqual({ total: '3 express', rows: ['Lamp for Ghent', 'Chair for Ghent', 'Desk for Ghent'] })
    expect(json.document.markdown).toContain('Cancelled Chair')
    expect(json.document.links).toContain(`${site.url}/report.csv`)
    expect(json.steps).toHaveLength(steps().length)
    expect(json.steps.every(({ ok, healed, picture }: Record<string, unknown>) => ok && !healed && picture)).toBe(true)
    expect(json.healed).toBeUndefined()
    const picture = await fetch(json.steps[4].picture)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(json.downloads).toMatchObject([{ name: 'report.csv', bytes: 18 }])
    expect(await (await fetch(json.downloads[0].url)).text()).toBe('item,count\nLamp,3\n')
  })

  it('finds the one element of a CSS selector, and stops at several or at what is no selector', async () => {
    const run = async (name: string, ...more: object[]) => {
      const open = { type: 'open', url: `${site.url}/orders` }
      await service.call('PUT', `/v2/flow/${name}`, { steps: [open, ...more] })
      return (await service.call('POST', `/v2/flow/${name}/run`, {})).json
    }
    const of = (selector: string) => ({ target: { selector } })
    const running = [
      run('css-several', { type: 'click', ...of('form p') }),
      run('css-none', { type: 'click', ...of('p[') }),
    ]
    const ran = await run(
      'css-one',
      { type: 'type', ...of('form > p:first-child input'), value: 'Ghent' },
      { type: 'check', ...of('input[type=checkbox]') },
      { type: 'click', ...of('#f button:not([type])') },
      { type: 'waitFor', ...of('#t tr:nth-of-type(3) td') },
      { type: 'extract', as: 'total', ...of('#sum') },
    )
    expect([ran.error, ran.data]).toEqual([undefined, { total: '3 express' }])
    const [several, none] = await Promise.all(running)
    expect(several.error).toMatch(/several elements match/)
    expect(none.error).toMatch(/"p\[" is not a CSS selector/)
  })

  it('finds elements by their other names on a changed page, closes what covers it, and offers the new names', async () => {
    await service.call('PUT', '/v2/flow/changed', { steps: steps('2') })
    const { json } = await service.call('POST', '/v2/flow/changed/run', { with: { city: 'Oslo' } })
    expect(json.error).toBeUndefined()
    expect(json.data.total).toBe('3 express')
    expect(json.document.markdown).toContain('Cancelled Chair')
    const healed = json.steps.flatMap((step: { healed: boolean }, at: number) => (step.healed ? [at] : []))
    expect(healed).toEqual([1, 4])
    expect(json.healed[4].target).toMatchObject({ role: 'button', name: 'Display orders' })
    expect(json.healed[1].value).toBe('{{city}}')
    expect(site.hits('/accepted')).toBe(0)
  })

  it('answers a cookie notice as it was recorded', async () => {
    const [open] = steps('2')
    const accept = { type: 'click', target: { role: 'button', name: 'Accept all', within: 'Cookies' } }
    await service.call('PUT', '/v2/flow/accepts', { steps: [open, accept] })
    expect((await service.call('POST', '/v2/flow/accepts/run', {})).json.error).toBeUndefined()
    await expect.poll(() => site.hits('/accepted')).toBe(1)
  })

  it('stops at an element that is gone, with the picture and the nearest, and presses nothing else', async () => {
    await service.call('PUT', '/v2/flow/gone', { steps: steps('none') })
    const { status, json } = await service.call('POST', '/v2/flow/gone/run', { with: { city: 'Ghent' } })
    expect(status).toBe(422)
    expect(json).toMatchObject({ success: false, code: 'FLOW_STEP_NOT_FOUND' })
    expect(json.error).toContain('step 5 (click): no element matches button "Show orders" in "Orders"')
    expect(json.details).toMatchObject({ step: 5, candidates: ['button "Delete all"', 'link "Download report"'] })
    expect(json.details.picture).toMatch(/^data:image\/jpeg;base64,/)
    expect(site.hits('/wrong')).toBe(0)
  })

  it('names the values that lack or that it does not have', async () => {
    await service.call('PUT', '/v2/flow/values', { steps: steps() })
    const lacks = await service.call('POST', '/v2/flow/values/run', {})
    expect(lacks).toMatchObject({ status: 400, json: { error: expect.stringContaining('`with` lacks `city`') } })
    const over = await service.call('POST', '/v2/flow/values/run', { with: { city: 'a', town: 'b' } })
    expect(over).toMatchObject({ status: 400, json: { error: expect.stringContaining('no parameter `town`') } })
    expect((await service.call('POST', '/v2/flow/nobody/run', {})).status).toBe(404)
  })

  it('runs as an action of a scrape, with the same result', async () => {
    await service.call('PUT', '/v2/flow/action', { steps: steps().slice(1, 8) })
    const { json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/orders`,
      formats: ['markdown'],
      actions: [{ type: 'flow', name: 'action', with: { city: 'Ghent' } }],
    })
    expect(json.error).toBeUndefined()
    expect(json.data.actions.flows).toMatchObject([{ name: 'action', version: 1, data: { total: '3 express' } }])
    expect(json.data.markdown).toContain('Cancelled Chair')
  })

  it('gives the same result by HTTP, MCP, command line, scrape, batch and crawl, and as the target of a monitor', async () => {
    const url = `${site.url}/stock`
    const look = [
      { type: 'type', target: { role: 'textbox', name: 'Town' }, value: '{{town}}' },
      { type: 'click', target: { role: 'button', name: 'Look up' } },
      { type: 'waitFor', text: 'chairs' },
      { type: 'extract', as: 'said', target: { selector: '#said' } },
    ]
    await service.call('PUT', '/v2/flow/stock', { steps: [{ type: 'open', url }, ...look] })
    const said = 'In Bergen there are 12 chairs.'
    const values = { town: 'Bergen' }
    const ran = (await service.call('POST', '/v2/flow/stock/run', { with: values })).json
    expect(ran.data).toEqual({ said })
    const line = await runToEnd({ ORB_URL: service.url, ORB_API_KEY: service.key }, [
      ...['flow', 'run', 'stock', '--with', JSON.stringify(values), '--json'],
    ])
    expect(JSON.parse(line.out).data, line.err).toEqual({ said })
    const tool = await mcp('tools/call', { name: 'flow_stock', arguments: values })
    expect(JSON.stringify(tool)).toContain(said)
    const actions = [{ type: 'flow', name: 'stock', with: values }]
    const scraped = (await service.call('POST', '/v2/scrape', { url, actions })).json.data
    const options = { formats: ['markdown'], actions }
    const ended = async (path: string, body: object) => {
      const { json } = await service.call('POST', path, body)
      await until(async () => (await service.call('GET', `${path}/${json.id}`)).json.status === 'completed')
      return (await service.call('GET', `${path}/${json.id}`)).json.data[0]
    }
    const batched = await ended('/v2/batch/scrape', { urls: [url], ...options })
    const crawled = await ended('/v2/crawl', { url, limit: 1, sitemap: 'skip', scrapeOptions: options })
    for (const page of [scraped, batched, crawled]) {
      expect(page.actions.flows).toMatchObject([{ name: 'stock', data: { said } }])
      expect(page.markdown).toBe(ran.document.markdown)
    }
    const targets = [{ type: 'flow', name: 'stock', with: values }]
    const body = { name: 'Chairs', schedule: { text: 'daily' }, targets, watch: { confirm: false } }
    const { status, json, text } = await service.call('POST', '/v2/monitor', body)
    expect(status, text).toBe(200)
    const path = `/v2/monitor/${json.data.id}`
    const check = async () => {
      const { id } = (await service.call('POST', `${path}/run`)).json.data
      const read = async () => (await service.call('GET', `${path}/checks/${id}`)).json.data
      await until(async () => !/queued|running/.test((await read()).status))
      return (await read()).pages[0]
    }
    expect(await check()).toMatchObject({ status: 'new', url })
    chairs = 11
    const after = await check()
    chairs = 12
    expect(after.status, JSON.stringify(after)).toBe('changed')
    expect(JSON.stringify(after)).toContain('there are 11 chairs')
    await service.call('DELETE', path)
    const unknown = await service.call('POST', '/v2/monitor', { ...body, targets: [{ type: 'flow', name: 'nobody' }] })
    expect(unknown.status).toBe(404)
  })

  it('is a tool of its own over MCP', async () => {
    const heading = { type: 'extract', as: 'words', target: { role: 'heading', name: '{{words}}' } }
    await service.call('PUT', '/v2/flow/tool-one', { steps: [steps()[0], heading] })
    const { tools } = (await mcp('tools/list', {})) as { tools: { name: string; inputSchema: unknown }[] }
    const tool = tools.find(({ name }) => name === 'flow_tool_one')
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: { words: { type: 'string' } },
      required: ['words'],
    })
    const ran = await mcp('tools/call', { name: 'flow_tool_one', arguments: { words: 'Orders' } })
    expect(JSON.stringify(ran)).toContain('tool-one')
    expect(JSON.stringify(ran)).toContain('Orders')
  })
})

describe('a recording', () => {
  const SECRET = 'marker-Zq81-secret'

  it('keeps what code did in a session, without the password, and runs again with other values', async () => {
    const { id } = (await service.call('POST', '/v2/interact', {})).json
    const code = `await page.goto(${JSON.stringify(`${site.url}/orders`)})
      await page.getByLabel('City').fill('Ghent')
      await page.getByLabel('Country').selectOption('Denmark')
      await page.getByLabel('Express only').check()
      await page.getByLabel('City').press('Enter')
      page.once('dialog', (dialog) => dialog.accept())
      await page.getByRole('row', { name: 'Desk' }).getByRole('button').click()
      await page.getByText('Cancelled Desk').waitFor()
      await page.goto(${JSON.stringify(`${site.url}/private`)})
      await page.getByLabel('Password').fill('${SECRET}')
      await page.getByRole('button', { name: 'Unlock' }).click()`
    const ran = await service.call('POST', `/v2/interact/${id}/execute`, { code, timeout: 120 })
    expect(ran.json.error).toBeUndefined()
    const { status, json } = await service.call('POST', `/v2/interact/${id}/flow`, {
      name: 'recorded',
      parameters: { city: 'Ghent' },
    })
    await service.call('DELETE', `/v2/interact/${id}`)
    expect(json.error).toBeUndefined()
    expect(status).toBe(200)
    expect(json.parameters).toEqual({ city: { default: 'Ghent' }, password: { secret: true } })
    expect(json.steps.map(({ type }: { type: string }) => type)).toEqual([
      'open',
      'type',
      'choose',
      'check',
      'press',
      'click',
      'open',
      'type',
      'click',
      'expect',
    ])
    expect(json.steps.at(-1)).toEqual({ type: 'expect', path: '/private', heading: 'Orders' })
    expect(json.steps[1]).toMatchObject({ target: { role: 'textbox', name: 'City' }, value: '{{city}}' })
    expect(json.steps[5]).toMatchObject({
      target: { role: 'button', name: 'Cancel', near: 'Desk for {{city}}' },
      dialog: 'accept',
    })
    expect(JSON.stringify(json)).not.toContain(SECRET)
    const again = await service.call('POST', '/v2/flow/recorded/run', { with: { city: 'Oslo', password: SECRET } })
    expect(again.json.error).toBeUndefined()
    expect(again.json.document.markdown).toContain('Unlocked')
    expect(JSON.stringify(again.json)).not.toContain(SECRET)
    // Database, WAL, blobs, traces and log.
    expect(holders(service.dataDir, SECRET, 0)).toEqual([])
    expect(service.logged().join('\n')).not.toContain(SECRET)
    // As an action its values would be stored.
    const action = await service.call('POST', '/v2/scrape', {
      url: site.url,
      actions: [{ type: 'flow', name: 'recorded', with: { password: SECRET } }],
    })
    expect(action).toMatchObject({ status: 400, json: { error: expect.stringContaining('`password` is secret') } })
  })

  it('keeps what words did, and says so when nothing was done', async () => {
    const { id } = (await service.call('POST', '/v2/interact', {})).json
    const empty = await service.call('POST', `/v2/interact/${id}/flow`, { name: 'words' })
    expect(empty).toMatchObject({ status: 400, json: { error: expect.stringContaining('nothing was done') } })
    await service.call('POST', `/v2/interact/${id}/execute`, { code: `await page.goto('${site.url}/orders')` })
    const said = await service.call('POST', `/v2/interact/${id}/prompt`, {
      prompt: 'Type Ghent into City, choose Belgium from Country and click Show orders',
      timeout: 120,
    })
    expect(said.json.error).toBeUndefined()
    const unknown = await service.call('POST', `/v2/interact/${id}/flow`, { name: 'words', parameters: { x: 'Rome' } })
    expect(unknown).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('no step has the value of `x`') },
    })
    const { json } = await service.call('POST', `/v2/interact/${id}/flow`, { name: 'words' })
    await service.call('DELETE', `/v2/interact/${id}`)
    expect(json.steps).toMatchObject([
      { type: 'open', url: `${site.url}/orders` },
      { type: 'type', target: { name: 'City' }, value: 'Ghent' },
      { type: 'choose', target: { name: 'Country' }, value: 'Belgium' },
      { type: 'click', target: { role: 'button', name: 'Show orders' } },
      { type: 'expect', path: '/orders', heading: 'Orders' },
    ])
  })

  it('keeps a choice made when the button goes down, and a switch with its state', async () => {
    const { id } = (await service.call('POST', '/v2/interact', {})).json
    const code = `await page.goto('${site.url}/choices'); await page.getByRole('button', { name: 'Colour' }).click()
      const box = await page.getByRole('option').boundingBox()
      await page.mouse.click(box.x + 5, box.y + 5); await page.getByRole('switch').click(); await page.waitForTimeout(300)`
    expect((await service.call('POST', `/v2/interact/${id}/execute`, { code, timeout: 60 })).json.error).toBeUndefined()
    const { json } = await service.call('POST', `/v2/interact/${id}/flow`, { name: 'choices' })
    await service.call('DELETE', `/v2/interact/${id}`)
    expect(json.steps).toMatchObject([
      { type: 'open' },
      { type: 'click', target: { name: 'Colour' } },
      { type: 'click', target: { role: 'option', name: 'Green' } },
      { type: 'check', target: { role: 'switch', name: 'Night mode' }, on: true },
      { type: 'expect' },
    ])
    const again = await service.call('POST', '/v2/flow/choices/run', {})
    expect([again.json.error, again.json.document?.markdown]).toEqual([
      undefined,
      expect.stringContaining('Green it is'),
    ])
  })

  it('keeps a press once, where something else might have covered it', async () => {
    const { id } = (await service.call('POST', '/v2/interact', {})).json
    await service.call('POST', `/v2/interact/${id}/execute`, { code: `await page.goto('${site.url}/notices')` })
    await service.call('POST', `/v2/interact/${id}/prompt`, { prompt: 'press "Close" in "Letter"', timeout: 120 })
    const { json } = await service.call('POST', `/v2/interact/${id}/flow`, { name: 'close-once' })
    await service.call('DELETE', `/v2/interact/${id}`)
    expect(json.steps).toMatchObject([
      { type: 'open' },
      { type: 'click', target: { name: 'Close', within: 'Letter' } },
      { type: 'expect' },
    ])
  })

  const lamp = { role: 'link', name: 'Show the lamp' }
  const reviews = { role: 'button', name: 'Read reviews' }

  it('keeps that one went back and forward within a document, and runs it', async () => {
    const { id, interactiveLiveViewUrl: view } = (await service.call('POST', '/v2/interact', {})).json
    const execute = (code: string) => service.call('POST', `/v2/interact/${id}/execute`, { code, timeout: 120 })
    const heading = async () => (await execute(`await page.textContent('h1')`)).json.result
    await execute(`await page.goto('${site.url}/views')
      await page.getByText('Show the lamp').click()
      await page.getByText('Read reviews').click()
      await page.goBack()
      await page.goForward()`)
    await service.call('POST', `/v2/interact/${id}/prompt`, { prompt: 'Go back', timeout: 120 })
    expect(await heading()).toBe('Lamp')
    const { ticket } = (await (await fetch(`${view}?ticket=1`)).json()) as { ticket: string }
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/live/${id}/socket/${ticket}`)
    await new Promise<void>((resolve) => socket.on('message', (_, isBinary) => isBinary && resolve()))
    socket.send('{"type":"back"}')
    await until(async () => (await heading()) === 'Catalogue')
    socket.close()
    // What the page's own button does is no step besides the press, and what a script does by itself is one.
    await execute(`await page.getByText('Show the lamp').click()
      await page.getByText('Close lamp').click()
      await page.getByText('Show the lamp').click()
      await page.evaluate(() => history.back())
      await page.locator('h1', { hasText: 'Catalogue' }).waitFor()
      await page.goto('${site.url}/views#lamp')`)
    const { json } = await service.call('POST', `/v2/interact/${id}/flow`, { name: 'to-and-fro' })
    await service.call('DELETE', `/v2/interact/${id}`)
    expect(json.steps.map(({ type }: { type: string }) => type)).toEqual([
      ...['open', 'click', 'click', 'back', 'forward', 'back', 'back', 'click', 'click', 'click', 'back', 'open'],
      'expect',
    ])
    expect(json.steps.at(-1)).toEqual({ type: 'expect', path: '/views#lamp', heading: 'Lamp' })
    const ran = (await service.call('POST', '/v2/flow/to-and-fro/run', {})).json
    expect(ran.error).toBeUndefined()
    expect(ran.warning).toBeUndefined()
    expect(ran.document.markdown).toMatch(
      /Catalogue Lamp Reviews Lamp Reviews Lamp Catalogue Lamp Catalogue Lamp Catalogue Lamp/,
    )
  })

  it('stops at the end of a run that ended on another page, and only warns where values may have led there', async () => {
    const open = { type: 'open', url: `${site.url}/views` }
    const end = { type: 'expect', path: '/views', heading: 'Catalogue' }
    let count = 0
    const run = async (steps: object[], parameters = {}, values = {}) => {
      const path = `/v2/flow/ends-${count++}`
      await service.call('PUT', path, { steps, parameters })
      return service.call('POST', `${path}/run`, { with: values })
    }
    const named = [{ ...open, url: `${site.url}/{{page}}` }, end]
    const beyondSteps = [...named, { type: 'click', target: lamp }, { type: 'click', target: reviews }, end]
    const [missed, moved, other, beyond] = await Promise.all([
      run([open, { type: 'click', target: lamp }, end]),
      run([open, { ...end, path: '/old/views' }]),
      run(named, { page: { default: 'views' } }, { page: 'orders' }),
      run(beyondSteps, { page: {} }, { page: 'views' }),
    ])
    expect(missed.status).toBe(422)
    expect(missed.json.code).toBe('FLOW_STEP_FAILED')
    expect(missed.json.error).toContain(
      'step 3 (expect): the run ended on /views#lamp "Lamp", the recording on /views "Catalogue"',
    )
    expect(missed.json.details.picture).toMatch(/^data:image/)
    // The page has moved, and is known by its heading.
    expect(moved.json).toMatchObject({ success: true, warning: expect.stringContaining('/old/views') })
    expect(other.json.success).toBe(true)
    expect(other.json.warning).toBeUndefined()
    expect(beyond.json).toMatchObject({ success: true, warning: expect.stringContaining('/views/reviews') })
  })
})
