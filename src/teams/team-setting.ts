// A setting of each team, as JSON, cached briefly.
import type { Clock } from '../base/clock.ts'
import type { Settings } from '../store/settings.ts'

type WrittenAt = { configured: boolean; updatedAt: string | null }

export interface TeamSetting<Value> {
  /** The defaults when none is set. */
  read(teamId: string): Promise<Value & WrittenAt>
  write(teamId: string, value: Value): Promise<Value & WrittenAt>
}

/** Delay until other processes see a change. */
const CACHE_MS = 2000
const MAX_REMEMBERED = 10_000

export function openTeamSetting<Value extends object>(
  settings: Pick<Settings, 'get' | 'set'>,
  prefix: string,
  defaults: Value,
  clock: Clock,
): TeamSetting<Value> {
  const known = new Map<string, { at: number; value: Value & WrittenAt }>()
  const nameOf = (teamId: string) => `${prefix} ${teamId}`
  const remember = (teamId: string, value: Value & WrittenAt) => {
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(teamId, { at: clock.now(), value })
    return value
  }
  return {
    async read(teamId) {
      const found = known.get(teamId)
      if (found && clock.now() - found.at < CACHE_MS) return found.value
      const stored = await settings.get(nameOf(teamId))
      const written = stored ? (JSON.parse(stored) as Value & WrittenAt) : { configured: false, updatedAt: null }
      return remember(teamId, { ...defaults, ...written } as Value & WrittenAt)
    },
    async write(teamId, value) {
      const kept = { ...value, configured: true, updatedAt: new Date(clock.now()).toISOString() }
      await settings.set(nameOf(teamId), JSON.stringify(kept))
      return remember(teamId, kept)
    },
  }
}
