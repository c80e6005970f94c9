// `npm test`: set-up when needed, then the whole suite. Ends with one plain line that counts the tests.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, setUpWithBrowser } from './setup.mjs'

await setUpWithBrowser()
const folder = mkdtempSync(join(tmpdir(), 'orb-test-'))
const report = join(folder, 'report.json')
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ].concat(process.argv.slice(2)),
  { cwd: root, stdio: 'inherit' },
)
const counts = readCounts()
rmSync(folder, { recursive: true, force: true })
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(status ?? 1)

function readCounts() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  } catch {
    // The runner did not get as far as its report; its own words are above.
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
