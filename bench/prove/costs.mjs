// What hostile and large input costs: the bars on time that stand in the tests, held here and not by `npm test`. Every
// test file that has such a bar runs once, one after another.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/setup.mjs'

export async function prove() {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((name) => /\bexpectCost\(/.test(readFileSync(join(root, name), 'utf8'))),
  )
  const folder = mkdtempSync(join(tmpdir(), 'orb-costs-'))
  const report = join(folder, 'report.json')
  spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--no-file-parallelism',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { cwd: root, env: { ...process.env, ORB_TEST_COSTS: 'on' }, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true })
  const rows = testResults
    .map(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
      const measured = failed.length === 0 ? `${assertionResults.length} tests` : failed.join('; ')
      return { what: name.slice(root.length + 1), bar: 'within its bars', measured, ok: failed.length === 0 }
    })
    .sort((a, b) => (a.what < b.what ? -1 : 1))
  return { title: 'Costs of hostile and large input', rows }
}
