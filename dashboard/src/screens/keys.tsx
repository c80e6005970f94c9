// Keys: who may call, with what rights, until when. A key is shown once, when it is made.
import { useId, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { tick } from '../home/progress.ts'
import { useLoaded } from '../loading.ts'
import { Confirm } from '../parts/dialog.tsx'
import { FormDialog, NewKeyShown } from '../parts/form-dialog.tsx'
import { Badge, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Fields, type Values } from '../playground/fields.tsx'
import type { OpenApi, Schema } from '../playground/schema.ts'
import { session } from '../session.ts'
import type { Key, NewKey } from '../wire.ts'
import { ago, moment } from '../words.ts'

const PATH = '/v2/admin/keys'
const kinds = { valid: 'good', expired: 'warn', revoked: undefined } as const

export function KeysScreen() {
  const { value, error, again } = useLoaded((signal) => call<{ data: Key[] }>({ path: PATH, signal }), [])
  const [isMaking, setMaking] = useState(false)
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
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            New key
          </button>
        }
      >
        Give every program a key of its own, so that it can be revoked by itself.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {wrong && <Failure error={wrong} />}
      {(value || !error) && (
        <div class="card">
          <Table
            label="Keys of the team"
            columns={columns(setRevoking)}
            rows={value?.data}
            id={(key) => key.id}
            empty="The team has no key yet."
          />
        </div>
      )}
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} onMade={again} />}
      {revoking && (
        <Confirm
          title={`Revoke “${revoking.name}”?`}
          action="Revoke it"
          onYes={() => void revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>Programs that use this key are refused from the next request on. This cannot be undone.</p>
        </Confirm>
      )}
    </div>
  )
}

const isOurs = (key: Key): boolean => key.id === session.value?.keyId

const columns = (onRevoke: (key: Key) => void): Column<Key>[] => [
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
  {
    head: 'Until',
    cell: ({ revokedAt, expiresAt }) =>
      revokedAt ? `revoked ${ago(revokedAt)}` : expiresAt ? moment(expiresAt) : 'no end',
  },
  {
    head: 'Actions',
    kind: 'buttons',
    cell: (key) =>
      key.state === 'valid' &&
      !isOurs(key) && (
        <button type="button" class="button slim danger" onClick={() => onRevoke(key)}>
          Revoke<span class="sr-only"> {key.name}</span>
        </button>
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

function NewKeyDialog({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const id = useId()
  const [name, setName] = useState('')
  const [values, setValues] = useState<Values>({})
  const [until, setUntil] = useState('')
  const [made, setMade] = useState<NewKey>()
  const [error, setError] = useState<Error>()
  const rules = useLoaded((signal) => call<OpenApi>({ path: '/openapi.json', signal }), []).value
  const make = async () => {
    setError(undefined)
    const expiresAt = until ? new Date(`${until}T23:59:59`).toISOString() : null
    try {
      setMade(await call<NewKey>({ method: 'POST', path: PATH, body: { name, ...values, expiresAt } }))
      tick('connect')
      onMade()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  if (made)
    return (
      <NewKeyShown title="The new key" value={made.key} onClose={onClose}>
        Only a fingerprint of it is kept: it cannot be shown again.
      </NewKeyShown>
    )
  return (
    <FormDialog
      title="New key"
      action="Make the key"
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
          placeholder="What will use it?"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <Fields fields={ruleFields(rules)} values={values} onChange={setValues} />
      <div class="field">
        <label for={`${id}-until`}>Works until</label>
        <input id={`${id}-until`} type="date" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />
        <span class="help">Empty: until it is revoked.</span>
      </div>
    </FormDialog>
  )
}

/** What a key can be restricted to, as the service says. */
function ruleFields(openApi: OpenApi | undefined): Record<string, Schema> {
  const fields = openApi?.paths[PATH]?.post?.requestBody?.content['application/json']?.schema.properties ?? {}
  return Object.fromEntries(Object.entries(fields).filter(([name]) => /^(rights|endpoints|formats)$/.test(name)))
}
