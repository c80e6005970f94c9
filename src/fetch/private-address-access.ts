// Whether the current caller may reach the operator's allow-listed private addresses; not by default.
import { AsyncContextValue } from '../base/async-context-value.ts'

/** `private`: this caller may, others may not; `everyone`: no difference between callers. */
export type PrivateAddressAccess = 'public' | 'private' | 'everyone'

export const currentPrivateAddressAccess = new AsyncContextValue<PrivateAddressAccess>()

export const mayUseAllowList = (): boolean => (currentPrivateAddressAccess.getStore() ?? 'public') !== 'public'

/** Captures made now may be from private addresses, so they are not shared with other callers. */
export const hasExclusivePrivateAccess = (): boolean => currentPrivateAddressAccess.getStore() === 'private'
