// `npm run release -- 0.2.0`: a release of the checkout. Writes the version, closes the changelog's section, commits, tags, packs
// the npm package and writes its checksums into release/. Publishes nothing: pushing the tag and `npm publish` are yours.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, stop } from './setup.mjs'

const UNRELEASED = '## Unreleased'
const version = process.argv[2] ?? ''
const isTrial = process.argv.includes('--trial')

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) stop('Say which version: npm run release -- 0.2.0')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
if (!isTrial && git('status', '--porcelain') !== '') stop('Commit everything first.')
if (git('tag', '--list', `v${version}`) !== '') stop(`v${version} exists already.`)

const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const notes = section(changelog)
if (notes === '') stop('CHANGELOG.md has nothing under “Unreleased”.')
if (isTrial) {
  console.log(`Would release ${version} with these notes:\n\n${notes}`)
  process.exit(0)
}

const today = new Date().toISOString().slice(0, 10)
writeFileSync(join(root, 'CHANGELOG.md'), changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} (${today})`))
execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], {
  cwd: root,
  stdio: 'ignore',
})
const chart = join(root, 'deploy/helm/orbweaver/Chart.yaml')
writeFileSync(
  chart,
  readFileSync(chart, 'utf8')
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`),
)
execFileSync(process.execPath, [join(root, 'scripts/docs.mjs')], { cwd: root, stdio: 'inherit' })
git('commit', '-am', `chore(release): ${version}`)
git('tag', '-a', `v${version}`, '-m', `${version}\n\n${notes}`)

const folder = join(root, 'release')
mkdirSync(folder, { recursive: true })
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, encoding: 'utf8' })
const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('[')))
const sum = createHash('sha256')
  .update(readFileSync(join(folder, filename)))
  .digest('hex')
writeFileSync(join(folder, 'SHA256SUMS'), `${sum}  ${filename}\n`)
writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`)
console.log(`Tagged v${version}. release/ holds ${filename}, SHA256SUMS and NOTES.md.`)
console.log(`Now: git push --follow-tags, and npm publish release/${filename}`)

/** What stands under “Unreleased”. */
function section(text) {
  const from = text.indexOf(UNRELEASED)
  if (from === -1) return ''
  const rest = text.slice(from + UNRELEASED.length)
  const to = rest.search(/^## /m)
  return (to === -1 ? rest : rest.slice(0, to)).trim()
}
