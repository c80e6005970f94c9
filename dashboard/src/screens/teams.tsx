// Teams: their plans, credits and where they may call from; for the operator also new ones. And who changed what.
import { useId, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { FormDialog, NewKeyShown } from '../parts/form-dialog.tsx'
import { Badge, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { Values } from '../playground/field-parts.tsx'
import { Fields } from '../playground/fields.tsx'
import { bodyFields, type OpenApi } from '../playground/schema.ts'
import type { Audit, Key, Me, NewTeam, Team } from '../wire.ts'
import { ago, count, facts, moment } from '../words.ts'

const PATH = '/v2/admin/teams'
/** Credits go while one looks. */
const EVERY_MS = 5000

export function TeamsScreen() {
  const me = useLoaded(async (signal) => (await call<Me>({ path: '/v2/admin/me', signal })).data, []).value
  const { value, error, again } = useLoaded((signal) => call<{ data: Team[] }>({ path: PATH, signal }), [], EVERY_MS)
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
        Each team has its own keys, credits and limits, and cannot see the data of other teams.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <div class="card">
          <Table
            label="Teams you can manage"
            columns={columns(me?.team.id, setEditing)}
            rows={value?.data}
            id={(team) => team.id}
            empty="You cannot manage any team."
          />
        </div>
      )}
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

const RETENTION = { off: 'pages are kept', allowed: 'as asked', forced: 'nothing is kept' } as const

const columns = (ours: string | undefined, onChange: (team: Team) => void): Column<Team>[] => [
  {
    head: 'Team',
    kind: 'text',
    cell: ({ id, name }) => (
      <>
        <strong>{name}</strong>
        {id === ours && <div class="small faint">yours</div>}
      </>
    ),
  },
  { head: 'Plan', cell: ({ plan }) => <Badge>{plan}</Badge> },
  {
    head: 'Credits left',
    kind: 'number',
    cell: ({ credits: { left } }) => (left === null ? 'no limit' : count(left)),
  },
  { head: 'Spent', kind: 'number', cell: ({ credits }) => count(credits.spent) },
  { head: 'May call from', kind: 'text', cell: ({ ipAllow }) => ipAllow.join(', ') || 'anywhere' },
  { head: 'Retention', cell: ({ zeroDataRetention }) => RETENTION[zeroDataRetention] },
  {
    head: 'Actions',
    kind: 'buttons',
    cell: (team) => (
      <button type="button" class="button slim" onClick={() => onChange(team)}>
        Change<span class="sr-only"> {team.name}</span>
      </button>
    ),
  },
]

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
  const [values, setValues] = useState<Values>(team ? valuesOf(team) : {})
  const [made, setMade] = useState<NewTeam>()
  const [error, setError] = useState<Error>()
  const rules = useLoaded((signal) => call<OpenApi>({ path: '/openapi.json', signal }), []).value
  const save = async () => {
    setError(undefined)
    try {
      if (team) {
        const body = changes({ ...values, name }, { ...valuesOf(team), name: team.name })
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
      <NewKeyShown title={`The first key of ${made.data.name}`} value={made.key} onClose={onClose}>
        This key can manage the team. It cannot be shown again.
      </NewKeyShown>
    )
  const body = team ? bodyFields(rules, `${PATH}/{id}`, 'patch') : bodyFields(rules, PATH, 'post')
  const fields = Object.entries(body).filter(
    ([field]) => !NOT_HERE.test(field) && (isOperator || !OPERATORS.test(field)),
  )
  return (
    <FormDialog
      title={team ? `Change ${team.name}` : 'New team'}
      action={team ? 'Save' : 'Make the team'}
      isReady={name.trim() !== ''}
      error={error}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div class="field">
        <label for={id}>Name</label>
        <input id={id} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </div>
      <Fields fields={Object.fromEntries(fields)} values={values} onChange={setValues} />
    </FormDialog>
  )
}

/** How a team stands, in the words of a change. */
const valuesOf = ({ plan, zeroDataRetention, credits, ipAllow }: Team): Values => ({
  plan,
  zeroDataRetention,
  ...(credits.granted === null ? {} : { credits: credits.granted }),
  ...(ipAllow.length > 0 ? { ipAllow } : {}),
})

/** Only what is different. An emptied field is a choice too: no limit, from anywhere. */
function changes(now: Values, before: Values): Values {
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
  return {
    ...Object.fromEntries(changed),
    ...(before.credits !== undefined && now.credits === undefined ? { credits: null } : {}),
    ...(before.ipAllow && !now.ipAllow ? { ipAllow: [] } : {}),
  }
}

function AuditLog() {
  const { value, error, again } = useLoaded((signal) => call<Audit>({ path: '/v2/admin/audit?limit=50', signal }), [])
  const keys = useLoaded((signal) => call<{ data: Key[] }>({ path: '/v2/admin/keys', signal }), []).value?.data ?? []
  const nameOfKey = (id: string) => keys.find((key) => key.id === id)?.name ?? id
  return (
    <Card title="Audit log">
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Table
          label="Changes, newest first"
          columns={[
            { head: 'When', cell: ({ at }) => <span title={moment(at)}>{ago(at)}</span> },
            { head: 'What', cell: ({ action }) => action },
            { head: 'Details', kind: 'text', cell: ({ details }) => facts(details) || '–' },
            { head: 'Key', kind: 'text', cell: ({ actor }) => nameOfKey(actor) },
          ]}
          rows={value?.data}
          id={(row) => row.id}
          empty="No changes yet."
        />
      )}
    </Card>
  )
}
