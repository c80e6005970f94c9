import { totalmem } from 'node:os'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from './test/durations.json' with { type: 'json' }
import { loadFactor } from './test/patience.ts'

/** Seconds of each file in the last recorded run (`npm test -- --record`); those of the second tier begin with `soak`. */
const recorded: Record<string, number> = durations
/** A new file that starts services or browsers, until it is recorded. */
const NEW_E2E_SECONDS = 20
const isSoak = process.env.ORB_TEST_SOAK === 'on'
// Timeouts of tests are for a machine that does nothing else: what it does before they start makes them longer.
process.env.ORB_TEST_PATIENCE ??= String(loadFactor() * (isSoak ? 3 : 1))
const patience = Number(process.env.ORB_TEST_PATIENCE)
const WORKER_BYTES = 1.5 * 2 ** 30

/** Longest first: a long file that begins last would keep one core waiting for the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) => {
      const file = relative(import.meta.dirname, moduleId)
      return recorded[isSoak ? `soak ${file}` : file] ?? (file.startsWith('test/e2e/') ? NEW_E2E_SECONDS : 0)
    }
    return [...files].sort((a, b) => seconds(b) - seconds(a))
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Labelled sets measure quality: `npm run prove evaluation` holds their floors.
    // Released integrations are installed by `npm run prove clients`.
    exclude: [
      '**/node_modules/**',
      ...(isSoak ? [] : ['test/soak/**']),
      ...(process.env.ORB_TEST_EVAL === 'on' ? [] : ['test/eval/**']),
      ...(process.env.ORB_TEST_INTEGRATIONS === 'on' ? [] : ['test/integrations/**']),
    ],
    globalSetup: ['test/setup.ts'],
    setupFiles: ['test/quarantine.ts'],
    // A patience, not a bar: figures of time belong to `npm run prove`.
    testTimeout: 60_000 * patience,
    hookTimeout: 60_000 * patience,
    expect: { poll: { timeout: 45_000 * patience } },
    // A second try hides races. A test that depends on the moment is rewritten, or named in test/quarantine.json.
    retry: 0,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Files share the modules of their worker: reading them anew for each of 250 files took a fifth of the time. Nothing here
    // replaces a module or keeps state in one; a file opens what it needs and closes it.
    isolate: false,
    // Twice the cores we count on: each worker has a service and browsers beside it. With six the suite took as long, and
    // each page in a browser three times as long.
    maxWorkers: Math.max(2, Math.min(4, Math.floor(totalmem() / WORKER_BYTES))),
  },
})
