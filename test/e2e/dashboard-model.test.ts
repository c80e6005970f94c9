// The model of the service on the dashboard: set without a restart, its key sealed, tested on a page of the zoo; the built page
// in a real Chromium.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, startModel } from '../model/server.ts'
import { dashboardContext, lookAt } from './dashboard-page.ts'

const KEY = 'sk-of-the-model-0123456789'
const { service, at } = dashboardContext({ env: () => ({ ORB_LLM_LOCAL: 'off' }) })
let model: ModelServer
beforeAll(async () => {
  model = await startModel(() => '{"title":"A page of the zoo"}', { data: [{ id: 'tiny', max_model_len: 16_384 }] })
})
afterAll(() => model.close())

describe('on the dashboard', () => {
  it('a model is set, tested on a page of the zoo, and taken away again, without a restart', async () => {
    const page = await at('model')
    await page.getByText('none is set').waitFor()
    await page.getByLabel('Address', { exact: true }).fill(model.url)
    await page.getByLabel('Model', { exact: true }).fill('tiny')
    await page.getByLabel('Key', { exact: true }).fill(KEY)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText('set here').waitFor()
    await page.getByText('16,384').waitFor()
    await page.getByRole('button', { name: 'Read a page of the zoo' }).click()
    await page.getByText(/^Succeeded in .*100 tokens read, 20 written\.$/).waitFor()
    const asked = page.getByRole('region', { name: 'Prompt for the model' })
    await asked.getByText('You read data from one web page').waitFor()
    await page.getByRole('region', { name: 'Response of the model' }).getByText('A page of the zoo').waitFor()
    expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(await lookAt(page, 'model')).toEqual([])
    // What pages are asked goes to it from now on, and its key is nowhere to be read.
    const { json } = await service.call('GET', '/v2/admin/model')
    expect(json.data).toMatchObject({ from: 'dashboard', url: model.url, model: 'tiny', hasKey: true })
    expect(JSON.stringify(json)).not.toContain(KEY)
    const files = readdirSync(service.dataDir, { withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { name } of files) expect(readFileSync(join(service.dataDir, name)).includes(KEY), name).toBe(false)
    await page.getByRole('button', { name: 'Stop using it' }).click()
    await page.getByText('none is set').waitFor()
    expect((await service.call('POST', '/v2/admin/model/test', { text: 'x' })).status).toBe(409)
  })
})
