// Installs the packages that package.json names here. Those under `unpacked` come without their dependencies: each is one node or loader of a
// large product, and needs none of what the product needs (flowise-components alone would bring over 1 GB).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Not below test/, where tools that read the project's own files would find them. */
const folder = join(import.meta.dirname, '../../node_modules/.integrations')

export function installIntegrations() {
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, name), join(folder, name))
  npm('ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  const { unpacked } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const downloads = mkdtempSync(join(tmpdir(), 'orb-integrations-'))
  try {
    for (const [release, integrity] of Object.entries(unpacked)) unpack(release, integrity, downloads)
  } finally {
    rmSync(downloads, { recursive: true })
  }
}

function unpack(release, integrity, downloads) {
  const [{ filename }] = JSON.parse(npm('pack', release, '--json', '--pack-destination', downloads, '--loglevel=error'))
  const file = join(downloads, filename)
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (found !== integrity) throw new Error(`${release} is ${found}, not ${integrity} of test/integrations/package.json`)
  const target = join(folder, 'node_modules', release.slice(0, release.lastIndexOf('@')))
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components=1'])
}

function npm(...args) {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
}
