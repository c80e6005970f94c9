#!/usr/bin/env node
// `npx orbweaver`: the service, ready to use; with words behind it, the same commands as `orb`. A machine without a browser
// gets one in the background, tried once for each version: what needs no browser works at once.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ready } from './ready.mjs'

const isStart = process.argv.length < 3 || process.argv[2] === 'start'
if (isStart) process.stderr.write('Orbweaver is starting …\n')
await ready()
if (process.argv.length < 3) process.argv.push('start')
if (isStart && !process.env.ORB_CHROMIUM && !process.env.ORB_BROWSER_ENDPOINTS) setTimeout(getBrowser, 2000).unref()
await import('../dist/main.js')

async function getBrowser() {
  const cache = join(homedir(), '.cache', 'orbweaver')
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const tried = join(cache, `browser-tried-${version}`)
  if (existsSync(tried)) return
  const say = (line) => process.stderr.write(`${line}\n`)
  const { downloadBrowser: obtainBrowser } = await import('../dist/fetch/open-browser-services.js')
  const dataDir = resolve(process.env.ORB_DATA_DIR ?? 'data')
  await obtainBrowser(undefined, dataDir, say, AbortSignal.timeout(600_000)).catch(({ message }) =>
    say(`Rendering pages does not work: ${message}. Everything else does. \`npx orbweaver browser\` tries again.`),
  )
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    writeFileSync(tried, '')
  } catch {
    // A home that cannot be written: the next start looks again.
  }
}
