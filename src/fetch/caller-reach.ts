// Whether the current caller may reach the operator's allow-listed private addresses; not by default.
import { CallValue } from '../base/call-context.ts'

/** `private`: this caller may, others may not; `everyone`: no difference between callers. */
export type Reach = 'public' | 'private' | 'everyone'

export const reachRun = new CallValue<Reach>()

export const mayUseAllowList = (): boolean => (reachRun.getStore() ?? 'public') !== 'public'

/** Captures made now may be from private addresses, so they are not shared with other callers. */
export const isSetApart = (): boolean => reachRun.getStore() === 'private'
