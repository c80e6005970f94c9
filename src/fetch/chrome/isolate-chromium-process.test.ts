import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { isolateChromiumProcess } from './isolate-chromium-process.ts'

const run = promisify(execFile)
const dataDir = mkdtempSync('/var/tmp/orb-isolation-')
afterAll(() => rmSync(dataDir, { recursive: true }))

it('a browser of root is another user, who sees the fonts of the data folder and nothing else of it', async () => {
  const secret = join(dataDir, 'secret-key')
  const font = join(dataDir, 'fonts', 'a font.ttf')
  mkdirSync(join(dataDir, 'fonts'))
  for (const path of [secret, font]) writeFileSync(path, 'content', { mode: 0o644 })
  const { binary, note } = await isolateChromiumProcess({ path: '/usr/bin/stat', env: {} }, dataDir)
  // Where this cannot be done the browser is as it was, and the operator is told.
  if (note !== undefined) return expect([binary.path, note]).toEqual(['/usr/bin/stat', expect.stringMatching(/root/)])
  expect((await run(binary.path, ['--format=%U', '/proc/self/'])).stdout).toBe('nobody\n')
  expect((await run(binary.path, ['--format=%s', font])).stdout).toBe('7\n')
  await expect(run(binary.path, [secret])).rejects.toThrow(/No such file/)
})

it('a script in the place of the browser runs as it is, and that is said', async () => {
  const path = join(dataDir, 'chromium')
  writeFileSync(path, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const found = await isolateChromiumProcess({ path, env: {} }, dataDir, undefined, true)
  expect([found.binary.path, found.note]).toEqual([path, expect.stringMatching(/is a script/)])
})
