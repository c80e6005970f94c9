// The team for which the current work is done, for what differs by team and is not passed along.
import { AsyncContextValue } from './async-context-value.ts'

export const currentTeam = new AsyncContextValue<string | undefined>()
