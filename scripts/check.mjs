// `npm run check`: format and lint, types, layers, circles, generated docs, and the fast tests. What CI would say, in a
// minute. `--without-tests` leaves the tests to `npm test`, as CI does.
import { spawnSync } from 'node:child_process'
import { root, setUp } from './setup.mjs'

setUp()
const node = (...args) => [process.execPath, ...args]
const steps = [
  ['format and lint', node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.')],
  ['types', node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')],
  ['types of page scripts', node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.pages.json')],
  ['types of the dashboard', node('node_modules/typescript/bin/tsc', '-p', 'dashboard/tsconfig.json')],
  ['programs of the sandbox', ['bash', 'scripts/testing/parse-programs.sh']],
  ['layers', node('scripts/layers.mjs')],
  ['exports', node('scripts/dead-exports.mjs')],
  ['docs', node('scripts/docs.mjs', '--check')],
  ['fast tests', node('node_modules/vitest/vitest.mjs', 'run', 'src')],
].slice(0, process.argv.includes('--without-tests') ? -1 : undefined)
for (const [name, [command, ...args]] of steps) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    console.error(`\ncheck: ${name} failed`)
    process.exit(1)
  }
}
console.log('\ncheck: all well')
