// `npm run prove`: every figure we promise, measured at full size on this machine, written to docs/measured.md. Each part
// of the product has a module in bench/prove/ that measures its own rows, in a process of its own: what one part leaves in
// memory would be the collector's work in the figures of the next. Where a part measures only some of its groups
// (`PROVE_ROWS`), the other rows of its table stay.
import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

setUp()
const folder = join(root, 'bench/prove')
const wanted = process.argv.slice(2)
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => name.slice(0, -4))
  .sort()
const strangers = wanted.filter((name) => !known.includes(name))
if (strangers.length > 0) {
  console.error(`No part is called ${strangers.join(', ')}; there are ${known.join(', ')}.`)
  process.exit(2)
}
const file = join(root, 'docs/measured.md')
const fresh = []
let failed = 0
for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`proving ${name} …`)
  const { title, rows } = await measured(name)
  for (const { what, bar, measured, ok } of rows) {
    console.log(`${ok ? 'ok  ' : 'MISS'} ${what}: ${measured} (bar: ${bar})`)
    if (!ok) failed++
  }
  // What could not be measured here keeps the figures that it has.
  if (rows.length > 0) fresh.push({ title, rows })
}
// Read only now: another part may have been measured meanwhile.
const sections = knownSections()
for (const { title, rows } of fresh) {
  const table = rows.map(
    ({ what, bar, measured, ok }) => `| ${what} | ${bar} | ${measured} | ${ok ? 'yes' : '**no**'} |`,
  )
  if (process.env.PROVE_ROWS) keepOthers(table, sections.get(title))
  const when = `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores.`
  sections.set(title, [when, '', '| Figure | Target | Measured | Met |', '|---|---|---|---|', ...table].join('\n'))
}
const intro = `# Measured figures

<!-- Written by \`npm run prove\`; with names of parts it measures only those and keeps the rest. -->

Client, site and service share the machine. CPU seconds and ratios within a run are the reliable figures; a busy machine changes both by up to a fifth.

*Sealed* data was not read during development. *Cross-validated* figures come from pages that the evaluated model was not trained on. \`aeb\`, \`wceb\` and \`traf\` are public sets of labelled pages.`
const body = [...sections].map(([title, text]) => `## ${title}\n\n${text}`)
writeFileSync(file, `${[intro, ...body].join('\n\n')}\n`)
console.log('wrote docs/measured.md')
process.exit(failed === 0 ? 0 : 1)

function measured(name) {
  return new Promise((resolve, reject) => {
    const child = fork(join(root, 'scripts/prove-part.mjs'), [name])
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it had measured`)))
  })
}

/** Puts what was not measured now back in its place. */
function keepOthers(table, before = '') {
  const nameOf = (line) => line.slice(0, line.indexOf(' | '))
  const fresh = new Map(table.map((line) => [nameOf(line), line]))
  const old = before.split('\n').filter((line) => /^\| (?!Figure \|)/.test(line))
  const rows = old.map((line) => {
    const again = fresh.get(nameOf(line)) ?? line
    fresh.delete(nameOf(line))
    return again
  })
  table.splice(0, table.length, ...rows, ...fresh.values())
}

/** What was measured before, by title. */
function knownSections() {
  if (!existsSync(file)) return new Map()
  const parts = readFileSync(file, 'utf8').split(/^## /m).slice(1)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]))
}
