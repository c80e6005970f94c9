// Whether the current caller may reach the operator's allow-listed private addresses; not by default.
import { callContext } from '../base/call-context.ts'

export const mayUseAllowList = (): boolean => callContext().reach !== 'public'

/** Captures made now may be from private addresses, so they are not shared with other callers. */
export const hasExclusivePrivateAccess = (): boolean => callContext().reach === 'private'
