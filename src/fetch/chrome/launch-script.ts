// Chromium is started through a script that lowers its priority before it runs, so that every process it forks inherits that.
// A Chromium of root would lift its threads above the service again; the script also drops the right to do so.
import { execFile } from 'node:child_process'
import { access, constants, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { PRIORITY_STEPS } from '../../base/priority.ts'
import type { Binary } from './binary.ts'

const LOWER = `nice -n ${PRIORITY_STEPS.helpers}`
const DROP_RIGHT = '/usr/bin/setpriv --bounding-set=-sys_nice'
const TRY_MS = 5000

/** The same browser by way of the script; itself where a script cannot be run. */
export async function withLowPriority(binary: Binary, folder: string): Promise<Binary> {
  const path = join(resolve(folder), 'low-priority-chromium')
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  for (const prefix of isRoot ? [`${LOWER} ${DROP_RIGHT}`, LOWER] : [LOWER]) {
    try {
      await promisify(execFile)('/bin/sh', ['-c', `${prefix} true`], { timeout: TRY_MS, env: { ...binary.env } })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, `#!/bin/sh\nexec ${prefix} ${quoted(binary.path)} "$@"\n`, { mode: 0o700 })
      // Fails in a folder from which nothing may be run.
      await access(path, constants.X_OK)
      return { ...binary, path }
    } catch {
      // Tried with less; the priority is lowered after the start in any case.
    }
  }
  return binary
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
