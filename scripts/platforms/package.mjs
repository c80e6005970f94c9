// The packed tarball, installed by npm into an empty folder as a stranger would, and started: how large, how long to ready.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../setup.mjs'

const READY_MS = 120_000

export async function startPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'orb-npx-'))
  try {
    const npm = (...args) => {
      const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
      if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr.trim().split('\n').slice(0, 3).join(' ')}`)
      return stdout
    }
    const packed = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    })
    const [{ filename, unpackedSize }] = JSON.parse(packed.stdout)
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const began = performance.now()
    npm('install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', join(folder, filename))
    const installed = performance.now()
    const service = spawn(join(folder, 'node_modules/.bin/orbweaver'), [], {
      cwd: folder,
      env: { ...process.env, ORB_PORT: '0', ORB_AUTH: 'off', ORB_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const url = await readyUrl(service)
    const ready = performance.now()
    const { status, notes } = await (await fetch(`${url}/health`)).json()
    service.kill('SIGTERM')
    const code = await new Promise((done) => service.once('exit', done))
    if (code !== 0) throw new Error(`it ended with ${code}`)
    const kb = Number(
      spawnSync('du', ['-sk', join(folder, 'node_modules')], { encoding: 'utf8' }).stdout.split('\t')[0],
    )
    const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
    return [
      `${Math.round(kb / 1024)} MB installed, ${(unpackedSize / 1e6).toFixed(1)} MB of them our own`,
      `npm install ${seconds(installed - began)}, from there to ready ${seconds(ready - installed)}`,
      `/health: ${[status, ...(notes ?? [])].join('; ')}`,
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The address that a starting service prints. */
export function readyUrl(service) {
  return new Promise((found, failed) => {
    let said = ''
    const timer = setTimeout(() => failed(new Error(`not ready in time: ${said}`)), service.readyMs ?? READY_MS)
    service.stdout.on('data', (chunk) => {
      said += chunk
      const [, port] = /http:\/\/localhost:(\d+)/.exec(said) ?? []
      if (!port) return
      clearTimeout(timer)
      found(`http://127.0.0.1:${port}`)
    })
    service.once('exit', (code) => failed(new Error(`it ended with ${code}: ${said}`)))
  })
}
