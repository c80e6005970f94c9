// `npm run prove`: every figure we promise, measured at full size on this machine, written to docs/measured.md. Each part
// of the product has a module in bench/prove/ that measures its own rows.
import { readdirSync, writeFileSync } from 'node:fs'
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
const sections = []
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
  sections.push([`## ${title}`, '', '| What | Bar | Measured | Met |', '|---|---|---|---|', ...table].join('\n'))
}
if (wanted.length === 0) {
  const intro = [
    '# Measured figures',
    '',
    '<!-- Written by `npm run prove`. -->',
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${cpus().length} cores, shared with the client and the site under test. Trust CPU seconds and ratios within a run; a busy machine moves both by a fifth.`,
  ].join('\n')
  writeFileSync(join(root, 'docs/measured.md'), `${[intro, ...sections].join('\n\n')}\n`)
  console.log('wrote docs/measured.md')
}
process.exit(failed === 0 ? 0 : 1)
