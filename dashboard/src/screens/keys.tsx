// Keys: who may call, with what rights, until when. A key is shown once, when it is made.
import { useId, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Copy } from '../parts/code.tsx'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { Badge, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
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
      <div class="card">
        {!value && !error && <Loading />}
        {value && (
          <div class="scroll-x">
            <table>
              <caption class="sr-only">Keys of the team</caption>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Key</th>
                  <th scope="col">State</th>
                  <th scope="col">May</th>
                  <th scope="col">Made</th>
                  <th scope="col">Until</th>
                  <th scope="col">
                    <span class="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {value.data.map((key) => (
                  <Row key={key.id} of={key} onRevoke={() => setRevoking(key)} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
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

function Row({ of: key, onRevoke }: { of: Key; onRevoke(): void }) {
  const isOurs = key.id === session.value?.keyId
  return (
    <tr>
      <td class="break">
        <strong>{key.name}</strong>
        {isOurs && <div class="small faint">you are signed in with it</div>}
      </td>
      <td>
        <code>…{key.hint}</code>
      </td>
      <td>
        <Badge kind={kinds[key.state]}>{key.state}</Badge>
      </td>
      <td class="small">
        {key.rights.includes('admin') ? 'manage the team; ' : ''}
        {key.endpoints.length > 0 ? key.endpoints.join(', ') : 'all endpoints'}
        {key.formats.length > 0 ? `; formats ${key.formats.join(', ')}` : ''}
      </td>
      <td title={moment(key.createdAt)}>{ago(key.createdAt)}</td>
      <td>{key.revokedAt ? `revoked ${ago(key.revokedAt)}` : key.expiresAt ? moment(key.expiresAt) : 'no end'}</td>
      <td>
        {key.state === 'valid' && !isOurs && (
          <button type="button" class="button slim danger" onClick={onRevoke}>
            Revoke<span class="sr-only"> {key.name}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

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
      onMade()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  if (made)
    return (
      <Dialog title="The new key" onClose={onClose}>
        <Notice kind="good">
          <strong>Copy it now</strong>
          <span>Only a fingerprint of it is kept: it cannot be shown again.</span>
        </Notice>
        <div class="secret">
          <code>{made.key}</code>
          <Copy text={made.key} />
        </div>
      </Dialog>
    )
  return (
    <Dialog title="New key" onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void make()
        }}
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
          <input
            id={`${id}-until`}
            type="date"
            value={until}
            onInput={(event) => setUntil(event.currentTarget.value)}
          />
          <span class="help">Empty: until it is revoked.</span>
        </div>
        {error && <Failure error={error} />}
        <div class="row">
          <button type="submit" class="button primary" disabled={name.trim() === ''}>
            Make the key
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** What a key can be restricted to, as the service says. */
function ruleFields(openApi: OpenApi | undefined): Record<string, Schema> {
  const fields = openApi?.paths[PATH]?.post?.requestBody?.content['application/json']?.schema.properties ?? {}
  return Object.fromEntries(Object.entries(fields).filter(([name]) => /^(rights|endpoints|formats)$/.test(name)))
}
