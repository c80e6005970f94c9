// `npm run prove`: every figure we promise, measured at full size on this machine, written to docs/measured.md. Each part
// of the product has a module in bench/prove/ that measures its own rows.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

setUp()
const folder = join(root, 'bench/prove')
const wanted = process.argv.slice(2)
const modules = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs'))
  .filter((name) => wanted.length === 0 || wanted.includes(name.slice(0, -4)))
  .sort()
const file = join(root, 'docs/measured.md')
const sections = knownSections()
let failed = 0
for (const name of modules) {
  console.log(`proving ${name.slice(0, -4)} …`)
  const { prove } = await import(join(folder, name))
  const { title, rows } = await prove()
  for (const { what, bar, measured, ok } of rows) {
    console.log(`${ok ? 'ok  ' : 'MISS'} ${what}: ${measured} (bar: ${bar})`)
    if (!ok) failed++
  }
  const table = rows.map(
    ({ what, bar, measured, ok }) => `| ${what} | ${bar} | ${measured} | ${ok ? 'yes' : '**no**'} |`,
  )
  const when = `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores.`
  sections.set(title, [when, '', '| What | Bar | Measured | Met |', '|---|---|---|---|', ...table].join('\n'))
}
const intro = `# Measured figures

<!-- Written by \`npm run prove\`; with names of parts it measures only those and keeps the rest. -->

Client, site and service share the machine. Trust CPU seconds and ratios within a run; a busy machine moves both by a fifth.`
const body = [...sections].map(([title, text]) => `## ${title}\n\n${text}`)
writeFileSync(file, `${[intro, ...body].join('\n\n')}\n`)
console.log('wrote docs/measured.md')
process.exit(failed === 0 ? 0 : 1)

/** What was measured before, by title. */
function knownSections() {
  if (!existsSync(file)) return new Map()
  const parts = readFileSync(file, 'utf8').split(/^## /m).slice(1)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]))
}
