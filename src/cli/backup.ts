// `orb backup` and `orb restore`. The work is imported when it runs.
import { resolve } from 'node:path'
import { ownCommand } from './own-command.ts'

export const backup = ownCommand({
  name: 'backup',
  places: ['[folder]'],
  summary: 'copy everything the service remembers into a folder, also while it runs',
  run: async ({ words: [given] }) => {
    const { backUp, stamp } = await import('./backup-folder.ts')
    const folder = resolve(given ?? `orbweaver-backup-${stamp()}`)
    const done = await backUp(folder)
    return {
      data: { folder, ...done },
      text: `Backed up to ${folder}: the database and ${done.files} files. \`orb restore ${folder}\` brings it back.`,
    }
  },
})

export const restore = ownCommand({
  name: 'restore',
  places: ['<folder>'],
  summary: 'bring back what `orb backup` copied; the service must be stopped',
  flags: [{ name: 'force', help: 'Also when there are data already; those are moved aside, not removed.' }],
  run: async ({ own, words: [folder = ''] }) => {
    const { bringBack } = await import('./backup-folder.ts')
    const data = await bringBack(resolve(folder), own.force === true)
    const { createdAt, dataDir, movedTo } = data
    const aside = movedTo ? `\nWhat was there is in ${movedTo}; remove it when all is well.` : ''
    return { data, text: `Restored the backup of ${createdAt} into ${dataDir}.${aside}` }
  },
})
