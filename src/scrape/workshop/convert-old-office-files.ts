// Converts old office formats with the system's LibreOffice, with a time limit and without macros.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Problem } from '../../base/problem.ts'
import type { OldOfficeConverter } from '../../content/documents/old-office-converter-type.ts'

const PLACES = [
  '/usr/bin/soffice',
  '/usr/local/bin/soffice',
  '/usr/bin/libreoffice',
  '/opt/libreoffice/program/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
]
/** Explicit, because a file may pretend to be another format. */
const LIBREOFFICE_FILTERS = { doc: 'MS Word 97', ppt: 'MS PowerPoint 97' } as const

export const findOfficeProgram = (): string | undefined => PLACES.find((path) => existsSync(path))

export function makeOfficeConverter(timeLeft: () => number): OldOfficeConverter | undefined {
  const program = findOfficeProgram()
  if (!program) return undefined
  return async (bytes, from, to) => {
    const folder = await mkdtemp(join(tmpdir(), 'orb-office-'))
    try {
      const profile = join(folder, 'profile')
      await mkdir(join(profile, 'user'), { recursive: true })
      await writeFile(join(profile, 'user', 'registrymodifications.xcu'), LIBREOFFICE_SETTINGS)
      await writeFile(join(folder, `in.${from}`), bytes)
      await promisify(execFile)(
        program,
        [
          `-env:UserInstallation=${pathToFileURL(profile).href}`,
          '--headless',
          '--norestore',
          `--infilter=${LIBREOFFICE_FILTERS[from]}`,
          '--convert-to',
          to,
          '--outdir',
          folder,
          join(folder, `in.${from}`),
        ],
        {
          timeout: Math.max(1, Math.round(timeLeft())),
          killSignal: 'SIGKILL',
          env: { PATH: '/usr/bin:/bin', HOME: folder },
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

const setting = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`

/** Blocks references to other files and addresses: a document may name ones in our network or on our disk. */
const LIBREOFFICE_SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${setting('Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true')}
${setting('Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true')}
${setting('Office.Common/Security/Scripting', 'DisableActiveContent', 'true')}
${setting('Office.Common/Security/Scripting', 'MacroSecurityLevel', '3')}
${setting('Office.Writer/Content/Update', 'Link', '2')}
${setting('Office.Calc/Content/Update', 'Link', '2')}
${setting('Inet/Settings', 'ooInetProxyType', '2')}
${setting('Inet/Settings', 'ooInetHTTPProxyName', '127.0.0.1')}
${setting('Inet/Settings', 'ooInetHTTPProxyPort', '1')}
${setting('Inet/Settings', 'ooInetHTTPSProxyName', '127.0.0.1')}
${setting('Inet/Settings', 'ooInetHTTPSProxyPort', '1')}
${setting('Inet/Settings', 'ooInetNoProxy', '')}
</oor:items>
`
