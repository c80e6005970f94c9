// Teams: their plans, credits and where they may call from; for the operator also new ones. And who changed what.
import { useId, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Copy } from '../parts/code.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Badge, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { Fields, type Values } from '../playground/fields.tsx'
import type { OpenApi, Schema } from '../playground/schema.ts'
import type { Audit, Key, Me, NewTeam, Team } from '../wire.ts'
import { ago, count, moment } from '../words.ts'

const PATH = '/v2/admin/teams'

export function TeamsScreen() {
  const me = useLoaded(async (signal) => (await call<Me>({ path: '/v2/admin/me', signal })).data, []).value
  const { value, error, again } = useLoaded((signal) => call<{ data: Team[] }>({ path: PATH, signal }), [])
  const [editing, setEditing] = useState<Team | 'new'>()
  return (
    <div class="page">
      <PageHead
        title="Teams"
        actions={
          me?.isOperator && (
            <button type="button" class="button primary" onClick={() => setEditing('new')}>
              New team
            </button>
          )
        }
      >
        Each team has its own keys, credits and limits, and sees nothing of the others.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      <div class="card">
        {!value && !error && <Loading />}
        {value && (
          <div class="scroll-x">
            <table>
              <caption class="sr-only">Teams you may manage</caption>
              <thead>
                <tr>
                  <th scope="col">Team</th>
                  <th scope="col">Plan</th>
                  <th scope="col">Credits left</th>
                  <th scope="col">Spent</th>
                  <th scope="col">May call from</th>
                  <th scope="col">Retention</th>
                  <th scope="col">
                    <span class="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {value.data.map((team) => (
                  <tr key={team.id}>
                    <td class="break">
                      <strong>{team.name}</strong>
                      {team.id === me?.team.id && <div class="small faint">yours</div>}
                    </td>
                    <td>
                      <Badge>{team.plan}</Badge>
                    </td>
                    <td class="number">{team.credits.left === null ? 'no limit' : count(team.credits.left)}</td>
                    <td class="number">{count(team.credits.spent)}</td>
                    <td class="small break">{team.ipAllow.length > 0 ? team.ipAllow.join(', ') : 'anywhere'}</td>
                    <td class="small">
                      {
                        { off: 'pages are kept', allowed: 'as asked', forced: 'nothing is kept' }[
                          team.zeroDataRetention
                        ]
                      }
                    </td>
                    <td>
                      <button type="button" class="button slim" onClick={() => setEditing(team)}>
                        Change<span class="sr-only"> {team.name}</span>
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <AuditLog />
      {editing && (
        <TeamDialog
          team={editing === 'new' ? undefined : editing}
          isOperator={me?.isOperator ?? false}
          onClose={() => setEditing(undefined)}
          onDone={again}
        />
      )}
    </div>
  )
}

/** Only the operator's to set. */
const OPERATORS = /^(plan|credits|addCredits|zeroDataRetention)$/
const NOT_HERE = /^(origin|integration|name)$/

function TeamDialog({
  team,
  isOperator,
  onClose,
  onDone,
}: {
  team: Team | undefined
  isOperator: boolean
  onClose(): void
  onDone(): void
}) {
  const id = useId()
  const [name, setName] = useState(team?.name ?? '')
  const [values, setValues] = useState<Values>(team && team.ipAllow.length > 0 ? { ipAllow: team.ipAllow } : {})
  const [made, setMade] = useState<NewTeam>()
  const [error, setError] = useState<Error>()
  const rules = useLoaded((signal) => call<OpenApi>({ path: '/openapi.json', signal }), []).value
  const save = async () => {
    setError(undefined)
    try {
      if (team) {
        // An empty list is a choice too: from anywhere.
        const body = { ...values, ...(name === team.name ? {} : { name }), ipAllow: values.ipAllow ?? [] }
        await call({ method: 'PATCH', path: `${PATH}/${team.id}`, body })
        onDone()
        return onClose()
      }
      setMade(await call<NewTeam>({ method: 'POST', path: PATH, body: { name, ...values } }))
      onDone()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  if (made)
    return (
      <Dialog title={`The first key of ${made.data.name}`} onClose={onClose}>
        <Notice kind="good">
          <strong>Copy it now</strong>
          <span>It may manage the team, and cannot be shown again.</span>
        </Notice>
        <div class="secret">
          <code>{made.key}</code>
          <Copy text={made.key} />
        </div>
      </Dialog>
    )
  const operation = team ? rules?.paths[`${PATH}/{id}`]?.patch : rules?.paths[PATH]?.post
  const fields: [string, Schema][] = Object.entries(
    operation?.requestBody?.content['application/json']?.schema.properties ?? {},
  ).filter(([field]) => !NOT_HERE.test(field) && (isOperator || !OPERATORS.test(field)))
  return (
    <Dialog title={team ? `Change ${team.name}` : 'New team'} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div class="field">
          <label for={id}>Name</label>
          <input id={id} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </div>
        <Fields fields={Object.fromEntries(fields)} values={values} onChange={setValues} />
        {error && <Failure error={error} />}
        <div class="row">
          <button type="submit" class="button primary" disabled={name.trim() === ''}>
            {team ? 'Save' : 'Make the team'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function AuditLog() {
  const { value, error, again } = useLoaded((signal) => call<Audit>({ path: '/v2/admin/audit?limit=50', signal }), [])
  const keys = useLoaded((signal) => call<{ data: Key[] }>({ path: '/v2/admin/keys', signal }), []).value?.data ?? []
  const named = (id: string) => keys.find((key) => key.id === id)?.name ?? id
  return (
    <section class="card" aria-label="Audit log">
      <div class="card-head">
        <h2>Who changed what</h2>
      </div>
      {error && <Failure error={error} onAgain={again} />}
      {value?.data.length === 0 && <p class="card-body help">Nothing was changed yet.</p>}
      {value && value.data.length > 0 && (
        <div class="scroll-x">
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What</th>
                <th scope="col">Details</th>
                <th scope="col">By the key</th>
              </tr>
            </thead>
            <tbody>
              {value.data.map((row) => (
                <tr key={row.id}>
                  <td title={moment(row.at)}>{ago(row.at)}</td>
                  <td>{row.action}</td>
                  <td class="small break">{toldOf(row.details)}</td>
                  <td class="small break">{named(row.actor)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** What says something: empty lists and nothings are left out. */
const toldOf = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
