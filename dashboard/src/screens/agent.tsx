// One run of the agent: the question, the answer with its sources, the cost, and a trace of every call over time.
import { useRef, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Badge, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { go } from '../route.ts'
import { theme } from '../theme.ts'
import { count, duration } from '../words.ts'
import { AgentAnswer } from './agent-answer.tsx'
import {
  aboutOf,
  callsIn,
  draft,
  lanesOf,
  type OpenBrowser,
  type RunListed,
  type RunStanding,
  runKinds,
  type ToolCall,
  type TraceEvent,
} from './agent-wire.ts'

const EVERY_MS = 1500

interface Seen {
  standing: RunStanding
  events: TraceEvent[]
  /** Browsers that are open now. */
  browsers: OpenBrowser[]
  /** The answer as it stands. */
  data: unknown
  question: string | undefined
}

/** The prompt of a run, which its status does not repeat. */
async function questionOf(id: string, signal: AbortSignal): Promise<string | undefined> {
  const { agents } = await call<{ agents: RunListed[] }>({ path: '/v2/agent', signal })
  return agents.find((run) => run.id === id)?.options.prompt.slice(0, 300)
}

async function loadRun(id: string, known: string | undefined, signal: AbortSignal): Promise<Seen> {
  const question = known ?? (await questionOf(id, signal).catch(() => undefined))
  const path = `/v2/agent/${encodeURIComponent(id)}`
  const [standing, { events, activeBrowserSessions: browsers = [] }] = await Promise.all([
    call<RunStanding>({ path, signal }),
    call<{ events: TraceEvent[]; activeBrowserSessions?: OpenBrowser[] }>({
      path: `${path}/trace?liveView=true`,
      signal,
    }),
  ])
  if (standing.data !== undefined) return { standing, events, browsers, question, data: standing.data }
  const last = events.findLast(({ artifact }) => artifact)?.artifact
  if (!last) return { standing, events, browsers, question, data: undefined }
  const { snapshot } = await call<{ snapshot: string }>({ path: `${path}/snapshots/${last.snapshotId}`, signal })
  return { standing, events, browsers, question, data: JSON.parse(snapshot) }
}

export function AgentScreen({ id }: { id: string }) {
  const [isOver, setOver] = useState(false)
  const question = useRef<string | undefined>(undefined)
  const { value, error, again } = useLoaded(
    async (signal) => {
      const latest = await loadRun(id, question.current, signal)
      question.current = latest.question
      return latest
    },
    [id],
    isOver ? undefined : EVERY_MS,
  )
  const [wrong, setWrong] = useState<Error>()
  const [chosen, setChosen] = useState<string>()
  if (!value)
    return (
      <div class="page">{error ? <Failure error={error} onAgain={again} /> : <Loading what="Loading the run" />}</div>
    )
  const { standing, events, browsers, data } = value
  const { status, creditsUsed, maxCredits } = standing
  if (status !== 'processing' && !isOver) setOver(true)
  const calls = callsIn(events)
  const picked = calls.find((one) => one.id === chosen) ?? calls.at(-1)
  const began = Date.parse(events[0]?.occurredAt ?? new Date().toISOString())
  const ended = status === 'processing' ? Date.now() : Date.parse(events.at(-1)?.occurredAt ?? '')
  const isOpen = status === 'processing'
  const answerTitle = isOpen ? 'Answer so far' : 'Answer'
  return (
    <div class="page">
      <PageHead
        title={value.question ?? 'Agent run'}
        actions={<Actions id={id} status={status} seen={value} onWrong={setWrong} onDone={again} />}
      >
        <Badge kind={runKinds[status]}>{status}</Badge> <span class="break">{id}</span>
      </PageHead>
      {wrong && <Failure error={wrong} />}
      {standing.error && <Notice kind="bad">{standing.error}</Notice>}
      {standing.warning && <Notice kind="warn">{standing.warning}</Notice>}
      {standing.message && <p>{standing.message}</p>}
      {data === undefined ? (
        !standing.error && (
          <Card title={answerTitle}>
            <p class="card-body help">Nothing has been found yet.</p>
          </Card>
        )
      ) : (
        <AgentAnswer title={answerTitle} data={data} {...(standing.sources ? { sources: standing.sources } : {})} />
      )}
      <Figures title={isOpen ? 'So far' : 'Cost'}>
        <Figure
          label="Credits"
          value={`${count(creditsUsed)} of ${count(maxCredits)}`}
          share={maxCredits > 0 ? creditsUsed / maxCredits : undefined}
        />
        <Figure label="Steps" value={count(calls.length)} note={stepsNote(calls)} />
        <Figure label="Time" value={duration(Math.max(0, ended - began))} />
      </Figures>
      <details class="card" open={isOpen}>
        <summary class="card-head">
          <h2>Trace</h2>
        </summary>
        <Lanes calls={calls} main={`${id}:main`} from={began} to={ended} chosen={picked?.id} onChoose={setChosen} />
        <Browsers browsers={browsers} />
        {picked && <CallDetails call={picked} />}
        <Thoughts events={events} />
      </details>
    </div>
  )
}

/** Live views of the browsers that the run uses. */
function Browsers({ browsers }: { browsers: readonly OpenBrowser[] }) {
  if (browsers.length === 0) return null
  return (
    <section class="card-body run-browsers" aria-label="Open browsers">
      {browsers.map(({ id, liveViewUrl, viewport: { width, height } }) => (
        <iframe
          key={id}
          title="The page in the browser of this run"
          src={`${new URL(liveViewUrl).pathname}?theme=${theme.value}`}
          style={{ aspectRatio: `${width} / ${height}` }}
        />
      ))}
    </section>
  )
}

function stepsNote(calls: readonly ToolCall[]): string {
  const tools = new Map<string, number>()
  for (const { tool } of calls) tools.set(tool, (tools.get(tool) ?? 0) + 1)
  return [...tools].map(([tool, times]) => `${times} × ${tool}`).join(', ')
}

function Actions({
  id,
  status,
  seen: { standing, events },
  onWrong,
  onDone,
}: {
  id: string
  status: RunStanding['status']
  seen: Seen
  onWrong(error: Error): void
  onDone(): void
}) {
  const again = async () => {
    try {
      const { agents } = await call<{ agents: RunListed[] }>({ path: '/v2/agent' })
      const run = agents.find((one) => one.id === id)
      if (run) draft.body = { ...run.options, maxCredits: standing.maxCredits }
      go('agents')
    } catch (error) {
      onWrong(error as Error)
    }
  }
  const share = () => {
    const link = document.createElement('a')
    const file = new Blob([JSON.stringify({ id, ...standing, events }, null, 2)], { type: 'application/json' })
    link.href = URL.createObjectURL(file)
    link.download = `agent-${id}.json`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }
  return (
    <>
      {status === 'processing' && (
        <button
          type="button"
          class="button slim danger"
          onClick={() => void call({ method: 'DELETE', path: `/v2/agent/${id}` }).then(onDone, onWrong)}
        >
          Cancel
        </button>
      )}
      <button type="button" class="button slim" onClick={() => void again()}>
        Run again with changes
      </button>
      <button type="button" class="button slim" onClick={share}>
        Save as a file
      </button>
    </>
  )
}

/** Every call as a bar over time, one lane for each agent. */
function Lanes({
  calls,
  main,
  from,
  to,
  chosen,
  onChoose,
}: {
  calls: readonly ToolCall[]
  main: string
  from: number
  to: number
  chosen: string | undefined
  onChoose(id: string): void
}) {
  if (calls.length === 0) return <p class="card-body help">The agent is making its plan.</p>
  const whole = Math.max(1, to - from)
  const at = (moment: number) => `${(Math.min(1, Math.max(0, (moment - from) / whole)) * 100).toFixed(2)}%`
  return (
    <div class="lanes card-body">
      {lanesOf(calls, main)
        .filter((lane) => lane.calls.length > 0)
        .map((lane) => (
          <div class="lane" key={lane.name}>
            <span class="small soft">{lane.name}</span>
            <div class="lane-track">
              {lane.calls.map((one) => (
                <button
                  type="button"
                  key={one.id}
                  class={`lane-call ${one.result?.error === undefined ? one.tool : 'failed'}`}
                  aria-pressed={one.id === chosen}
                  aria-label={`${one.tool} ${aboutOf(one)}, ${duration((one.to ?? to) - one.from)}`}
                  title={`${one.tool} ${aboutOf(one)}`}
                  style={{ left: at(one.from), right: `calc(100% - ${at(one.to ?? to)})` }}
                  onClick={() => onChoose(one.id)}
                />
              ))}
            </div>
          </div>
        ))}
      <div class="lane small faint">
        <span />
        <div class="lane-scale">
          <span>0 s</span>
          <span>{duration(whole)}</span>
        </div>
      </div>
    </div>
  )
}

const CallDetails = ({ call: one }: { call: ToolCall }) => (
  <section class="card-body lane-details" aria-label="The chosen call">
    <div class="row">
      <Badge kind={one.result?.error === undefined ? (one.to ? 'good' : 'live') : 'bad'}>{one.tool}</Badge>
      <span class="break">{aboutOf(one)}</span>
      {one.to !== undefined && <span class="small faint">{duration(one.to - one.from)}</span>}
    </div>
    <div class="side-by-side">
      <div>
        <h3>Asked</h3>
        <JsonTree value={one.parameters} />
      </div>
      <div>
        <h3>Returned</h3>
        {one.result ? <JsonTree value={one.result} /> : <p class="help">Still running.</p>}
      </div>
    </div>
  </section>
)

/** Why it did what it did, in its own words. */
function Thoughts({ events }: { events: readonly TraceEvent[] }) {
  const said = events.flatMap(({ eventId, text, message }) =>
    (text ?? message) === undefined ? [] : [{ eventId, words: text ?? message }],
  )
  if (said.length === 0) return null
  return (
    <details class="card-body">
      <summary class="small soft">Why: {said.length} reasons</summary>
      <ol class="small">
        {said.map(({ eventId, words }) => (
          <li key={eventId} class="break">
            {words}
          </li>
        ))}
      </ol>
    </details>
  )
}
