// One more capability costs one folder and one line. The real sources are copied, a toy capability is put beside the
// others, the line is added, and the built service is asked for the toy's job, event, price, restriction, table, open
// route and MCP card.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { request } from '../e2e/service.ts'
import { until } from '../e2e/waiting.ts'

const root = join(import.meta.dirname, '../..')
const KEY = 'fc-0123456789abcdef0123456789abcdef'

function projectWithToy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orb-toy-'))
  for (const name of [
    'src',
    'scripts',
    'dashboard',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['routes', 'store/index'])
    cpSync(join(root, `test/house/toy/${name}.txt`), join(folder, `src/capabilities/echo/${name}.ts`))
  const list = join(folder, 'src/capabilities/index.ts')
  // The one line, in its two halves: the import and the place in the list.
  writeFileSync(
    list,
    readFileSync(list, 'utf8')
      .replace('\nimport {', "\nimport { echo } from './echo/routes.ts'\nimport {")
      .replace('\n]', '\n  echo,\n]'),
  )
  return folder
}

/** Adds a program that opens the service's data with a clock that is a day ahead, and sweeps. */
function addSweep(folder: string): void {
  writeFileSync(
    join(folder, 'src/sweep-a-day-later.ts'),
    `import { silentLog } from './base/log.ts'
    import { ManualClock } from './base/clock.ts'
    import { storages } from './capabilities/index.ts'
    import { echoStore } from './capabilities/echo/store/index.ts'
    import { openStore } from './store/index.ts'
    const clock = new ManualClock(Date.now() + 86_400_000)
    const limits = { cacheMaxBytes: 1e9, cacheMaxAgeMs: 1e10 }
    const store = await openStore({ databaseUrl: undefined, dataDir: 'data', clock, log: silentLog, storages, ...limits })
    const before = await echoStore(store).words()
    await store.sweep()
    console.log(\`before [\${before}], after [\${await echoStore(store).words()}]\`)
    await store.close()`,
  )
  const bundle = join(folder, 'scripts/bundle.mjs')
  writeFileSync(bundle, readFileSync(bundle, 'utf8').replace("\n  'main',", "\n  'main',\n  'sweep-a-day-later',"))
}

it('a capability with all that one can have is one folder and one line', async () => {
  const folder = projectWithToy()
  addSweep(folder)
  // Bundled without a check of types: `npm run check` does that, and it costs more than all the rest.
  const built = spawnSync(process.execPath, ['scripts/bundle.mjs'], { cwd: folder, encoding: 'utf8' })
  expect(built.stderr).toBe('')
  const events: string[] = []
  const site = createServer((message, response) => {
    let body = ''
    message.on('data', (chunk) => {
      body += chunk
    })
    message.on('end', () => {
      if (message.method === 'POST') events.push(JSON.parse(body).type)
      response.setHeader('content-type', 'text/html').end('<main><h1>Echo</h1><p>A page with words in it.</p></main>')
    })
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const here = `127.0.0.1:${(site.address() as AddressInfo).port}`
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [join(folder, 'dist/main.js'), 'start'], {
    env: { PATH, HOME, ORB_PORT: '0', ORB_DATA_DIR: join(folder, 'data'), ORB_API_KEY: KEY, ORB_ALLOW_PRIVATE: here },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    await until(() => /http:\/\/localhost:\d+/.test(printed), 60_000)
    const [url = ''] = /http:\/\/localhost:\d+/.exec(printed) ?? []
    const call = (method: string, path: string, body?: object, key = KEY) =>
      request(url + path, method, body, { authorization: `Bearer ${key}` })

    const started = await call('POST', '/v2/echo', { url: `http://${here}/`, webhook: `http://${here}/hook` })
    expect(started.status).toBe(200)
    const path = `/v2/echo/${started.json.id}`
    await until(async () => (await call('GET', path)).json.status !== 'scraping')
    expect((await call('GET', path)).json).toMatchObject({
      completed: 1,
      creditsUsed: 1,
      data: [{ markdown: expect.stringContaining('Echo') }],
    })
    await until(() => new Set(events).size >= 3)
    expect(new Set(events)).toEqual(new Set(['echo.started', 'echo.page', 'echo.completed']))

    const { json: made } = await call('POST', '/v2/admin/keys', { name: 'only echoes', endpoints: ['echo'] })
    expect((await call('GET', path, undefined, made.key)).status).toBe(200)
    expect((await call('POST', '/v2/scrape', { url: `http://${here}/` }, made.key)).status).toBe(403)

    const { json: activity } = await call('GET', '/v2/team/activity?endpoint=echo')
    expect(activity.data).toHaveLength(1)
    const words = async () => (await fetch(`${url}/v2/echo-words`)).text()
    expect(await words()).toBe('echoed')
    const listed = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
    expect(await listed.text()).toContain('Echoes a page.')
    const { json: forgotten } = await call('POST', '/v2/admin/forget', { host: '127.0.0.1' })
    expect(forgotten.data.removed).toMatchObject({ echoes: 1 })
    expect(await words()).toBe('')
    const { json: api } = await call('GET', '/openapi.json')
    expect(Object.keys(api.paths)).toContain('/v2/echo/{id}/errors')
    await call('POST', '/v2/echo', { url: `http://${here}/` })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const swept = spawnSync(process.execPath, ['dist/sweep-a-day-later.js'], { cwd: folder, encoding: 'utf8' })
    expect(swept.stdout.trim(), swept.stderr).toBe('before [echoed], after []')
  } finally {
    child.kill('SIGKILL')
    site.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
