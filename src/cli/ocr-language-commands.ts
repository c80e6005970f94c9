// `orb ocr`: the language data of OCR, kept in the data folder.

import { resolve } from 'node:path'
import { abortAfter } from '../base/abort-after.ts'
import { silentLog } from '../base/log.ts'
import type { Command } from './command.ts'
import { CommandExitError, UsageError } from './command.ts'
import { makeLocalCommand, splitList, throwAsUsageError } from './local-command.ts'

const MOST_MS = 300_000

async function parts() {
  const [{ readConfig }, data] = await Promise.all([
    import('../config.ts'),
    import('../scrape/workshop/ocr-languages.ts'),
  ])
  const config = readConfig()
  return { config, data, folder: data.ocrFolderPath(resolve(config.dataDir)) }
}

const list = makeLocalCommand({
  name: 'ocr',
  places: ['[list]'],
  summary: 'list the languages that OCR reads',
  run: async ({ words: [verb = 'list'] }) => {
    if (verb !== 'list') throw new UsageError(`there is no \`ocr ${verb}\``)
    return listLanguages()
  },
})

const add = makeLocalCommand({
  name: 'ocr add',
  places: ['<languages>'],
  summary: 'install languages for OCR (`de`, or several: `de,uk,zh`) from the npm registry',
  run: async ({ words: [names = ''] }) => {
    const { config, data, folder } = await parts()
    const codes = throwAsUsageError(() => splitList(names).map(data.toOcrLanguageCode))
    const { npmRegistry: registry, dnsServers, proxiesBasic: proxies } = config
    const source = { registry, dnsServers, proxies, log: silentLog }
    try {
      for (const code of codes) await data.installOcrLanguage(code, folder, source, abortAfter(MOST_MS))
    } catch (error) {
      throw new CommandExitError((error as Error).message)
    }
    return listLanguages()
  },
})

const remove = makeLocalCommand({
  name: 'ocr remove',
  places: ['<languages>'],
  summary: 'remove languages for OCR',
  run: async ({ words: [names = ''] }) => {
    const { data, folder } = await parts()
    for (const code of throwAsUsageError(() => splitList(names).map(data.toOcrLanguageCode)))
      await data.removeOcrLanguage(code, folder)
    return listLanguages()
  },
})

async function listLanguages() {
  const { data, folder } = await parts()
  const languages = data.listInstalledOcrLanguages(folder).map(({ code, script }) => ({ code, script }))
  return { data: { languages, folder }, text: languages.map(({ code, script }) => `${code}  ${script}`).join('\n') }
}

export const ocrLanguageCommands: readonly Command[] = [list, add, remove]
