// Connect: the lines to paste into each client, with a key made for it, and how its last call went.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { tick } from '../home/progress.ts'
import { useLoaded } from '../loading.ts'
import { Code, Copy } from '../parts/code.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Badge, Failure, Notice, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { NewKey } from '../wire.ts'
import { ago, moment } from '../words.ts'

interface Client {
  id: string
  title: string
  where: string
  text: string
  note: string | null
  lastCall: { at: string; endpoint: string; status: number; error: string | null; advice: string | null } | null
}

interface Clients {
  keyPlaceholder: string
  data: Client[]
}

const EVERY_MS = 5000

export function ConnectScreen() {
  const { value, error, again } = useLoaded((signal) => call<Clients>({ path: '/v2/connect', signal }), [], EVERY_MS)
  const [shown, setShown] = useState<Client>()
  return (
    <div class="page">
      <PageHead title="Connect">Clients of Firecrawl work with this service: they need this URL and a key.</PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <div class="card">
          <Table label="Clients" columns={columns(setShown)} rows={value?.data} id={({ id }) => id} />
        </div>
      )}
      {shown && value && (
        <ConnectDialog client={shown} placeholder={value.keyPlaceholder} onClose={() => setShown(undefined)} />
      )}
    </div>
  )
}

const columns = (onShow: (client: Client) => void): Column<Client>[] => [
  { head: 'Client', kind: 'text', cell: ({ title }) => <strong>{title}</strong> },
  { head: 'Configuration', kind: 'text', cell: ({ where }) => where },
  { head: 'Last call', kind: 'text', cell: ({ lastCall }) => <LastCall of={lastCall} /> },
  {
    head: 'Actions',
    kind: 'buttons',
    cell: (client) => (
      <button type="button" class="button slim" onClick={() => onShow(client)}>
        Connect<span class="sr-only"> {client.title}</span>
      </button>
    ),
  },
]

function LastCall({ of: last }: { of: Client['lastCall'] }) {
  if (!last) return <span class="faint">none yet</span>
  const { at, endpoint, status, error, advice } = last
  return (
    <>
      <Badge kind={status < 400 ? 'good' : 'bad'}>{status < 400 ? 'works' : `failed (${status})`}</Badge>{' '}
      <span title={moment(at)}>
        {endpoint}, {ago(at)}
      </span>
      {error && <div class="small">{error}</div>}
      {advice && <div class="small soft">{advice}</div>}
    </>
  )
}

interface ConnectDialogProps {
  client: Client
  placeholder: string
  onClose(): void
}

function ConnectDialog({ client, placeholder, onClose }: ConnectDialogProps) {
  const [key, setKey] = useState<string>()
  const [error, setError] = useState<Error>()
  const make = async () => {
    setError(undefined)
    try {
      const made = await call<NewKey>({ method: 'POST', path: '/v2/admin/keys', body: { name: client.title } })
      setKey(made.key)
      tick('connect')
    } catch (failure) {
      setError(failure as Error)
    }
  }
  const text = key === undefined ? client.text : client.text.replaceAll(placeholder, key)
  return (
    <Dialog title={`Connect ${client.title}`} onClose={onClose}>
      {client.note && <Notice kind="warn">{client.note}</Notice>}
      <p>{client.where}:</p>
      <Code text={text} label={`Lines for ${client.title}`} />
      <div class="row">
        <Copy text={text} />
        {key === undefined && (
          <button type="button" class="button primary" onClick={() => void make()}>
            Create a key for it
          </button>
        )}
      </div>
      {key !== undefined && <p class="help">Copy the lines now: the key cannot be shown again.</p>}
      {error && <Failure error={error} />}
    </Dialog>
  )
}
