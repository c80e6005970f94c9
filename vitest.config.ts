import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Services and browsers first: a long file that begins last would keep one core waiting for the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = (file: TestSpecification) => /\/test\/(?:e2e|eval)\//.test(file.moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    testTimeout: 30_000,
    // Services and browsers share the machine with whatever else runs there: in CI a test that depends on the moment may
    // try again, and what fails always still fails. At a desk it fails at once, so that it is seen.
    retry: process.env.CI ? 2 : 0,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // One more than the cores we count on: most of a test's time is waiting for a service, a browser or a page.
    maxWorkers: 3,
  },
})
