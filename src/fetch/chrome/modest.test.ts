import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { modest } from './modest.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0

it.skipIf(!isRoot)('a browser of root cannot lift itself above the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orb-e2e-modest-'))
  try {
    // What lifts itself if it can, and says so if not, in the place of a browser.
    const { path } = await modest({ path: '/usr/bin/nice', env: {} }, folder)
    const { stdout, stderr } = await promisify(execFile)(path, ['-n', '-5', 'echo', "it's there"])
    expect([stdout, stderr]).toEqual(["it's there\n", expect.stringContaining('cannot set niceness')])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
