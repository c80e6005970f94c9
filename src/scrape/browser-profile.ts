// Loads a browser profile into a visit and saves its state afterwards.

import { Problem } from '../base/problem.ts'
import type { Capture, Visit } from '../base/visit-and-capture-types.ts'
import type { ScrapeBody } from './scrape-options.ts'
import type { BrowserProfiles } from './store/browser-profiles.ts'

interface ProfileUse {
  id: string
  teamId: string
  profile: ScrapeBody['profile']
  timeoutMs: number
}

/** Lock timeout beyond the scrape's own, in case the saver died. */
const LOCK_GRACE_MS = 30_000
const EMPTY = '{"cookies":[],"origins":[]}'

export async function withBrowserProfile<T extends { capture: Capture }>(
  profiles: BrowserProfiles,
  { id, teamId, profile, timeoutMs }: ProfileUse,
  work: (memories: Pick<Visit, 'remembered'>) => Promise<T>,
): Promise<T> {
  if (!profile) return work({})
  const ref = { teamId, name: profile.name }
  if (!profile.saveChanges) return work({ remembered: (await profiles.load(ref)) ?? EMPTY })
  if (!(await profiles.claim(ref, id, timeoutMs + LOCK_GRACE_MS))) throw new Problem('profile_busy')
  let saved = false
  try {
    const done = await work({ remembered: (await profiles.load(ref)) ?? EMPTY })
    const { remembers } = done.capture
    if (remembers !== undefined) saved = await profiles.save(ref, id, remembers)
    return done
  } finally {
    if (!saved) await profiles.release(ref, id)
  }
}
