// Tests on the quarantine list (quarantine.json) are left out of the main run; scripts/test.mjs runs them apart, three times.
// Whoever runs vitest by hand gets all tests.
import { relative } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { cpuSeconds } from '../scripts/testing/cpu.mjs'
import listed from './quarantine.json' with { type: 'json' }

const mode = process.env.ORB_TEST_QUARANTINE
const root = `${import.meta.dirname}/..`

if (mode !== undefined)
  beforeEach(({ task, skip }) => {
    const file = relative(root, task.file.filepath)
    const names = [task.name]
    for (let { suite } = task; suite; suite = suite.suite) names.unshift(suite.name)
    const isListed = (listed as { file: string; test: string }[]).some(
      (one) => one.file === file && one.test === names.join(' > '),
    )
    if (isListed !== (mode === 'only')) skip()
  })

// Registered first, so that it runs after the hooks of the file, when its services have ended.
const before = cpuSeconds()
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that a hook needs from this pattern.
afterAll(({}, file) => {
  Object.assign(file.meta, { cpuSeconds: cpuSeconds() - before })
})
