// `npm test`: set-up when needed, then the whole suite. Ends with one plain line that counts the tests. In CI a test that
// is skipped is a failure, unless the list below says why it may be.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, setUpWithBrowser } from './setup.mjs'

/** Tests that CI may skip: what their names and files match, and why. */
export const maySkip = [
  { file: /^test\/eval\//, name: /skipped: |skipped where /, because: 'the shared kits lie beside the repository' },
  { file: /^src\/jobs\/queues/, name: /one of two processes/, because: 'SQLite serves one process' },
  { file: /^test\/e2e\/command-line/, name: /flags in (?:zsh|fish)/, because: 'shells that CI has not installed' },
  { file: /^test\/e2e\/sandbox/, name: /^hostile code/, because: 'CI may not be able to install bubblewrap' },
  {
    file: /^test\/e2e\/full-disk/,
    name: /where none can be mounted/,
    because: 'a small disk takes the right to mount one',
  },
  { file: /./, name: /PostgreSQL/, because: 'it is Debian’s: where apt cannot bring it, SQLite is tested alone' },
  { file: /^test\/documents\/readers/, name: /where LibreOffice is/, because: 'too large to install for one test' },
]

/** The skipped tests of a report that nobody allowed, as sentences. */
export function strangeSkips(report) {
  return report.testResults.flatMap(({ name: path, assertionResults }) => {
    const file = path.slice(root.length + 1)
    return assertionResults
      .filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo')
      .filter(({ fullName }) => !maySkip.some((one) => one.file.test(file) && one.name.test(fullName)))
      .map(({ fullName }) => `${file}: ${fullName}`)
  })
}

if (process.argv[1] === import.meta.filename) {
  await setUpWithBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'orb-test-'))
  const file = join(folder, 'report.json')
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ].concat(process.argv.slice(2)),
    { cwd: root, stdio: 'inherit' },
  )
  const report = read(file)
  rmSync(folder, { recursive: true, force: true })
  const strange = process.env.CI && report ? strangeSkips(report) : []
  for (const test of strange) console.error(`skipped in CI, and no reason is listed in scripts/test.mjs: ${test}`)
  const { passed, failed, skipped } = countsOf(report)
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exit(status || strange.length === 0 ? (status ?? 1) : 1)
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The runner did not get as far as its report; its own words are above.
    return undefined
  }
}

function countsOf(report) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}
