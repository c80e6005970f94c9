// LibreOffice of the machine, for the old formats that no library reads: one conversion in a folder of its own, under a
// name of our own, with macros off and a time limit.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../../base/problem.ts'

const PLACES = [
  '/usr/bin/soffice',
  '/usr/local/bin/soffice',
  '/usr/bin/libreoffice',
  '/opt/libreoffice/program/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
]
const MAX_MS = 60_000

export function officeSuite(): ((bytes: Uint8Array, from: string, to: string) => Promise<Uint8Array>) | undefined {
  const program = PLACES.find((path) => existsSync(path))
  if (!program) return undefined
  return async (bytes, from, to) => {
    const folder = await mkdtemp(join(tmpdir(), 'orb-office-'))
    try {
      await writeFile(join(folder, `in.${from}`), bytes)
      const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
      await promisify(execFile)(
        program,
        [profile, '--headless', '--norestore', '--convert-to', to, '--outdir', folder, join(folder, `in.${from}`)],
        {
          timeout: MAX_MS,
          killSignal: 'SIGKILL',
        },
      )
      return await readFile(join(folder, `in.${to}`))
    } catch (error) {
      throw new Problem('unreadable_file', { because: 'LibreOffice could not convert it', cause: error })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}
