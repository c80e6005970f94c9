import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { wrapWithLowPriority } from './isolate-chromium-process.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'orb-launch-'))
afterAll(() => rmSync(folder, { recursive: true }))

const isRoot = process.platform === 'linux' && process.getuid?.() === 0

it('a browser runs with a lowered priority from its first instruction', async () => {
  // `nice` prints the priority that it runs with; a shell in the place of the browser, as it forks.
  const { path } = await wrapWithLowPriority({ path: '/bin/sh', env: {} }, folder)
  const { stdout } = await run(path, ['-c', '(nice)'])
  expect(Number(stdout)).toBe(Math.min(19, getPriority() + 10))
})

it.skipIf(!isRoot)('a browser of root cannot lift itself above the service', async () => {
  // It lifts itself if it can, and reports it if not.
  const { path } = await wrapWithLowPriority({ path: '/usr/bin/nice', env: {} }, folder)
  const { stdout, stderr } = await run(path, ['-n', '-5', 'echo', "it's there"])
  expect([stdout, stderr]).toEqual(["it's there\n", expect.stringContaining('cannot set niceness')])
})
