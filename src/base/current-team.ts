// The team and the key for which the current work is done, for what differs by them and is not passed along.
import { AsyncContextValue } from './async-context-value.ts'

export const currentTeam = new AsyncContextValue<string | undefined>()
export const currentKey = new AsyncContextValue<string | undefined>()
