// Browser profiles, which scrapes and sessions share.
import { defineStorage } from '../../store/capability-storage.ts'
import { openBrowserProfiles } from './browser-profiles.ts'

export const browserProfileStore = defineStorage({
  open: openBrowserProfiles,
  forget: [{ table: 'profiles', id: null }],
})
