// `npm test`: set-up when needed, then the first tier, then the tests of the quarantine list apart. Ends with one plain line
// that counts the tests, and its exit status is that line's. `--quick` runs what starts no service and takes seconds,
// `--soak` the second tier (`--changed`: only what changes since the previous landing concern), `--record` writes
// test/durations.json; other arguments go to vitest. All that the tests write lies in one folder, which is removed; a process
// that they leave behind is a failure.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setUp, setUpWithBrowser } from './setup.mjs'
import { cpuSeconds } from './testing/cpu.mjs'
import { remainingProcesses } from './testing/processes.mjs'
import { changedPaths, soakFilesFor, soakFilesWithin, soakSubjects } from './testing/soak.mjs'

/** Tests that CI may skip: what their names and files match, and why. */
export const maySkip = [
  { file: /^src\/jobs\/queues/, name: /one of two processes/, because: 'SQLite serves one process' },
  { file: /^test\/e2e\/command-line/, name: /flags in (?:zsh|fish)/, because: 'shells that CI has not installed' },
  { file: /^test\/e2e\/sandbox/, name: /^hostile code/, because: 'CI may not be able to install bubblewrap' },
  {
    file: /^test\/soak\/full-disk/,
    name: /where none can be mounted/,
    because: 'a small disk takes the right to mount one',
  },
  { file: /^test\/e2e\/browser-marks/, name: /^headful/, because: 'CI may have no full Chromium or no Xvfb' },
  { file: /^test\/e2e\/recipes/, name: /in Python$/, because: 'Python and its packages may not be installed' },
  { file: /^test\/documents\/readers/, name: /where LibreOffice is/, because: 'too large to install for one test' },
]

/** Folders whose tests start no service: `npm run test:quick`, which starts PostgreSQL in CI only. */
const QUICK = ['src', 'test/dashboard', 'test/agent', 'test/documents']
/** Files that took longer when they were last recorded are left to `npm test`: eight of them took half the time of all. */
const QUICK_FILE_SECONDS = 8
const OWN_FLAGS = ['--quick', '--soak', '--changed', '--record']
const MOST_QUARANTINED = 10
const QUARANTINE_RUNS = 3
const SLOWEST = 10
const LEAVE_MS = 10_000

const isQuarantined = (list, file, name) => list.some((one) => one.file === file && one.test === name)

/** The skipped tests of a report that neither list allows, as sentences. */
export function unexpectedSkips({ files }, quarantine = []) {
  return files.flatMap(({ file, tests }) =>
    tests
      .filter(({ state }) => state === 'skipped')
      .filter(({ name }) => !maySkip.some((one) => one.file.test(file) && one.name.test(name)))
      .filter(({ name }) => !isQuarantined(quarantine, file, name))
      .map(({ name }) => `${file}: ${name}`),
  )
}

/** Passed, failed and skipped tests; what failed outside of a test counts as one. Quarantined tests are counted apart. */
export function countsOf(report, quarantine = []) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const counts = { passed: 0, failed: report.errors, skipped: 0 }
  for (const { file, tests, errors } of report.files) {
    counts.failed += errors
    for (const { name, state } of tests) {
      if (state === 'skipped' && isQuarantined(quarantine, file, name)) continue
      counts[state === 'passed' ? 'passed' : state === 'skipped' ? 'skipped' : 'failed'] += 1
    }
  }
  return counts
}

/** How often each quarantined test passed; one that never did is a failure, as is one that no file has. */
export function quarantineRates(reports, quarantine) {
  return quarantine.map((one) => {
    const states = reports.flatMap((report) =>
      (report?.files ?? [])
        .filter(({ file }) => file === one.file)
        .flatMap(({ tests }) => tests.filter(({ name }) => name === one.test).map(({ state }) => state)),
    )
    return { ...one, runs: states.length, passed: states.filter((state) => state === 'passed').length }
  })
}

if (process.argv[1] === import.meta.filename) process.exit(await main(process.argv.slice(2)))

async function main(given) {
  const began = performance.now()
  const quick = given.includes('--quick')
  const args = given.filter((one) => !OWN_FLAGS.includes(one))
  const soakFiles = given.includes('--soak') ? listSoakFiles(given.includes('--changed')) : undefined
  if (soakFiles?.length === 0) {
    console.log('The second tier is left out: nothing that it is about has changed. CI_SOAK=1 runs it.')
    return 0
  }
  const quarantine = JSON.parse(readFileSync(join(root, 'test/quarantine.json'), 'utf8'))
  if (quarantine.length > MOST_QUARANTINED) {
    console.error(`test/quarantine.json names ${quarantine.length} tests; at most ${MOST_QUARANTINED} may be there.`)
    return 1
  }
  if (quick) setUp()
  else await setUpWithBrowser()
  if (!quick) console.log(`Browser: ${await browserLine()}`)
  const folder = mkdtempSync(join(tmpdir(), 'orb-test-'))
  // PostgreSQL runs as a user of its own, below this folder.
  chmodSync(folder, 0o711)
  // Tests without services hardly wait: each worker more than these only reads all modules once more.
  const own = quick
    ? [...QUICK, ...longFiles().map((file) => `--exclude=${file}`), `--maxWorkers=${availableParallelism() + 1}`]
    : []
  const files = args.some((one) => !one.startsWith('-')) ? [] : (soakFiles ?? [])
  const report = await run([...own, ...files, ...args], folder, {
    quarantine: 'out',
    quick,
    soak: soakFiles !== undefined,
  })
  // A run of some files only is somebody's at work on them.
  const apart = quick || soakFiles || args.some((one) => !one.startsWith('-')) ? [] : quarantine
  const again = []
  if (apart.length > 0)
    for (let n = 0; n < QUARANTINE_RUNS; n += 1)
      again.push(await run([...new Set(apart.map(({ file }) => file)), '--silent'], folder, { quarantine: 'only' }))
  if (given.includes('--record') && report) record(report, soakFiles ? 'soak ' : '')
  const left = await remainingProcesses(folder, LEAVE_MS)
  const shared = sharedServiceSeconds(folder)
  for (const { pid } of left) process.kill(pid, 'SIGKILL')
  return conclude({
    report,
    quarantine,
    again,
    apart,
    left: [...left.map(commandOf), ...removed(folder)],
    began,
    shared,
  })
}

/** All of the second tier, or within a budget of time what the changes since the previous landing concern. */
function listSoakFiles(changedOnly) {
  if (!changedOnly || process.env.CI_SOAK) return Object.keys(soakSubjects)
  const changed = changedPaths()
  const { kept, leftOut } = soakFilesWithin(
    changed ? soakFilesFor(changed) : Object.keys(soakSubjects),
    readDurations(),
  )
  for (const file of leftOut) console.log(`left out, the budget of CI is used up (CI_SOAK=1 runs all): ${file}`)
  return kept
}

/** What the quick run leaves out, printed. */
function longFiles() {
  const files = Object.entries(readDurations())
    .filter(([file, seconds]) => seconds > QUICK_FILE_SECONDS && QUICK.some((folder) => file.startsWith(`${folder}/`)))
    .map(([file]) => file)
  if (files.length > 0) console.log(`Left to \`npm test\`, over ${QUICK_FILE_SECONDS} s each: ${files.join(', ')}`)
  return files
}

// A declaration: the command above runs before the lines below are reached.
function readDurations() {
  return JSON.parse(readFileSync(join(root, 'test/durations.json'), 'utf8'))
}

/** Keeps the seconds of each file, by which vitest.config.ts orders them; files that did not run keep theirs. */
function record({ files }, tier) {
  const known = readDurations()
  // Files that start services are all recorded: one that is unknown is taken for a long one.
  for (const { file, seconds } of files)
    known[tier + file] = Math.max(Math.round(seconds), file.startsWith('test/e2e/') ? 1 : 0)
  const worth = Object.entries(known).filter(
    ([name, seconds]) => seconds > 0 && existsSync(join(root, name.replace(/^soak /, ''))),
  )
  writeFileSync(
    join(root, 'test/durations.json'),
    `${JSON.stringify(Object.fromEntries(worth.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`,
  )
}

/** Prints what came of it; returns the exit status. */
function conclude({ report, quarantine, again, apart, left, began, shared }) {
  const { passed, failed, skipped } = countsOf(report, quarantine)
  const skips = process.env.CI && report ? unexpectedSkips(report, quarantine) : []
  for (const one of skips) console.error(`skipped in CI, and no reason is listed in scripts/test.mjs: ${one}`)
  for (const one of left) console.error(`left behind by the tests: ${one}`)
  const rates = quarantineRates(again, apart)
  for (const one of rates)
    console.log(
      `quarantine: passed ${one.passed} of ${one.runs}: ${one.file}: ${one.test} (since ${one.since}: ${one.reason})`,
    )
  const lost = rates.filter((one) => one.passed === 0).length
  for (const [title, by] of [
    ['Slowest files', 'seconds'],
    ['Most CPU, without services that files share', 'cpuSeconds'],
  ]) {
    const first = [...(report?.files ?? [])].sort((a, b) => b[by] - a[by]).slice(0, SLOWEST)
    console.log(`\n${title}:\n${first.map(lineOf).join('\n')}`)
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  console.log(`\n${minutes} minutes, ${Math.round(cpuSeconds() + shared)} s of CPU`)
  const allFailed = failed + lost + skips.length + left.length
  console.log(`\n${passed + rates.length - lost} passed, ${allFailed} failed, ${skipped - skips.length} skipped`)
  return allFailed === 0 ? 0 : 1
}

/** CPU seconds of the services that files shared: they end after the process that started them (test/e2e/shared.ts). */
function sharedServiceSeconds(folder) {
  const files = readdirSync(folder).filter((name) => name.startsWith('orb-shared-cpu-'))
  const times = files.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/(\d+)m([\d.]+)s/g)])
  return times.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0)
}

function lineOf({ file, seconds, cpuSeconds: cpu }) {
  return `${seconds.toFixed(1).padStart(7)} s ${cpu.toFixed(1).padStart(7)} s of CPU  ${file}`
}

function commandOf({ pid, command }) {
  return `process ${pid} ${command.slice(0, 200)}`
}

/** Removes the folder; what cannot be removed, such as a disk that is still mounted there, is left behind. */
function removed(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    return []
  } catch ({ message }) {
    return [message]
  }
}

/** Runs vitest; its report, or nothing when it did not get that far. */
async function run(args, folder, { quarantine, quick = false, soak = false }) {
  const file = join(folder, 'report.json')
  rmSync(file, { force: true })
  // Modules that did not change since the last run are taken from node_modules, ready to run.
  const vitest = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--experimental.fsModuleCache',
  ]
  const child = spawn(
    process.execPath,
    [...vitest, `--reporter=${join(root, 'scripts/testing/report.mjs')}`, ...args],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        TMPDIR: folder,
        ORB_TEST_REPORT_FILE: file,
        ORB_TEST_QUARANTINE: quarantine,
        ORB_TEST_SOAK: soak ? 'on' : 'off',
        ORB_TEST_POSTGRES: quick && !process.env.CI ? 'off' : 'required',
      },
    },
  )
  // Ctrl-C reaches vitest too; the folder is removed after it has ended.
  const wait = () => {}
  const end = () => child.kill('SIGTERM')
  process.on('SIGINT', wait)
  process.on('SIGTERM', end)
  await new Promise((resolve) => child.once('exit', resolve))
  process.off('SIGINT', wait)
  process.off('SIGTERM', end)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** The Chromium that services will use, with its version. */
async function browserLine() {
  const { findBrowserBinary: browserBinary } = await import(
    pathToFileURL(join(root, 'dist/fetch/open-browser-services.js')).href
  )
  try {
    const { path, env, pinned } = await browserBinary(process.env.ORB_CHROMIUM, tmpdir())
    const { stdout } = spawnSync(path, ['--version', '--no-sandbox'], { env: { ...env }, encoding: 'utf8' })
    return `${stdout.trim()}, ${path}${pinned ? ' (pinned)' : ''}`
  } catch ({ message }) {
    return `none: ${message}`
  }
}
