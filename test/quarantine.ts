// Tests on the quarantine list (quarantine.json) are left out of the main run; scripts/test.mjs runs them apart, three times.
// Whoever runs vitest by hand gets all tests.
import { relative } from 'node:path'
import { beforeEach } from 'vitest'
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
