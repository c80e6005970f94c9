// Starts Chromium through a script that lowers its priority, so that forked processes inherit it.
import { execFile } from 'node:child_process'
import { access, constants, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { NICE_INCREMENTS } from '../../base/cpu-priority.ts'
import type { ChromiumBinary } from './find-chromium.ts'

const LOWER = `nice -n ${NICE_INCREMENTS.helpers}`
const DROP_RIGHT = '/usr/bin/setpriv --bounding-set=-sys_nice'
const TRY_MS = 5000

export async function wrapWithLowPriority(binary: ChromiumBinary, folder: string): Promise<ChromiumBinary> {
  const path = join(resolve(folder), `low-priority-${binary.headful ? 'headful-' : ''}chromium`)
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  for (const prefix of isRoot ? [`${LOWER} ${DROP_RIGHT}`, LOWER] : [LOWER]) {
    try {
      await promisify(execFile)('/bin/sh', ['-c', `${prefix} true`], { timeout: TRY_MS, env: { ...binary.env } })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, `#!/bin/sh\nexec ${prefix} ${quoteForShell(binary.path)} "$@"\n`, { mode: 0o700 })
      await access(path, constants.X_OK)
      return { ...binary, path }
    } catch {}
  }
  return binary
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
