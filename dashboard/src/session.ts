// Who is signed in, and signing in and out.
import { signal } from '@preact/signals'
import { actsFor, call, proof, Refused, whenSignedOut } from './call.ts'
import { settle } from './route.ts'

interface Session {
  signedIn: boolean
  team?: string
  teamId?: string
  keyId?: string
  /** Runs the service: may look at it as any of its teams. */
  mayActForOthers?: boolean
  /** This browser is at the machine that runs the service, and the code of its start is still good. */
  local?: boolean
  /** The operator has a sign-in provider. */
  oidc?: boolean
}

/** Undefined until the service has told. */
export const session = signal<Session | undefined>(undefined)
export const unreachable = signal<string | undefined>(undefined)
/** Who we are by ourselves, while we act for another team. */
export const self = signal<Session | undefined>(undefined)
/** The address names a team that we may not act for. */
export const strange = signal(false)

/** The code in the address that the service or a command prints; read once, and gone from the address. */
function codeInAddress(): string | undefined {
  const [, code, screen] = /^#code=([\w-]+)(?:\/(.*))?$/.exec(location.hash) ?? []
  if (screen) settle(screen)
  else if (code) history.replaceState(null, '', location.pathname)
  return code
}

/** After a sign-in at the operator's provider. */
function keepProofInAddress(): void {
  const own = /^#session=([\w-]+)$/.exec(location.hash)?.[1]
  if (!own) return
  history.replaceState(null, '', location.pathname)
  proof.set(own)
}

export async function look(): Promise<void> {
  try {
    keepProofInAddress()
    const code = codeInAddress()
    const own = (await call<{ data: Session }>({ path: '/api/session', own: true })).data
    session.value = actsFor && own.signedIn ? await asOther(own) : own
    unreachable.value = undefined
    // One that was used before leads to the sign-in, which says what else works.
    if (code && !session.value.signedIn) await signIn({ code }).catch(() => {})
  } catch (error) {
    unreachable.value = (error as Error).message
  }
}

async function asOther(own: Session): Promise<Session> {
  self.value = own
  try {
    const { data } = await call<{ data: Session }>({ path: '/api/session' })
    // For the audit log of the team: somebody else is here.
    await call({ method: 'POST', path: '/v2/admin/login' })
    return { ...own, ...data }
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error
    strange.value = true
    return own
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
  await call({ method: 'POST', path: '/v2/admin/login', own: true })
  const own = { ...session.value, ...data }
  session.value = actsFor ? await asOther(own) : own
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
