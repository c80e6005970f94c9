// `orb browser`: finds or downloads the Chromium that renders pages.
import { resolve } from 'node:path'
import { CommandEnd, exitCodes } from './command.ts'
import { ownCommand } from './own-command.ts'

const MOST_MS = 900_000

export const browser = ownCommand({
  name: 'browser',
  summary: 'say which Chromium renders pages, and get one when this machine has none',
  run: async () => {
    const [{ readConfig }, { obtainBrowser }] = await Promise.all([
      import('../config.ts'),
      import('../fetch/browsing.ts'),
    ])
    const { chromium, dataDir, browserEndpoints } = readConfig()
    if (browserEndpoints.length > 0)
      return { data: { endpoints: browserEndpoints.length }, text: 'Browsers run elsewhere (ORB_BROWSER_ENDPOINTS).' }
    const say = (line: string) => console.error(line)
    try {
      const { path } = await obtainBrowser(chromium, resolve(dataDir), say, AbortSignal.timeout(MOST_MS))
      return { data: { path }, text: path }
    } catch (error) {
      throw new CommandEnd(`${(error as Error).message}.`, exitCodes.failed.code)
    }
  },
})
