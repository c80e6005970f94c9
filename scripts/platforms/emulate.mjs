// The built service on the processor that this machine does not have: Node of that processor from the registry, C libraries
// and QEMU's user-mode emulator from Debian, all unpacked into a temporary folder (no root needed, nothing is installed).
// Start, one static scrape, one PDF, one crawl, SIGTERM. Emulation is twenty times slower: this takes minutes.
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { readyUrl } from './package.mjs'

const OTHER =
  process.arch === 'arm64'
    ? { cpu: 'x64', debian: 'amd64', qemu: 'x86_64' }
    : { cpu: 'arm64', debian: 'arm64', qemu: 'aarch64' }
const NODE = '20.20.2'

export async function emulate() {
  if (process.platform !== 'linux') throw new Error('emulation needs a Linux')
  const folder = mkdtempSync(join(tmpdir(), 'orb-emulate-'))
  try {
    const node = emulatedNode(folder)
    const home = join(folder, 'service')
    mkdirSync(home)
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(home, file))
    cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true })
    const npm = [
      'ci',
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel=error',
    ]
    run('npm', [...npm, '--os=linux', `--cpu=${OTHER.cpu}`, '--libc=glibc'], home)
    return await exercise(node, home)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(command, args, cwd, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', ...options })
  if (status !== 0)
    throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
  return stdout.trim()
}

/** A script that runs Node of the other processor. It stands for `process.execPath` too, so that children are emulated as well. */
function emulatedNode(folder) {
  const apt = join(folder, 'apt')
  for (const path of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, path), { recursive: true })
  writeFileSync(join(apt, 'status'), '')
  // Lists and packages of its own: what the machine has installed, and its architectures, stay as they are.
  const own = [
    `Dir::State=${apt}/state`,
    `Dir::State::status=${apt}/status`,
    `Dir::Cache=${apt}/cache`,
    `APT::Sandbox::User=${process.env.USER ?? 'root'}`,
  ]
  const other = [...own, `APT::Architecture=${OTHER.debian}`, `APT::Architectures=${OTHER.debian}`]
  const aptGet = (settings, ...args) =>
    run('apt-get', [...settings.flatMap((setting) => ['-o', setting]), '-qq', ...args], apt)
  aptGet(other, 'update')
  aptGet(other, 'download', 'libc6', 'libgcc-s1', 'libstdc++6')
  const sysroot = join(folder, 'sysroot')
  for (const deb of debsIn(apt)) run('dpkg-deb', ['-x', deb, sysroot])
  for (const deb of debsIn(apt)) rmSync(deb)
  aptGet(own, 'update')
  aptGet(own, 'download', 'qemu-user-static')
  for (const deb of debsIn(apt)) run('dpkg-deb', ['-x', deb, join(folder, 'host')])
  run('npm', ['pack', '--silent', `node-linux-${OTHER.cpu}@${NODE}`], folder)
  const tarball = readdirSync(folder).find((name) => name.startsWith('node-linux-'))
  run('tar', ['xzf', tarball], folder)
  const qemu = join(folder, 'host/usr/bin', `qemu-${OTHER.qemu}-static`)
  const node = join(folder, 'node')
  const preload = join(folder, 'preload.mjs')
  writeFileSync(preload, `process.execPath = ${JSON.stringify(node)}\n`)
  writeFileSync(
    node,
    `#!/bin/sh\nexec ${qemu} -L ${sysroot} ${join(folder, 'package/bin/node')} --import ${preload} "$@"\n`,
    { mode: 0o755 },
  )
  const arch = run(node, ['-p', 'process.arch'])
  if (arch !== OTHER.cpu) throw new Error(`the emulated Node says it is ${arch}`)
  return node
}

const debsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(folder, name))

async function exercise(node, home) {
  const { letter } = await import('../../test/documents/pdfs.mjs')
  const pdf = Buffer.from(await letter())
  const site = createServer(({ url }, response) => {
    const isPdf = url === '/letter.pdf'
    response.setHeader('content-type', isPdf ? 'application/pdf' : 'text/html; charset=utf-8')
    if (isPdf) return response.end(pdf)
    const links = url === '/' ? ['/one', '/two'].map((path) => `<a href="${path}">${path}</a>`).join(' ') : ''
    response.end(
      `<html><title>Page ${url}</title><body><main><h1>Page ${url}</h1><p>Some words that are read. ${links}</p></main></body></html>`,
    )
  })
  await new Promise((done) => site.listen(0, '127.0.0.1', done))
  const at = `http://127.0.0.1:${site.address().port}`
  const env = {
    ...process.env,
    ORB_PORT: '0',
    ORB_AUTH: 'off',
    ORB_DATA_DIR: join(home, 'data'),
    ORB_ALLOW_PRIVATE: `127.0.0.1:${site.address().port}`,
    ORB_LOG_LEVEL: 'warn',
  }
  const began = performance.now()
  const lines = []
  const tell = (what) => lines.push(`${what} (${((performance.now() - began) / 1000).toFixed(0)} s)`)
  const service = spawn(node, [join(home, 'dist/main.js'), 'start'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  service.readyMs = 600_000
  try {
    const base = await readyUrl(service)
    tell(`linux-${OTHER.cpu}: ready`)
    const ask = async (path, body) => {
      const answer = await fetch(
        base + path,
        body ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {},
      )
      return answer.json()
    }
    const page = await ask('/v2/scrape', { url: `${at}/one`, formats: ['markdown'], timeout: 250_000 })
    if (!page.data?.markdown?.includes('Page /one'))
      throw new Error(`the scrape said ${JSON.stringify(page).slice(0, 300)}`)
    tell('a page scraped')
    const file = await ask('/v2/scrape', { url: `${at}/letter.pdf`, formats: ['markdown'], timeout: 250_000 })
    if (!(file.data?.metadata?.numPages > 0)) throw new Error(`the PDF said ${JSON.stringify(file).slice(0, 300)}`)
    tell('a PDF read')
    const { id } = await ask('/v2/crawl', { url: `${at}/`, limit: 3 })
    for (let tries = 0; tries < 200; tries++) {
      const { status, completed } = await ask(`/v2/crawl/${id}`)
      if (status === 'completed') {
        if (completed !== 3) throw new Error(`the crawl ended with ${completed} pages`)
        break
      }
      if (status === 'failed' || tries === 199) throw new Error(`the crawl is ${status}`)
      await new Promise((done) => setTimeout(done, 1000))
    }
    tell('three pages crawled')
    const { status, why, notes } = await ask('/health')
    lines.push(`/health: ${[status, ...(why ?? []), ...(notes ?? [])].join('; ')}`)
  } finally {
    service.kill('SIGTERM')
  }
  const code = await new Promise((done) => service.once('exit', done))
  site.close()
  if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`)
  tell('SIGTERM: ended well')
  return lines
}
