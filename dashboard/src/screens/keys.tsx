// Keys: who may call, with what rights, until when. A key is shown once, when it is made.
import { useId, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { tick } from '../home/progress.ts'
import { useLoaded } from '../loading.ts'
import { Confirm } from '../parts/dialog.tsx'
import { FormDialog, NewKeyShown } from '../parts/form-dialog.tsx'
import { Badge, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { Values } from '../playground/field-parts.tsx'
import { Fields } from '../playground/fields.tsx'
import { bodyFields, type OpenApi, type Schema } from '../playground/schema.ts'
import { session } from '../session.ts'
import type { Key, NewKey, Usage } from '../wire.ts'
import { ago, moment } from '../words.ts'

const PATH = '/v2/admin/keys'
const kinds = { valid: 'good', expired: 'warn', revoked: undefined } as const

export function KeysScreen() {
  const { value, error, again } = useLoaded((signal) => call<{ data: Key[] }>({ path: PATH, signal }), [])
  const last = useLoaded(lastUse, []).value
  const [editing, setEditing] = useState<Key | 'new'>()
  const [revoking, setRevoking] = useState<Key>()
  const [wrong, setWrong] = useState<Error>()
  const revoke = async (key: Key) => {
    setWrong(undefined)
    await call({ method: 'DELETE', path: `${PATH}/${key.id}` }).catch(setWrong)
    again()
  }
  return (
    <div class="page">
      <PageHead
        title="Keys"
        actions={
          <button type="button" class="button primary" onClick={() => setEditing('new')}>
            New key
          </button>
        }
      >
        Give every program its own key, so that you can revoke it separately.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {wrong && <Failure error={wrong} />}
      {(value || !error) && (
        <div class="card">
          <Table
            label="Keys of the team"
            columns={columns(last, setEditing, setRevoking)}
            rows={value?.data}
            id={(key) => key.id}
            empty="The team has no key yet."
          />
        </div>
      )}
      {editing && (
        <KeyDialog
          changed={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onDone={again}
        />
      )}
      {revoking && (
        <Confirm
          title={`Revoke “${revoking.name}”?`}
          action="Revoke it"
          onYes={() => void revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>The next request with this key is refused. This cannot be undone.</p>
        </Confirm>
      )}
    </div>
  )
}

const DAY_MS = 86_400_000
const LOOKED_BACK = 90

/** The day each key was last used, out of the books. */
async function lastUse(signal: AbortSignal): Promise<Map<string, string>> {
  const from = new Date(Date.now() - LOOKED_BACK * DAY_MS).toISOString().slice(0, 10)
  const { data } = await call<Usage>({ path: `/v2/admin/usage?by=key,day&from=${from}`, signal })
  const days = new Map<string, string>()
  for (const { keyId, day } of data) if (keyId && day && day > (days.get(keyId) ?? '')) days.set(keyId, day)
  return days
}

const usedOn = (day: string | undefined): string =>
  day === undefined
    ? `no work in ${LOOKED_BACK} days`
    : day.slice(0, 10) === new Date().toISOString().slice(0, 10)
      ? 'today'
      : day.slice(0, 10)

const isOurs = (key: Key): boolean => key.id === session.value?.keyId

const columns = (
  last: ReadonlyMap<string, string> | undefined,
  onChange: (key: Key) => void,
  onRevoke: (key: Key) => void,
): Column<Key>[] => [
  {
    head: 'Name',
    kind: 'text',
    cell: (key) => (
      <>
        <strong>{key.name}</strong>
        {isOurs(key) && <div class="small faint">you are signed in with it</div>}
      </>
    ),
  },
  { head: 'Key', cell: ({ hint }) => <code>…{hint}</code> },
  { head: 'State', cell: ({ state }) => <Badge kind={kinds[state]}>{state}</Badge> },
  { head: 'May', kind: 'text', cell: (key) => <Rights of={key} /> },
  { head: 'Made', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
  { head: 'Last used', cell: ({ id }) => (last ? usedOn(last.get(id)) : '…') },
  {
    head: 'Until',
    cell: ({ revokedAt, expiresAt }) =>
      revokedAt ? `revoked ${ago(revokedAt)}` : expiresAt ? moment(expiresAt) : 'no end',
  },
  {
    head: 'Actions',
    kind: 'buttons',
    cell: (key) =>
      key.state !== 'revoked' && (
        <>
          <button type="button" class="button slim" onClick={() => onChange(key)}>
            Change<span class="sr-only"> {key.name}</span>
          </button>{' '}
          {!isOurs(key) && (
            <button type="button" class="button slim danger" onClick={() => onRevoke(key)}>
              Revoke<span class="sr-only"> {key.name}</span>
            </button>
          )}
        </>
      ),
  },
]

/** What a key may do: everything, unless it says what. */
const Rights = ({ of: { rights, endpoints, formats } }: { of: Key }) => (
  <span class="row tags">
    {rights.includes('admin') && <Badge kind="live">manage the team</Badge>}
    {endpoints.length === 0 ? <Badge>all endpoints</Badge> : endpoints.map((name) => <Badge key={name}>{name}</Badge>)}
    {formats.length > 0 && <span class="small soft">formats: {formats.join(', ')}</span>}
  </span>
)

/** A new key, or what may be changed of one. */
function KeyDialog({ changed, onClose, onDone }: { changed: Key | undefined; onClose(): void; onDone(): void }) {
  const id = useId()
  const [name, setName] = useState(changed?.name ?? '')
  const [values, setValues] = useState<Values>(changed ? rulesOf(changed) : {})
  const [until, setUntil] = useState(changed?.expiresAt ? localDay(changed.expiresAt) : '')
  const [made, setMade] = useState<NewKey>()
  const [error, setError] = useState<Error>()
  const rules = useLoaded((signal) => call<OpenApi>({ path: '/openapi.json', signal }), []).value
  const make = async () => {
    setError(undefined)
    const expiresAt = until ? new Date(`${until}T23:59:59`).toISOString() : null
    try {
      if (changed) {
        // A list that was emptied restricts to nothing any more.
        const lists = { rights: [], endpoints: [], formats: [], ...values }
        // The end is sent only when it was moved: one in the past cannot be set again.
        const isMoved = until !== (changed.expiresAt ? localDay(changed.expiresAt) : '')
        const body = { name, ...lists, ...(isMoved ? { expiresAt } : {}) }
        await call({ method: 'PATCH', path: `${PATH}/${changed.id}`, body })
        onDone()
        return onClose()
      }
      setMade(await call<NewKey>({ method: 'POST', path: PATH, body: { name, ...values, expiresAt } }))
      tick('connect')
      onDone()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  if (made)
    return (
      <NewKeyShown title="The new key" value={made.key} onClose={onClose}>
        Only its hash is stored: the key cannot be shown again.
      </NewKeyShown>
    )
  return (
    <FormDialog
      title={changed ? `Change ${changed.name}` : 'New key'}
      action={changed ? 'Save' : 'Make the key'}
      isReady={name.trim() !== ''}
      error={error}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <div class="field">
        <label for={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          value={name}
          placeholder="Used by"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <Fields fields={ruleFields(rules)} values={values} onChange={setValues} />
      <div class="field">
        <label for={`${id}-until`}>Expires on</label>
        <input id={`${id}-until`} type="date" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />
        <span class="help">Empty: the key does not expire.</span>
      </div>
    </FormDialog>
  )
}

/** How a key stands, in the words of a change. */
const rulesOf = ({ rights, endpoints, formats }: Key): Values =>
  Object.fromEntries(Object.entries({ rights, endpoints, formats }).filter(([, list]) => list.length > 0))

const localDay = (at: string): string => {
  const date = new Date(at)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

/** What a key can be restricted to, as the service says. */
function ruleFields(openApi: OpenApi | undefined): Record<string, Schema> {
  const fields = bodyFields(openApi, PATH, 'post')
  return Object.fromEntries(Object.entries(fields).filter(([name]) => /^(rights|endpoints|formats)$/.test(name)))
}
