// The second tier of the tests: its files, and the sources whose changes make CI run them. A file outside of test/soak has a
// cheap sample in `npm test` and all its rows here.
import { spawnSync } from 'node:child_process'
import { root } from '../setup.mjs'

/** Used by every capability: a change below these runs all of the second tier. */
const EVERYWHERE = ['scripts/test.mjs', 'scripts/testing/', 'test/soak.ts', 'test/e2e/service.ts', 'vitest.config.ts']

/** Of files, one after another; they run beside each other in about half of it. */
const CI_SECONDS = 30 * 60
/** Of a file that is not recorded yet. */
const NEW_SECONDS = 120

/** Soak files, each with the folders and files that it is about. */
export const soakSubjects = {
  'test/e2e/agent-model.test.ts': ['src/capabilities/agent/', 'src/jobs/'],
  'test/e2e/agent-tools.test.ts': ['src/capabilities/agent/'],
  'test/e2e/agent.test.ts': ['src/capabilities/agent/', 'src/prompting/'],
  'test/e2e/browser-faults.test.ts': ['src/fetch/'],
  'test/e2e/browser-loss.test.ts': ['src/fetch/chrome/'],
  'test/e2e/browser.test.ts': ['src/fetch/'],
  'test/e2e/caller-headers.test.ts': ['src/fetch/', 'src/scrape/'],
  'test/e2e/dashboard-model.test.ts': ['dashboard/'],
  'test/e2e/dashboard-search.test.ts': ['dashboard/'],
  'test/e2e/dashboard-sessions.test.ts': ['dashboard/'],
  'test/e2e/dashboard-tasks.test.ts': ['dashboard/'],
  'test/e2e/dashboard-watch.test.ts': ['dashboard/'],
  'test/e2e/dashboard.test.ts': ['dashboard/'],
  'test/e2e/extract.test.ts': ['src/capabilities/extract/', 'src/jobs/'],
  'test/e2e/forget.test.ts': ['src/store/', 'src/teams/store/'],
  'test/e2e/interact-errors.test.ts': ['src/capabilities/interact/'],
  'test/e2e/interact-machines.test.ts': ['src/capabilities/interact/'],
  'test/e2e/interact-model.test.ts': ['src/driving/', 'src/prompting/'],
  'test/e2e/kills.test.ts': ['src/jobs/', 'src/store/'],
  'test/e2e/lifecycle.test.ts': ['src/app.ts', 'src/temp-folder.ts', 'src/fetch/chrome/'],
  'test/e2e/limits.test.ts': ['src/teams/'],
  'test/e2e/pages.test.ts': ['src/content/', 'src/scrape/'],
  'test/e2e/recipes.test.ts': ['docs/', 'src/api/', 'src/capabilities/', 'src/cli/', 'src/scrape/'],
  'test/e2e/sandbox.test.ts': ['src/capabilities/interact/'],
  'test/e2e/search-links.test.ts': ['src/store/', 'src/search/'],
  'test/e2e/search-stores.test.ts': ['src/capabilities/search/', 'src/search/', 'src/store/'],
  'test/e2e/since.test.ts': ['src/jobs/', 'src/store/'],
  'test/e2e/time-machine.test.ts': ['src/store/'],
  'test/e2e/zero-retention.test.ts': ['src/store/'],
  'test/soak/fleet.test.ts': ['docs/tutorials/fleet.md', 'src/jobs/'],
  'test/soak/full-disk.test.ts': ['src/store/'],
  'test/soak/load.test.ts': ['src/teams/', 'src/api/'],
  'test/soak/long-runs.test.ts': ['src/jobs/', 'src/fetch/', 'src/store/'],
}

/** @returns {string[]} The soak files that changes of these paths concern. */
export function soakFilesFor(changed) {
  if (changed.some((path) => EVERYWHERE.some((start) => path.startsWith(start)))) return Object.keys(soakSubjects)
  return Object.entries(soakSubjects)
    .filter(([file, subjects]) =>
      changed.some((path) => path === file || subjects.some((start) => path.startsWith(start))),
    )
    .map(([file]) => file)
}

/**
 * What of these files CI runs: the shortest first, so that most subjects are covered, until the seconds that they took when
 * they were last recorded reach the budget. `npm run test:soak` runs all.
 * @param {Record<string, number>} durations test/durations.json
 */
export function soakFilesWithin(files, durations, budget = CI_SECONDS) {
  const seconds = (file) => durations[`soak ${file}`] ?? NEW_SECONDS
  const sums = []
  const byLength = [...files].sort((a, b) => seconds(a) - seconds(b))
  for (const file of byLength) sums.push((sums.at(-1) ?? 0) + seconds(file))
  return {
    kept: byLength.filter((_, at) => sums[at] <= budget),
    leftOut: byLength.filter((_, at) => sums[at] > budget),
  }
}

/**
 * Paths that differ from the previous landing: `CI_BASE`, else the merge base with the main branch, else the commit before.
 * Undefined without a history to compare with.
 */
export function changedPaths() {
  const head = git('rev-parse', 'HEAD')
  const bases = [process.env.CI_BASE, git('merge-base', 'HEAD', 'origin/main'), git('rev-parse', '--verify', 'HEAD~1')]
  const base = bases.find((one) => one && one !== head)
  if (base === undefined) return undefined
  return git('diff', '--name-only', base, 'HEAD')?.split('\n').filter(Boolean)
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
