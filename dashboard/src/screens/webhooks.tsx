// Webhooks: what was sent, what came back, sending one again, and the secret that signs them.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card, Choose } from '../parts/card.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { SecretShown } from '../parts/form-dialog.tsx'
import { Badge, Empty, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { Delivery, Secret } from '../wire.ts'
import { ago, moment, plural } from '../words.ts'
import { DeliverySheet } from './delivery-sheet.tsx'

const EVERY_MS = 3000
const MOST = 200
const AT_ONCE = 25
const kinds = { pending: 'live', delivered: 'good', dead: 'bad' } as const
const words = { pending: 'on its way', delivered: 'delivered', dead: 'given up' } as const

export function WebhooksScreen() {
  const { value, error, again } = useLoaded(
    (signal) => call<{ data: Delivery[] }>({ path: `/v2/webhooks/deliveries?limit=${MOST}`, signal }),
    [],
    EVERY_MS,
  )
  const [wrong, setWrong] = useState<Error>()
  const [state, setState] = useState<Delivery['state'] | ''>('')
  const [shown, setShown] = useState(AT_ONCE)
  const [open, setOpen] = useState<string>()
  const replay = async (id: string) => {
    setWrong(undefined)
    await call({ method: 'POST', path: `/v2/webhooks/deliveries/${id}/replay` }).catch(setWrong)
    again()
  }
  const rows = value?.data.filter((row) => state === '' || row.state === state)
  return (
    <div class="page">
      <PageHead title="Webhooks">Events sent to your servers in the last seven days, and the responses.</PageHead>
      <SigningSecret />
      {error && <Failure error={error} onAgain={again} />}
      {wrong && <Failure error={wrong} />}
      {(value || !error) && (
        <Card
          title="Deliveries"
          aside={
            <Choose
              label="Show"
              words={{ '': 'all', ...words }}
              value={state}
              onChange={(next) => {
                setState(next)
                setShown(AT_ONCE)
              }}
            />
          }
        >
          <Table
            label="Deliveries, newest first"
            columns={columns(setOpen, (id) => void replay(id))}
            rows={rows?.slice(0, shown)}
            id={(row) => row.id}
            empty={
              state === '' ? (
                <Empty icon="hook" title="No deliveries yet">
                  <p>
                    Give a crawl or a batch the option <code>webhook</code> to receive its events.
                  </p>
                </Empty>
              ) : (
                `None of the newest ${MOST} is ${words[state]}.`
              )
            }
          />
          {rows && rows.length > shown && (
            <div class="card-foot">
              <button type="button" class="button slim" onClick={() => setShown(shown + AT_ONCE)}>
                Show {Math.min(AT_ONCE, rows.length - shown)} more of {rows.length}
              </button>
            </div>
          )}
        </Card>
      )}
      {open && <DeliverySheet id={open} onClose={() => setOpen(undefined)} onReplay={() => replay(open)} />}
    </div>
  )
}

const columns = (onOpen: (id: string) => void, onReplay: (id: string) => void): Column<Delivery>[] => [
  { head: 'Event', cell: ({ event, jobId }) => <a href={`#/jobs/${jobId}`}>{event}</a> },
  { head: 'To', kind: 'text', cell: ({ url }) => url },
  {
    head: 'State',
    cell: ({ state, attempts }) => (
      <span class="row tags">
        <Badge kind={kinds[state]}>{words[state]}</Badge>
        {attempts > 1 && <span class="small faint">{plural(attempts, 'try', 'tries')}</span>}
      </span>
    ),
  },
  { head: 'Answer', kind: 'text', cell: ({ error, status }) => error ?? status ?? '–' },
  {
    head: 'When',
    cell: ({ createdAt, nextAttemptAt }) => (
      <>
        <span title={moment(createdAt)}>{ago(createdAt)}</span>
        {nextAttemptAt && <div class="small faint">again {ago(nextAttemptAt)}</div>}
      </>
    ),
  },
  {
    head: 'Actions',
    kind: 'buttons',
    cell: ({ id, event }) => (
      <>
        <button type="button" class="button slim" onClick={() => onOpen(id)}>
          See it<span class="sr-only">: {event}</span>
        </button>{' '}
        <button type="button" class="button slim" onClick={() => onReplay(id)}>
          Send again<span class="sr-only">: {event}</span>
        </button>
      </>
    ),
  },
]

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
        {value !== undefined && (
          <Badge kind={value ? 'good' : undefined}>{value ? 'webhooks are signed' : 'webhooks are not signed'}</Badge>
        )}
      </div>
      <p class="help">
        With a secret, every webhook has the header <code>X-Firecrawl-Signature</code>, so that the receiver can verify
        its origin.
      </p>
      {(error ?? wrong) && <Failure error={(error ?? wrong)!} />}
      {value && isShown && <SecretShown value={value} />}
      <div class="row">
        {value && !isShown && (
          <button type="button" class="button slim" onClick={() => setShown(true)}>
            Show it
          </button>
        )}
        <button type="button" class="button slim" onClick={() => (value ? setAsks('POST') : void change('POST'))}>
          {value ? 'Create a new one' : 'Make one'}
        </button>
        {value && (
          <button type="button" class="button slim danger" onClick={() => setAsks('DELETE')}>
            Stop signing
          </button>
        )}
      </div>
      {asks && (
        <Confirm
          title={asks === 'POST' ? 'Create a new secret?' : 'Stop signing?'}
          action={asks === 'POST' ? 'Create a new one' : 'Stop signing'}
          onYes={() => void change(asks)}
          onClose={() => setAsks(undefined)}
        >
          <p>Receivers that check the signature with the old secret will refuse new deliveries.</p>
        </Confirm>
      )}
    </section>
  )
}
