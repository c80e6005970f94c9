// A Chromium that runs as root lifts its threads above everything else on the machine, the service among it, and a page that
// storms then keeps every caller waiting. Here the right to do so is taken from it before it starts. Others than root, and
// root in a container, do not have that right.
import { execFile } from 'node:child_process'
import { access, constants, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Binary } from './binary.ts'

const SETPRIV = '/usr/bin/setpriv'
const WITHOUT = '--bounding-set=-sys_nice'
const TRY_MS = 5000

/** The same browser by way of a script that gives the right away; itself where that is not needed or not possible. */
export async function modest(binary: Binary, folder: string): Promise<Binary> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return binary
  const path = join(resolve(folder), 'modest-chromium')
  try {
    await promisify(execFile)(SETPRIV, [WITHOUT, '/bin/true'], { timeout: TRY_MS, env: binary.env })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, `#!/bin/sh\nexec ${SETPRIV} ${WITHOUT} ${quoted(binary.path)} "$@"\n`, { mode: 0o700 })
    // A folder from which nothing may be run says so here.
    await access(path, constants.X_OK)
    return { ...binary, path }
  } catch {
    return binary
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
