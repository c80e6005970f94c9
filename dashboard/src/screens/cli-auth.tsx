// A command line waits for a key: whoever is signed in hands one over. The id of its session stands in the fragment of
// the address, which no server ever sees; this page sends it on, with the challenge, only when a person says so.
import { useState } from 'preact/hooks'
import { call, root } from '../call.ts'
import { Mark } from '../parts/icons.tsx'
import { Failure, Notice } from '../parts/states.tsx'
import { session } from '../session.ts'

const loginRequest = () => ({
  session_id: new URLSearchParams(location.hash.slice(1)).get('session_id') ?? '',
  code_challenge: new URLSearchParams(location.search).get('code_challenge') ?? '',
})

export function CliAuth() {
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking')
  const [error, setError] = useState<Error>()
  const { session_id, code_challenge } = loginRequest()
  const isWhole = session_id !== '' && code_challenge !== ''
  const allow = async () => {
    setState('busy')
    setError(undefined)
    try {
      await call({ method: 'POST', path: '/api/auth/cli/complete', body: { session_id, code_challenge } })
      setState('done')
    } catch (failure) {
      setError(failure as Error)
      setState('asking')
    }
  }
  return (
    <main class="gate">
      <div class="card gate-card">
        <div class="row brand-head">
          <Mark size={34} />
          <h1>Command line</h1>
        </div>
        {state === 'done' ? (
          <Notice kind="good">
            <strong>Done</strong>
            <span>The command line has its key. You can close this page.</span>
          </Notice>
        ) : isWhole ? (
          <>
            <p>
              A command line requests a key of the team <strong>{session.value?.team}</strong>. Allow it only if you
              have just started it yourself.
            </p>
            <div class="row">
              <button type="button" class="button primary" disabled={state === 'busy'} onClick={() => void allow()}>
                Allow
              </button>
              <a class="button plain" href={`${root}/`}>
                Do not allow
              </a>
            </div>
          </>
        ) : (
          <Notice kind="warn">
            <strong>This URL is incomplete</strong>
            <span>
              The session or the challenge is missing. Start the login in the command line again, and open the URL that
              it prints.
            </span>
          </Notice>
        )}
        {error && <Failure error={error} />}
      </div>
    </main>
  )
}
