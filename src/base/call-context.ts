// The caller of the current work (team, key and reach), for code that does not receive it as an argument.
import { AsyncContextValue } from './async-context-value.ts'

/** Of allow-listed private addresses. `private`: this caller may, others may not; `everyone`: callers do not differ. */
export type PrivateAddressAccess = 'public' | 'private' | 'everyone'

interface CallContext {
  teamId: string | undefined
  keyId: string | undefined
  reach: PrivateAddressAccess
}

const NOBODY: CallContext = { teamId: undefined, keyId: undefined, reach: 'public' }
const current = new AsyncContextValue<CallContext>()

export const callContext = (): CallContext => current.getStore() ?? NOBODY

/** Applies to all work started within; what `change` leaves out stays as it is. */
export function withCallContext<R>(change: Partial<CallContext>, work: () => R): R {
  const now = callContext()
  const isSame = (Object.keys(change) as (keyof CallContext)[]).every((name) => change[name] === now[name])
  return isSame ? work() : current.run({ ...now, ...change }, work)
}
