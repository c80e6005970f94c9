// Stored flows: the list, and one flow with its steps, a run with parameters, a schedule, its versions and vault entries.
import { useState } from 'preact/hooks'
import { call, saveText } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Badge, Empty, Failure, Loading, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { go } from '../route.ts'
import { ago, moment, plural } from '../words.ts'

interface FlowListed {
  name: string
  version: number
  steps: number
  parameters: Record<string, Parameter>
  createdAt: string
}

interface Parameter {
  default?: string
  secret?: boolean
}

interface Step {
  type: string
  target?: { role?: string; name?: string; label?: string; selector?: string; within?: string }
  [detail: string]: unknown
}

interface Flow extends Omit<FlowListed, 'steps'> {
  steps: Step[]
  versions: { version: number; createdAt: string }[]
}

interface FlowRun {
  success: boolean
  data?: Record<string, unknown>
  document?: { markdown?: string; metadata?: { url?: string } }
}

const SCHEDULES = ['hourly', 'every 6 hours', 'daily at 9am', 'weekly'] as const

export const FlowsScreen = ({ rest: [name] }: { rest: string[] }) =>
  name ? <FlowScreen key={name} name={name} /> : <FlowList />

function FlowList() {
  const { value, error, again } = useLoaded((signal) => call<{ flows: FlowListed[] }>({ path: '/v2/flow', signal }), [])
  return (
    <div class="page">
      <PageHead title="Flows">
        Recorded steps to run again: manually, on a schedule, or as an action of a scrape.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Card title="Stored flows">
          <Table
            label="Flows by name"
            columns={listColumns}
            rows={value?.flows}
            id={({ name }) => name}
            empty={
              <Empty icon="flow" title="There is no flow yet">
                <p>
                  Open a <a href="#/sessions">session</a>, perform the steps once, and save them as a flow.
                </p>
              </Empty>
            }
          />
        </Card>
      )}
    </div>
  )
}

const listColumns: readonly Column<FlowListed>[] = [
  { head: 'Flow', kind: 'text', cell: ({ name }) => <a href={`#/flows/${encodeURIComponent(name)}`}>{name}</a> },
  { head: 'Steps', kind: 'number', cell: ({ steps }) => steps },
  { head: 'Parameters', kind: 'text', cell: ({ parameters }) => Object.keys(parameters).join(', ') },
  { head: 'Version', kind: 'number', cell: ({ version }) => version },
  { head: 'Saved', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
]

function FlowScreen({ name }: { name: string }) {
  const path = `/v2/flow/${encodeURIComponent(name)}`
  const [version, setVersion] = useState<number>()
  const { value, error, again } = useLoaded(
    (signal) => call<Flow>({ path: version ? `${path}?version=${version}` : path, signal }),
    [name, version],
  )
  const [isLeaving, setLeaving] = useState(false)
  const [wrong, setWrong] = useState<Error>()
  if (!value) return <div class="page">{error ? <Failure error={error} onAgain={again} /> : <Loading />}</div>
  const vault = value.steps.flatMap((step) => (step.type === 'login' ? [String(step.vault)] : []))
  const save = async () => {
    const { script } = await call<{ script: string }>({ path: `${path}/playwright` })
    saveText(script, `${name}.spec.ts`, 'text/plain')
  }
  return (
    <div class="page">
      <PageHead
        title={name}
        actions={
          <>
            <button type="button" class="button slim" onClick={() => void save().catch(setWrong)}>
              Export as Playwright
            </button>
            <button type="button" class="button slim danger" onClick={() => setLeaving(true)}>
              Delete
            </button>
          </>
        }
      >
        Version {value.version}, {plural(value.steps.length, 'step')}
        {vault.length > 0 && <>, signs in with the vault entry {[...new Set(vault)].join(', ')}</>}
      </PageHead>
      {wrong && <Failure error={wrong} />}
      <RunFlow flow={value} path={path} />
      <Card title="Steps">
        <Table
          label="Steps in order"
          columns={stepColumns}
          rows={value.steps.map((step, at) => ({ step, at: at + 1 }))}
          id={({ at }) => String(at)}
        />
      </Card>
      <Card title="Versions">
        <Table
          label="Versions, newest first"
          columns={versionColumns(value.version, setVersion)}
          rows={value.versions}
          id={(one) => String(one.version)}
        />
      </Card>
      {isLeaving && (
        <Confirm
          title={`Delete the flow ${name}?`}
          action="Delete it"
          onYes={() => void call({ method: 'DELETE', path }).then(() => go('flows'), setWrong)}
          onClose={() => setLeaving(false)}
        >
          <p>All its versions are deleted. Monitors that run it will fail.</p>
        </Confirm>
      )}
    </div>
  )
}

const stepColumns: readonly Column<{ step: Step; at: number }>[] = [
  { head: 'Step', kind: 'number', cell: ({ at }) => at },
  { head: 'Action', cell: ({ step }) => <Badge>{step.type}</Badge> },
  { head: 'Element', kind: 'text', cell: ({ step: { target } }) => target && describeTarget(target) },
  {
    head: 'Details',
    kind: 'text',
    cell: ({ step: { type: _type, target: _target, ...details } }) =>
      Object.entries(details)
        .map(([key, detail]) => `${key}: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`)
        .join(', '),
  },
]

const describeTarget = ({ role, name, label, selector, within }: NonNullable<Step['target']>): string =>
  [role, name ? `“${name}”` : (label ?? selector), within ? `in “${within}”` : undefined].filter(Boolean).join(' ')

const versionColumns = (shown: number, onShow: (version: number) => void): Column<Flow['versions'][number]>[] => [
  { head: 'Version', kind: 'number', cell: ({ version }) => version },
  { head: 'Saved', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
  {
    head: 'Show',
    kind: 'buttons',
    cell: ({ version }) => (
      <button type="button" class="button slim" disabled={version === shown} onClick={() => onShow(version)}>
        {version === shown ? 'Shown' : `Show version ${version}`}
      </button>
    ),
  },
]

function RunFlow({ flow, path }: { flow: Flow; path: string }) {
  const [values, setValues] = useState<Record<string, string>>({})
  const [schedule, setSchedule] = useState<string>(SCHEDULES[0])
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<FlowRun>()
  const [wrong, setWrong] = useState<Error>()
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setWrong(undefined)
    await work().catch(setWrong)
    setBusy(false)
  }
  const run = () =>
    attempt(async () => {
      setResult(undefined)
      const body = { with: given, version: flow.version, formats: ['markdown'] }
      setResult(await call<FlowRun>({ method: 'POST', path: `${path}/run`, body }))
    })
  const watch = () =>
    attempt(async () => {
      const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const targets = [{ type: 'flow', name: flow.name, with: given }]
      const body = { name: `Flow ${flow.name}`, schedule: { text: schedule, timezone }, targets }
      const { data } = await call<{ data: { id: string } }>({ method: 'POST', path: '/v2/monitor', body })
      go(`monitors/${data.id}`)
    })
  return (
    <Card title="Run it">
      <form
        class="card-body stack"
        aria-label="Run the flow"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        {Object.entries(flow.parameters).map(([name, { default: usual, secret }]) => (
          <ParameterField
            key={name}
            name={name}
            isSecret={secret === true}
            placeholder={usual ?? ''}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        {wrong && <Failure error={wrong} />}
        <div class="row">
          <button type="submit" class="button primary" disabled={busy}>
            {busy ? 'Running …' : 'Run'}
          </button>
          <label class="row small">
            or run it
            <select value={schedule} onChange={(event) => setSchedule(event.currentTarget.value)}>
              {SCHEDULES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <button type="button" class="button" disabled={busy} onClick={() => void watch()}>
            Schedule
          </button>
        </div>
        {result && (
          <section aria-label="Result" class="stack">
            {result.data && Object.keys(result.data).length > 0 && <JsonTree value={result.data} />}
            <p class="small soft break">Ended at {result.document?.metadata?.url}</p>
            <pre class="scroll-x">{result.document?.markdown}</pre>
          </section>
        )}
      </form>
    </Card>
  )
}

function ParameterField({
  name,
  isSecret,
  placeholder,
  value,
  onChange,
}: {
  name: string
  isSecret: boolean
  placeholder: string
  value: string
  onChange(value: string): void
}) {
  const id = `parameter-${name}`
  const onInput = (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value)
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {isSecret ? (
        <input id={id} type="password" autocomplete="off" value={value} onInput={onInput} />
      ) : (
        <input id={id} autocomplete="off" placeholder={placeholder} value={value} onInput={onInput} />
      )}
    </div>
  )
}
