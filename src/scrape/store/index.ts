// Browser profiles, which scrapes and sessions share.
import { defineStorage } from '../../store/storage.ts'
import { profiles } from './0100-profiles.ts'
import { openProfiles } from './profiles.ts'

export const profileStore = defineStorage({
  migrations: [profiles],
  open: openProfiles,
  forget: [{ table: 'profiles', id: null }],
})
