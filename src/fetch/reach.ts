// Whether the current caller may reach the operator's allow-listed private addresses; not by default.
import { AsyncLocalStorage } from 'node:async_hooks'

/** `private`: this caller may, others may not; `everyone`: no difference between callers. */
export type Reach = 'public' | 'private' | 'everyone'

/** Applies to all async work started within. */
export const reachRun = new AsyncLocalStorage<Reach>()

export const mayUseAllowList = (): boolean => (reachRun.getStore() ?? 'public') !== 'public'

/** Captures made now may be from private addresses, so they are not shared with other callers. */
export const isSetApart = (): boolean => reachRun.getStore() === 'private'
