// Records what is done in a live session as a flow: the steps as they happen, then edited, named, kept and run again.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Failure } from '../parts/states.tsx'
import type { FlowResult, FlowSteps } from '../wire.ts'
import { plural } from '../words.ts'

const EVERY_MS = 1000

type Step = FlowSteps['steps'][number]

/** A step as a person would say it. */
function describeStep(step: Step): string {
  const target = 'target' in step ? step.target : undefined
  const what = target ? `"${target.name ?? target.label ?? target.selector ?? target.role}"` : ''
  const near = target?.near ? ` near "${target.near}"` : ''
  switch (step.type) {
    case 'open':
      return `Open ${step.url}`
    case 'back':
      return 'Go back'
    case 'forward':
      return 'Go forward'
    case 'expect':
      return `Expect the page ${step.path}`
    case 'type':
      return `Type "${step.value}" into ${what}`
    case 'choose':
      return `Choose "${step.value}" from ${what}`
    case 'check':
      return `${step.on ? 'Tick' : 'Untick'} ${what}`
    case 'press':
      return `Press ${step.key}`
    case 'click':
      return `Click ${what}${near}`
    case 'extract':
      return `Extract ${step.as} from "${target?.label ?? target?.name ?? target?.selector}"`
    default:
      return `${step.type} ${what}`
  }
}

export function Recorder({ path }: { path: string }) {
  const [isOn, setOn] = useState(false)
  const [recorded, setRecorded] = useState<FlowSteps>()
  const stop = async () => {
    setOn(false)
    setRecorded(undefined)
    setRecorded(await call<FlowSteps>({ path: `${path}/steps?ended=true` }).catch(() => recorded))
  }
  return (
    <section class="card card-body stack recorder" aria-label="Recorder">
      <div class="row">
        <button
          type="button"
          class={`button slim ${isOn ? 'danger' : 'primary'}`}
          aria-pressed={isOn}
          onClick={() => (isOn ? void stop() : setOn(true))}
        >
          {isOn ? 'Stop recording' : 'Record'}
        </button>
        {isOn && <Badge kind="live">recording</Badge>}
        {isOn && <Pointer />}
      </div>
      {isOn && <Happening path={path} onSteps={setRecorded} />}
      {!isOn && recorded && recorded.steps.length > 0 && <Edit recorded={recorded} />}
    </section>
  )
}

/** The next press in the live view names an element whose text the flow will extract. */
function Pointer() {
  const [isOn, setOn] = useState(false)
  const point = (on: boolean) => {
    setOn(on)
    const view = document.querySelector<HTMLIFrameElement>('.live-view iframe')
    view?.contentWindow?.postMessage({ orb: 'point', on }, location.origin)
  }
  useEffect(() => {
    const hear = ({ origin, data }: MessageEvent) => {
      if (origin === location.origin && data?.orb === 'pointed') setOn(false)
    }
    addEventListener('message', hear)
    return () => {
      removeEventListener('message', hear)
      point(false)
    }
  }, [])
  return (
    <>
      <button type="button" class="button slim" aria-pressed={isOn} onClick={() => point(!isOn)}>
        {isOn ? 'Cancel' : 'Extract by pointing'}
      </button>
      {isOn && <span class="help">Click a text in the page.</span>}
    </>
  )
}

/** The steps so far, while they happen. */
function Happening({ path, onSteps }: { path: string; onSteps(steps: FlowSteps): void }) {
  const { value, error } = useLoaded(
    async (signal) => {
      const steps = await call<FlowSteps>({ path: `${path}/steps`, signal })
      onSteps(steps)
      return steps
    },
    [path],
    EVERY_MS,
  )
  if (error) return <Failure error={error} />
  if (!value || value.steps.length === 0) return <p class="help">Your steps in the page are listed here.</p>
  return (
    <ol class="steps" aria-label="Steps so far">
      {value.steps.map((step, at) => (
        <li key={at}>{describeStep(step)}</li>
      ))}
    </ol>
  )
}

const valuesIn = ({ data = {} }: FlowResult): string =>
  Object.entries(data)
    .map(([name, value]) => ` ${name}: ${String(value).slice(0, 200)}.`)
    .join('')

interface Line {
  id: number
  step: Step
  /** Name of the parameter that its value becomes; empty: none. */
  parameter: string
}

const isNamed = (text: string): boolean => /\{\{/.test(text)

/** The name of the parameter that a value becomes, or of the value that is extracted. */
function StepName({ line, at, onChange }: { line: Line; at: number; onChange(line: Line): void }) {
  const { step } = line
  if (step.type === 'extract')
    return (
      <input
        aria-label={`Name for the value of step ${at + 1}`}
        value={step.as}
        maxLength={60}
        onInput={(event) => onChange({ ...line, step: { ...step, as: event.currentTarget.value } })}
      />
    )
  if (!('value' in step) || isNamed(step.value)) return null
  return (
    <input
      aria-label={`Parameter of step ${at + 1}`}
      placeholder="parameter"
      value={line.parameter}
      maxLength={60}
      onInput={(event) => onChange({ ...line, parameter: event.currentTarget.value })}
    />
  )
}

function Edit({ recorded }: { recorded: FlowSteps }) {
  const [lines, setLines] = useState<Line[]>(recorded.steps.map((step, id) => ({ id, step, parameter: '' })))
  const [name, setName] = useState('')
  const [kept, setKept] = useState<{ name: string; version: number }>()
  const [ran, setRan] = useState<FlowResult>()
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Error>()
  const move = (at: number, by: number) => {
    const next = [...lines]
    const [line] = next.splice(at, 1)
    if (line) next.splice(at + by, 0, line)
    setLines(next)
  }
  const work = async (task: () => Promise<void>) => {
    setBusy(true)
    setWrong(undefined)
    await task().catch(setWrong)
    setBusy(false)
  }
  const keep = () =>
    work(async () => {
      setRan(undefined)
      const parameters: Record<string, object> = { ...recorded.parameters }
      const steps = lines.map(({ step, parameter }) => {
        if (parameter === '' || !('value' in step)) return step
        parameters[parameter] = { default: step.value }
        return { ...step, value: `{{${parameter}}}` }
      })
      const used = JSON.stringify(steps)
      const body = {
        parameters: Object.fromEntries(Object.entries(parameters).filter(([one]) => used.includes(`{{${one}}}`))),
        steps,
      }
      const { version } = await call<{ version: number }>({
        method: 'PUT',
        path: `/v2/flow/${encodeURIComponent(name)}`,
        body,
      })
      setKept({ name, version })
    })
  const run = () =>
    work(async () =>
      setRan(
        await call<FlowResult>({
          method: 'POST',
          path: `/v2/flow/${encodeURIComponent(kept?.name ?? '')}/run`,
          body: {},
        }),
      ),
    )
  return (
    <>
      <ol class="steps" aria-label="Steps">
        {lines.map(({ id, step, parameter }, at) => (
          <li key={id}>
            <span>{describeStep(step)}</span>
            <span class="row">
              <StepName
                line={{ id, step, parameter }}
                at={at}
                onChange={(changed) => setLines(lines.map((line) => (line.id === id ? changed : line)))}
              />
              <button type="button" class="button slim" disabled={at === 0} onClick={() => move(at, -1)}>
                Up<span class="sr-only"> step {at + 1}</span>
              </button>
              <button type="button" class="button slim" disabled={at === lines.length - 1} onClick={() => move(at, 1)}>
                Down<span class="sr-only"> step {at + 1}</span>
              </button>
              <button
                type="button"
                class="button slim danger"
                onClick={() => setLines(lines.filter((line) => line.id !== id))}
              >
                Delete<span class="sr-only"> step {at + 1}</span>
              </button>
            </span>
          </li>
        ))}
      </ol>
      <label class="field">
        Name of the flow
        <input
          value={name}
          maxLength={64}
          placeholder="report"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button
          type="button"
          class="button primary"
          disabled={busy || !/^[\w-]+$/.test(name) || lines.length === 0}
          onClick={() => void keep()}
        >
          Save flow
        </button>
        {kept && (
          <button type="button" class="button" disabled={busy} onClick={() => void run()}>
            {busy ? 'Running …' : 'Run again'}
          </button>
        )}
      </div>
      {wrong && <Failure error={wrong} />}
      <p role="status" class="help">
        {ran
          ? `Done: ${plural(ran.steps.length, 'step')}, ended at ${ran.document.metadata.url}.${valuesIn(ran)}${ran.warning ? ` But ${ran.warning}.` : ''}`
          : kept
            ? `Saved as "${kept.name}", version ${kept.version}.`
            : ''}
      </p>
    </>
  )
}
