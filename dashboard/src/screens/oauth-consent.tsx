// A hosted MCP client requests a key: a signed-in person consents, and the browser returns to the client with a code.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { Mark } from '../parts/icons.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { session } from '../session.ts'

interface OauthRequest {
  client: string
  host: string
  redirect?: string
}

export function OauthConsent() {
  const [request, setRequest] = useState<OauthRequest>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const send = async (consent?: boolean) => {
    setBusy(true)
    setError(undefined)
    try {
      const body = { query: location.search.slice(1), ...(consent === undefined ? {} : { consent }) }
      const found = await call<OauthRequest>({ method: 'POST', path: '/api/auth/oauth/authorize', body })
      if (found.redirect) location.assign(found.redirect)
      else setBusy(false)
      setRequest(found)
    } catch (failure) {
      setError(failure as Error)
      setBusy(false)
    }
  }
  useEffect(() => void send(), [])
  return (
    <main class="gate">
      <div class="card gate-card">
        <div class="row brand-head">
          <Mark size={34} />
          <h1>Connect a client</h1>
        </div>
        {request ? (
          <>
            <p>
              <strong>{request.client}</strong> requests a key of the team <strong>{session.value?.team}</strong>, and
              receives it at <strong>{request.host}</strong>. The name is the client's own claim: allow it only if you
              have just started it yourself.
            </p>
            <p>The key has no right to administer the team. You can revoke it under Keys at any time.</p>
            <div class="row">
              <button type="button" class="button primary" disabled={isBusy} onClick={() => void send(true)}>
                Allow
              </button>
              <button type="button" class="button plain" disabled={isBusy} onClick={() => void send(false)}>
                Do not allow
              </button>
            </div>
          </>
        ) : (
          !error && <Loading />
        )}
        {error && <Failure error={error} />}
      </div>
    </main>
  )
}
