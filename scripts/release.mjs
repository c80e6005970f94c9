// `npm run release -- 0.2.0`: a release of the checkout. Writes the version, closes the changelog's section, commits, tags, and
// packs the npm package into release/ with its SBOM and checksums. `--trial` does all but version, commit and tag; `--tagged`
// packs a version that is tagged already, as CI does. Publishes nothing: pushing the tag and `npm publish` are yours.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, stop } from './setup.mjs'

const UNRELEASED = '## Unreleased'
/** Longer notes are not read. */
const MOST_LINES = 60
const SECTIONS = ['Breaking', 'Upgrade notes', 'Added', 'Changed', 'Fixed', 'Security']

const version = process.argv.slice(2).find((one) => !one.startsWith('--')) ?? ''
const isTrial = process.argv.includes('--trial')
const isTagged = process.argv.includes('--tagged')
const isNew = !isTrial && !isTagged
const folder = join(root, 'release')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) stop('Which version? For example: npm run release -- 0.2.0')
if (isNew && git('status', '--porcelain') !== '') stop('Commit everything first.')
if (!isTagged && git('tag', '--list', `v${version}`) !== '') stop(`v${version} exists already.`)
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const notes = notesBelow(isTagged ? `## ${version} (` : UNRELEASED)

if (isNew) writeVersion()
const filename = packTwice()
copyFileSync(join(root, 'dist/sbom.cdx.json'), join(folder, 'sbom.cdx.json'))
writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`)
const sums = [filename, 'sbom.cdx.json'].map((name) => `${digestOf(join(folder, name))}  ${name}\n`)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
console.log(`release/ holds ${filename}, sbom.cdx.json, SHA256SUMS and NOTES.md. Two builds gave the same package.`)
if (isTrial) console.log(`A trial: nothing was committed or tagged as ${version}.`)
if (isNew) {
  git('commit', '-am', `chore(release): ${version}`)
  // Signed if git is set up to sign (tag.gpgSign).
  git('tag', '-a', `v${version}`, '-m', `${version}\n\n${notes}`)
  console.log(`Tagged v${version}. Now: git push --follow-tags, and npm publish release/${filename}`)
}

/** The notes below a heading of the changelog, if they can be released. */
function notesBelow(heading) {
  const at = changelog.indexOf(heading)
  const below = at === -1 ? '' : changelog.slice(changelog.indexOf('\n', at))
  const notes = below.split(/^## /m, 1)[0].trim()
  const lines = notes.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) stop(`CHANGELOG.md has nothing below “${heading}”.`)
  if (lines.length > MOST_LINES)
    stop(
      `The notes have ${lines.length} lines; at most ${MOST_LINES} are allowed: merge or remove some in CHANGELOG.md.`,
    )
  const strange = lines.filter((line) => line.startsWith('### ') && !SECTIONS.includes(line.slice(4)))
  if (strange.length > 0) stop(`CHANGELOG.md: ${strange.join(', ')}. Sections are ${SECTIONS.join(', ')}.`)
  return notes
}

/** Writes the version into the changelog, the package, the chart and the generated docs. */
function writeVersion() {
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(join(root, 'CHANGELOG.md'), changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} (${today})`))
  const bump = ['version', version, '--no-git-tag-version', '--allow-same-version']
  execFileSync('npm', bump, { cwd: root, stdio: 'ignore' })
  const chart = join(root, 'deploy/helm/orbweaver/Chart.yaml')
  const chartText = readFileSync(chart, 'utf8')
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`)
  writeFileSync(chart, chartText)
  execFileSync(process.execPath, [join(root, 'scripts/docs.mjs')], { cwd: root, stdio: 'inherit' })
}

/** Builds and packs from nothing two times; a package that differs could not be verified by others. Returns its name. */
function packTwice() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const [first, second] = [pack(), pack()]
  if (first.digest !== second.digest)
    stop('Two builds gave different packages: compare dist/ of both, and make the build repeatable.')
  return second.filename
}

function pack() {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' })
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const packed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ filename }] = JSON.parse(packed)
  return { filename, digest: digestOf(join(folder, filename)) }
}

function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
