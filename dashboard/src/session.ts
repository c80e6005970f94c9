// Who is signed in, and signing in and out.
import { signal } from '@preact/signals'
import { call, proof, whenSignedOut } from './call.ts'

export interface Session {
  signedIn: boolean
  team?: string
  keyId?: string
  /** This browser is at the machine that runs the service: one click is enough. */
  local?: boolean
}

/** Undefined until the service has told. */
export const session = signal<Session | undefined>(undefined)
export const unreachable = signal<string | undefined>(undefined)

export async function look(): Promise<void> {
  try {
    session.value = (await call<{ data: Session }>({ path: '/api/session' })).data
    unreachable.value = undefined
  } catch (error) {
    unreachable.value = (error as Error).message
  }
}

export async function signIn(how: { key: string } | { local: true }): Promise<void> {
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
