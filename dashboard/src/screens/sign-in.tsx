// Signing in: one click at the machine that runs the service, elsewhere with a key.
import { useId, useState } from 'preact/hooks'
import { Mark } from '../parts/icons.tsx'
import { Failure } from '../parts/states.tsx'
import { session, signIn } from '../session.ts'

export function SignIn() {
  const id = useId()
  const [key, setKey] = useState('')
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const enter = async (how: { key: string } | { local: true }) => {
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
          <p class="soft">Any page, site or document in; clean data out. Sign in to try it and to see what it does.</p>
        </div>
        {isLocal && (
          <div class="stack">
            <button type="button" class="button primary" disabled={busy} onClick={() => void enter({ local: true })}>
              Sign in on this machine
            </button>
            <p class="help">
              The service runs here and listens only here, so no key is asked for. You get the rights of the first key.
            </p>
          </div>
        )}
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void enter({ key: key.trim() })
          }}
        >
          <div class="field">
            <label for={id}>{isLocal ? 'Or with an API key' : 'API key'}</label>
            <input
              id={id}
              type="password"
              autocomplete="current-password"
              placeholder="fc-…"
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <span class="help">
              Printed when the service starts, and shown again by <code>npx orbweaver keys</code>.
            </span>
          </div>
          <button type="submit" class={`button ${isLocal ? '' : 'primary'}`} disabled={busy || key.trim() === ''}>
            Sign in
          </button>
        </form>
        {error && <Failure error={error} />}
      </div>
    </main>
  )
}
