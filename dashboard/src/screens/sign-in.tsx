// Signing in with a key. The address that the service prints at its start signs in by itself, once.
import { useId, useState } from 'preact/hooks'
import { root } from '../call.ts'
import { Mark } from '../parts/icons.tsx'
import { Failure } from '../parts/states.tsx'
import { session, signIn } from '../session.ts'

export function SignIn() {
  const id = useId()
  const [key, setKey] = useState('')
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const enter = async (how: { key: string }) => {
    setBusy(true)
    setError(undefined)
    try {
      await signIn(how)
    } catch (failure) {
      setError(failure as Error)
      setBusy(false)
    }
  }
  const isLocal = session.value?.local === true
  return (
    <main class="gate">
      <div class="card gate-card">
        <div class="stack">
          <div class="row brand-head">
            <Mark size={34} />
            <h1>Orbweaver</h1>
          </div>
          <p class="soft">Turns any page, site or document into clean data. Sign in to use it.</p>
        </div>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void enter({ key: key.trim() })
          }}
        >
          <div class="field">
            <label for={id}>API key</label>
            <input
              id={id}
              type="password"
              autocomplete="current-password"
              placeholder="fc-…"
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <span class="help">
              Printed by <code>npx orbweaver keys</code> on the machine that runs the service.
              {isLocal && ' No key? Open the “Sign in” URL that the service printed when it started; it works once.'}
            </span>
          </div>
          <button type="submit" class="button primary" disabled={busy || key.trim() === ''}>
            Sign in
          </button>
          {session.value?.oidc && (
            <a class="button" href={`${root}/api/session/oidc`}>
              Sign in with your organization
            </a>
          )}
        </form>
        {error && <Failure error={error} />}
      </div>
    </main>
  )
}
