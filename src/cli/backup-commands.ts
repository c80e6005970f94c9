// `orb backup` and `orb restore`. The work is imported when it runs.
import { resolve } from 'node:path'
import { makeLocalCommand } from './local-command.ts'

export const backupCommand = makeLocalCommand({
  name: 'backup',
  places: ['[folder]'],
  summary: 'copy all data of the service into a folder, also while it runs',
  run: async ({ words: [given] }) => {
    const { backUpInto, timeForFileName } = await import('./back-up-and-restore.ts')
    const folder = resolve(given ?? `orbweaver-backup-${timeForFileName()}`)
    const done = await backUpInto(folder)
    return {
      data: { folder, ...done },
      text: `Backed up to ${folder}: the database and ${done.files} files. \`orb restore ${folder}\` restores it.`,
    }
  },
})

export const restoreCommand = makeLocalCommand({
  name: 'restore',
  places: ['<folder>'],
  summary: 'restore a copy of `orb backup`; the service must be stopped',
  flags: [{ name: 'force', help: 'Also if there is data already; it is moved aside, not removed.' }],
  run: async ({ own, words: [folder = ''] }) => {
    const { restoreFrom } = await import('./back-up-and-restore.ts')
    const data = await restoreFrom(resolve(folder), own.force === true)
    const { createdAt, dataDir, movedTo } = data
    const aside = movedTo ? `\nWhat was there is in ${movedTo}; remove it when all is well.` : ''
    return { data, text: `Restored the backup of ${createdAt} into ${dataDir}.${aside}` }
  },
})
