// A vitest reporter that writes what scripts/test.mjs counts and prints: every test with its state, the seconds and the CPU
// seconds that each file took with its hooks. The JSON that vitest writes by itself leaves the hooks out.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../setup.mjs'

export default class {
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return {
        file: relative(root, module.moduleId),
        seconds: (duration + collectDuration) / 1000,
        cpuSeconds: module.meta().cpuSeconds ?? 0,
        // What failed outside of a test: an import, a hook of the file.
        errors: module.errors().length,
        tests: [...module.children.allTests()].map((test) => ({ name: test.fullName, state: test.result().state })),
      }
    })
    writeFileSync(process.env.ORB_TEST_REPORT_FILE, JSON.stringify({ files, errors: unhandledErrors.length }))
  }
}
