// Who is signed in, and signing in and out.
import { signal } from '@preact/signals'
import { call, proof, whenSignedOut } from './call.ts'

export interface Session {
  signedIn: boolean
  team?: string
  keyId?: string
  /** This browser is at the machine that runs the service, and the code of its start is still good. */
  local?: boolean
}

/** Undefined until the service has told. */
export const session = signal<Session | undefined>(undefined)
export const unreachable = signal<string | undefined>(undefined)

/** The code in the address that the service prints at its start; read once, and gone from the address. */
function codeInAddress(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  if (code) history.replaceState(null, '', location.pathname)
  return code
}

export async function look(): Promise<void> {
  try {
    const code = codeInAddress()
    session.value = (await call<{ data: Session }>({ path: '/api/session' })).data
    unreachable.value = undefined
    // One that was used before leads to the sign-in, which says what else works.
    if (code && !session.value.signedIn) await signIn({ code }).catch(() => {})
  } catch (error) {
    unreachable.value = (error as Error).message
  }
}

export async function signIn(how: { key: string } | { code: string }): Promise<void> {
  const { data } = await call<{ data: Session & { proof: string } }>({
    method: 'POST',
    path: '/api/session',
    body: how,
  })
  proof.set(data.proof)
  // For the audit log.
  await call({ method: 'POST', path: '/v2/admin/login' })
  session.value = { ...session.value, ...data }
}

export async function signOut(): Promise<void> {
  await call({ method: 'DELETE', path: '/api/session' })
  proof.clear()
  await look()
}

whenSignedOut(() => {
  proof.clear()
  if (session.value) session.value = { ...session.value, signedIn: false }
})
