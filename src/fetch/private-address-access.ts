// What the current caller may reach: the operator's allow-listed private addresses, not by default; proxies of its team.
import { callContext } from '../base/call-context.ts'

export const mayUseAllowList = (): boolean => callContext().reach !== 'public'

let teamsWithProxies: ReadonlySet<string> = new Set()

/** To a site, these teams are visitors from another address. */
export function setTeamsWithProxies(teams: readonly string[]): void {
  teamsWithProxies = new Set(teams)
}

/** Captures made now are shared only with callers of the same scope. Undefined: with all. */
export function cacheScope(): string | undefined {
  const { reach, teamId } = callContext()
  const team = teamId !== undefined && teamsWithProxies.has(teamId) ? [teamId] : []
  const scope = [...(reach === 'private' ? ['own'] : []), ...team]
  return scope.length > 0 ? scope.join(' ') : undefined
}
