// For whom a connection is made, as far as the one door must know: whether he may use the addresses that the operator opened
// beside the public web. Where nobody said so he may not.
import { AsyncLocalStorage } from 'node:async_hooks'

/** `private`: this one may, and others may not; `everyone`: there is no difference between callers. */
export type Reach = 'public' | 'private' | 'everyone'

/** Holds for everything that the work leads to. */
export const reachRun = new AsyncLocalStorage<Reach>()

export const mayUseAllowList = (): boolean => (reachRun.getStore() ?? 'public') !== 'public'

/** What is brought home now may be from where others may not go: it is kept apart, and not handed to them. */
export const isSetApart = (): boolean => reachRun.getStore() === 'private'
