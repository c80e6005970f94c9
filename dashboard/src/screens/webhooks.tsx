// Webhooks: what was sent, what came back, sending one again, and the secret that signs them.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Copy } from '../parts/code.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Badge, Empty, Failure, Loading, PageHead } from '../parts/states.tsx'
import type { Delivery, Secret } from '../wire.ts'
import { ago, plural } from '../words.ts'

const EVERY_MS = 3000
const kinds = { pending: 'live', delivered: 'good', dead: 'bad' } as const

export function WebhooksScreen() {
  const { value, error, again } = useLoaded(
    (signal) => call<{ data: Delivery[] }>({ path: '/v2/webhooks/deliveries?limit=200', signal }),
    [],
    EVERY_MS,
  )
  const [wrong, setWrong] = useState<Error>()
  const replay = async (id: string) => {
    setWrong(undefined)
    await call({ method: 'POST', path: `/v2/webhooks/deliveries/${id}/replay` }).catch(setWrong)
    again()
  }
  return (
    <div class="page">
      <PageHead title="Webhooks">
        What jobs reported to your servers in the last seven days, and what those answered.
      </PageHead>
      <SigningSecret />
      {error && <Failure error={error} onAgain={again} />}
      {wrong && <Failure error={wrong} />}
      <div class="card">
        {!value && !error && <Loading />}
        {value?.data.length === 0 && (
          <Empty icon="hook" title="Nothing was sent">
            <p>Give a crawl or a batch the option `webhook`, and what happens is reported there.</p>
          </Empty>
        )}
        {value && value.data.length > 0 && (
          <div class="scroll-x">
            <table>
              <caption class="sr-only">Deliveries, newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Event</th>
                  <th scope="col">To</th>
                  <th scope="col">State</th>
                  <th scope="col">Answer</th>
                  <th scope="col">When</th>
                  <th scope="col">
                    <span class="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {value.data.map((row) => (
                  <tr key={row.id}>
                    <td>
                      {row.event}
                      <div class="small">
                        <a href={`#/jobs/${row.jobId}`}>its job</a>
                      </div>
                    </td>
                    <td class="break">{row.url}</td>
                    <td>
                      <Badge kind={kinds[row.state]}>{row.state}</Badge>
                      <div class="small faint">{plural(row.attempts, 'try', 'tries')}</div>
                    </td>
                    <td class="small break">{row.error ?? row.status ?? '–'}</td>
                    <td>
                      {ago(row.createdAt)}
                      {row.nextAttemptAt && <div class="small faint">again {ago(row.nextAttemptAt)}</div>}
                    </td>
                    <td>
                      <button type="button" class="button slim" onClick={() => void replay(row.id)}>
                        Send again<span class="sr-only">: {row.event}</span>
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </div>
  )
}

const PATH = '/v2/admin/webhook-secret'

function SigningSecret() {
  const { value, error, again } = useLoaded(
    async (signal) => (await call<Secret>({ path: PATH, signal })).data.secret,
    [],
  )
  const [isShown, setShown] = useState(false)
  const [asks, setAsks] = useState<'POST' | 'DELETE'>()
  const [wrong, setWrong] = useState<Error>()
  const change = async (method: 'POST' | 'DELETE') => {
    await call({ method, path: PATH }).catch(setWrong)
    setShown(true)
    again()
  }
  return (
    <section class="card card-body" aria-label="Signing secret">
      <div class="row">
        <h2>Signing secret</h2>
        <Badge kind={value ? 'good' : undefined}>{value ? 'webhooks are signed' : 'webhooks are not signed'}</Badge>
      </div>
      {(error ?? wrong) && <Failure error={(error ?? wrong)!} />}
      {value && isShown && (
        <div class="secret">
          <code>{value}</code>
          <Copy text={value} />
        </div>
      )}
      <div class="row">
        {value && !isShown && (
          <button type="button" class="button slim" onClick={() => setShown(true)}>
            Show it
          </button>
        )}
        <button type="button" class="button slim" onClick={() => (value ? setAsks('POST') : void change('POST'))}>
          {value ? 'Make a new one' : 'Make one'}
        </button>
        {value && (
          <button type="button" class="button slim danger" onClick={() => setAsks('DELETE')}>
            Stop signing
          </button>
        )}
      </div>
      {asks && (
        <Confirm
          title={asks === 'POST' ? 'Make a new secret?' : 'Stop signing?'}
          action={asks === 'POST' ? 'Make a new one' : 'Stop signing'}
          onYes={() => void change(asks)}
          onClose={() => setAsks(undefined)}
        >
          <p>Receivers that check the signature with the old secret refuse what comes from now on.</p>
        </Confirm>
      )}
    </section>
  )
}
