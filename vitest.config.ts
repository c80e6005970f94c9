import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, the longest first: on a clean clone nothing else says so. */
const LONGEST = [
  'lifecycle',
  'dashboard',
  'extraction',
  'kills',
  'sandbox',
  'backup',
  'browser-faults',
  'browser-loss',
  'long-runs',
  'agent',
  'interact-errors',
  'firecrawl-cli',
  'pages',
  'interact',
  'media',
  'limits',
  'command-line',
  'dashboard-tasks',
  'docs',
  'understanding-json',
  'interact-machines',
  'browser',
  'toy',
  'postgres',
]

/** Long files first: one that begins last would keep one core waiting for the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(/([^/]+)\.test\.ts$/.exec(moduleId)?.[1] ?? '')
      // Services and browsers before tests that need neither.
      return at !== -1 ? at : LONGEST.length + (/\/test\/(?:e2e|eval)\//.test(moduleId) ? 0 : 1)
    }
    return sorted
      .map((file) => ({ file, rank: rank(file) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ file }) => file)
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    // A patience, not a bar: figures of time belong to `npm run prove`.
    testTimeout: 60_000,
    // Services and browsers share the machine with whatever else runs there: in CI a test that depends on the moment may
    // try again, and what fails always still fails. At a desk it fails at once, so that it is seen.
    retry: process.env.CI ? 2 : 0,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Files share the modules of their worker: reading them anew for each of 250 files took a fifth of the time. Nothing here
    // replaces a module or keeps state in one; a file opens what it needs and closes it.
    isolate: false,
    // One more than the cores we count on: most of a test's time is waiting for a service, a browser or a page.
    maxWorkers: 3,
  },
})
