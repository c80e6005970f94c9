// One webhook: the body that was sent, its headers and signature, what the receiver answered each time, and sending it again.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Code } from '../parts/code.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Badge, Failure, Loading } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { WholeDelivery } from '../wire.ts'
import { ago, bytes, duration, moment } from '../words.ts'

const EVERY_MS = 2000

type Try = WholeDelivery['tries'][number]

export function DeliverySheet({ id, onClose, onReplay }: { id: string; onClose(): void; onReplay(): Promise<void> }) {
  const path = `/v2/webhooks/deliveries/${id}`
  const { value, error, again } = useLoaded(
    async (signal) => (await call<{ data: WholeDelivery }>({ path, signal })).data,
    [id],
    EVERY_MS,
  )
  return (
    <Dialog title={value ? value.event : 'Webhook'} onClose={onClose}>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading />}
      {value && (
        <div class="stack result-scroll">
          <p class="break">
            <strong>POST</strong> <code>{value.url}</code>
          </p>
          <div class="row">
            <button type="button" class="button" onClick={() => void onReplay().then(again)}>
              Send again
            </button>
            <span class="help">With the same id and body, signed with the current secret.</span>
          </div>
          <section class="stack" aria-label="Tries">
            <h3>Tries</h3>
            <Table
              label="Delivery attempts, newest first"
              columns={TRIES}
              rows={value.tries}
              id={({ at }) => at}
              empty="Not sent yet."
            />
          </section>
          <section class="stack" aria-label="Headers">
            <h3>Headers</h3>
            <Code
              label="Headers"
              text={Object.entries(value.headers)
                .map((pair) => pair.join(': '))
                .join('\n')}
            />
          </section>
          <section class="stack" aria-label="Body">
            <h3>Body {value.body !== null && <span class="faint small">{bytes(value.bodyBytes)}</span>}</h3>
            {value.body === null ? (
              <p class="help">Not stored: the job has zero data retention.</p>
            ) : (
              <Code label="Body" text={pretty(value.body)} />
            )}
          </section>
        </div>
      )}
    </Dialog>
  )
}

const TRIES: Column<Try>[] = [
  { head: 'When', cell: ({ at }) => <span title={moment(at)}>{ago(at)}</span> },
  {
    head: 'Answer',
    kind: 'text',
    cell: ({ status, error }) => (
      <>
        <Badge kind={error === null ? 'good' : 'bad'}>{status ?? 'no answer'}</Badge>{' '}
        {error !== null && <span class="small">{error}</span>}
      </>
    ),
  },
  { head: 'Took', kind: 'number', cell: ({ ms }) => duration(ms) },
  {
    head: 'Signature',
    kind: 'text',
    cell: ({ signature }) => (signature ? <code class="break small">{signature}</code> : 'not signed'),
  },
]

/** Easier to read with line breaks; one that was cut is shown as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
