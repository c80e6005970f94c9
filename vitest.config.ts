import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, the longest first: on a clean clone nothing else says so. */
const LONGEST = [
  'lifecycle',
  'agent-tools',
  'browser-faults',
  'interact-model',
  'zero-retention',
  'dashboard',
  'dashboard-watch',
  'interact-errors',
  'browser',
  'forget',
  'agent',
  'sandbox',
  'postgres',
  'agent-model',
  'long-runs',
  'search-opensearch',
  'dashboard-sessions',
  'dashboard-tasks',
  'kills',
  'limits',
  'pages',
  'search-stores',
  'command-line',
  'interact-machines',
  'recipes',
  'browser-loss',
  'firecrawl-cli',
  'docs',
  'interact',
  'document-children',
  'mcp',
  'dashboard-api',
  'backup',
  'toy',
]

/** Long files first: one that begins last would keep one core waiting for the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(/([^/]+)\.test\.ts$/.exec(moduleId)?.[1] ?? '')
      // Services and browsers before tests that need neither.
      return at !== -1 ? at : LONGEST.length + (/\/test\/e2e\//.test(moduleId) ? 0 : 1)
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
    // Labelled sets measure quality: `npm run prove evaluation` holds their floors.
    // Released integrations are installed by `npm run prove clients`.
    exclude: [
      '**/node_modules/**',
      ...(process.env.ORB_TEST_EVAL === 'on' ? [] : ['test/eval/**']),
      ...(process.env.ORB_TEST_INTEGRATIONS === 'on' ? [] : ['test/integrations/**']),
    ],
    globalSetup: ['test/setup.ts'],
    setupFiles: ['test/quarantine.ts'],
    // A patience, not a bar: figures of time belong to `npm run prove`.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // A second try hides races. A test that depends on the moment is rewritten, or named in test/quarantine.json.
    retry: 0,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Files share the modules of their worker: reading them anew for each of 250 files took a fifth of the time. Nothing here
    // replaces a module or keeps state in one; a file opens what it needs and closes it.
    isolate: false,
    // Twice the cores we count on: most of a test's time is waiting for a service, a browser or a page.
    maxWorkers: 4,
  },
})
