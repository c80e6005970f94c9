// `orb browser`: finds or downloads the Chromium that renders pages.

import { resolve } from 'node:path'
import { abortAfter } from '../base/abort-after.ts'
import { CommandExitError } from './command.ts'
import { makeLocalCommand } from './local-command.ts'

const MOST_MS = 900_000

export const browserCommand = makeLocalCommand({
  name: 'browser',
  summary: 'print which Chromium renders pages, and install one if none is found',
  run: async () => {
    const [{ readConfig }, { downloadBrowser }] = await Promise.all([
      import('../config.ts'),
      import('../fetch/open-browser-services.ts'),
    ])
    const { chromium, dataDir, browserEndpoints } = readConfig()
    if (browserEndpoints.length > 0)
      return { data: { endpoints: browserEndpoints.length }, text: 'Browsers run elsewhere (ORB_BROWSER_ENDPOINTS).' }
    const say = (line: string) => console.error(line)
    try {
      const { path } = await downloadBrowser(chromium, resolve(dataDir), say, abortAfter(MOST_MS))
      return { data: { path }, text: path }
    } catch (error) {
      throw new CommandExitError(`${(error as Error).message}.`)
    }
  },
})
