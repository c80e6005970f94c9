// Browser profiles, which scrapes and sessions share.
import { defineStorage } from '../../store/capability-storage.ts'
import { profiles } from './0100-profiles.ts'
import { openBrowserProfiles } from './browser-profiles.ts'

export const browserProfileStore = defineStorage({
  migrations: [profiles],
  open: openBrowserProfiles,
  forget: [{ table: 'profiles', id: null }],
})
