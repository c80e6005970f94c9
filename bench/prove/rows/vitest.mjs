// Test files as rows of a part: each file that passes is a promise kept.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../scripts/setup.mjs'

/** Runs the files one after another with these settings. */
export function testRows(files, env, bar) {
  const folder = mkdtempSync(join(tmpdir(), 'orb-prove-'))
  const report = join(folder, 'report.json')
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism']
  spawnSync(process.execPath, [...vitest, '--reporter=json', `--outputFile.json=${report}`, ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true })
  return testResults
    .map(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
      const measured = failed.length === 0 ? `${assertionResults.length} tests` : failed.join('; ')
      return { what: name.slice(root.length + 1), bar, measured, ok: failed.length === 0 }
    })
    .sort((a, b) => (a.what < b.what ? -1 : 1))
}
