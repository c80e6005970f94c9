// kill -9 of `orb sync` and of the service during its crawl, in turn. After each kill a run to the end must leave the folder
// and the index as the site is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/setup.mjs'
import { sleep } from '../../process.mjs'
import { startChangingSite } from './changing-site.mjs'
import { KEY, newFolder, startOrb } from './jobs-context.mjs'

/** An index in one file, which is replaced whole as a database would do it. */
const INDEX = `
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
const [, , file] = process.argv
const index = new Map(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])
let text = ''
for await (const piece of process.stdin) text += piece
for (const line of text.split('\\n').filter(Boolean).map((one) => JSON.parse(one)))
  if (line.op === 'upsert') index.set(line.id, { url: line.url, text: line.text })
  else for (const [id, { url }] of index) if (url === line.url && !line.except?.includes(id)) index.delete(id)
writeFileSync(file + '.new', JSON.stringify([...index]))
renameSync(file + '.new', file)
`

export async function syncKills({ kills, pages, seed = 7 }) {
  const work = newFolder()
  const [folder, index, command] = ['folder', 'index.json', 'index.mjs'].map((name) => join(work, name))
  writeFileSync(command, INDEX)
  const site = await startChangingSite({ pages, seed, troubleShare: 0 })
  const dataDir = newFolder()
  const start = () =>
    startOrb({ ports: [site.port], dataDir, env: { ORB_SEARCH_PROVIDERS: 'none', ORB_CONCURRENCY: '8' } })
  let service = await start()
  const sync = () => {
    const to = `node ${command} ${index}`
    const args = [join(root, 'dist/main.js'), 'sync', `${site.url}/`, folder, '--delete', '--to', to]
    const env = { ...process.env, ORB_URL: service.url, ORB_API_KEY: KEY }
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
    let said = ''
    child.stderr.on('data', (piece) => (said += piece))
    return { child, ended: once(child, 'exit').then(([code]) => ({ code, said })) }
  }
  const faults = []
  const whole = async () => {
    const { code, said } = await sync().ended
    if (code !== 0) faults.push(`a run ended with ${code}: ${said.slice(-300)}`)
  }
  try {
    await whole()
    for (let kill = 0; kill < kills; kill++) {
      site.day()
      const run = sync()
      await sleep(300 + Math.random() * 2500)
      if (kill % 2 === 0) run.child.kill('SIGKILL')
      else {
        await service.end('SIGKILL')
        service = await start()
      }
      await run.ended
      // A redirect is believed the second time.
      await whole()
      await whole()
      const found = faultsOf(site, folder, index).map((fault) => `after kill ${kill + 1}: ${fault}`)
      console.log(`  kill ${kill + 1} of ${kill % 2 === 0 ? '`orb sync`' : 'the service'}: ${found.length} faults`)
      faults.push(...found)
    }
  } finally {
    await service.stop()
    await site.close()
    rmSync(work, { recursive: true, force: true })
  }
  return faults
}

function faultsOf(site, folder, index) {
  const faults = []
  const live = new Map(site.texts().map(([path, text]) => [`${site.url}${path}`, text]))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const kept = new Map()
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8')
    kept.set(/^url: "(.*)"$/m.exec(text)?.[1], text)
  }
  const chunks = new Map()
  for (const [, { url, text }] of existsSync(index) ? JSON.parse(readFileSync(index, 'utf8')) : [])
    chunks.set(url, `${chunks.get(url) ?? ''}\n${text}`)
  for (const [name, all] of [
    ['file', kept],
    ['chunks', chunks],
  ]) {
    for (const [url, text] of live)
      if (!site.isTroubled(new URL(url).pathname) && !text.every((line) => all.get(url)?.includes(line)))
        faults.push(`${name} of ${url} ${all.has(url) ? 'are old' : 'are missing'}`)
    for (const url of all.keys())
      if (!live.has(url) && new URL(url).pathname !== '/') faults.push(`${name} of ${url}, which is gone`)
  }
  return faults
}
