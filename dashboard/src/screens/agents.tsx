// Agent runs: what was asked, and a new one from a prompt, with its price beforehand.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Badge, Empty, Failure, Notice, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { go } from '../route.ts'
import { ago, moment, plural } from '../words.ts'
import { AgentScreen } from './agent.tsx'
import { draft, type RunListed, runKinds } from './agent-wire.ts'

const EVERY_MS = 3000

interface Quote {
  pages: number
  estimatedCredits: number
  plan: { tool: string; input: Record<string, unknown> }[]
}

export const AgentsScreen = ({ rest: [id] }: { rest: string[] }) => (id ? <AgentScreen id={id} /> : <RunList />)

function RunList() {
  const { value, error, again } = useLoaded(
    (signal) => call<{ agents: RunListed[] }>({ path: '/v2/agent', signal }),
    [],
    EVERY_MS,
  )
  return (
    <div class="page">
      <PageHead title="Agent">
        Describe what you need. The agent searches, reads and follows links, and names the source of each value.
      </PageHead>
      <NewRun />
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Card title="Runs of the last 24 hours">
          <Table
            label="Runs, newest first"
            columns={columns}
            rows={value?.agents}
            id={(run) => run.id}
            empty={
              <Empty icon="search" title="No runs yet">
                <p>Describe above what you want to know.</p>
              </Empty>
            }
          />
        </Card>
      )}
    </div>
  )
}

const columns: readonly Column<RunListed>[] = [
  {
    head: 'Asked',
    kind: 'text',
    cell: ({ id, options, targetHint }) => (
      <>
        <a href={`#/agents/${id}`}>{options.prompt.slice(0, 200)}</a>
        <div class="small faint">{targetHint === options.prompt ? '' : targetHint}</div>
      </>
    ),
  },
  { head: 'State', cell: ({ status }) => <Badge kind={runKinds[status]}>{status}</Badge> },
  { head: 'Started', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
]

/** `name, price, in stock` as a schema of texts; a JSON Schema as it is. */
function schemaFrom(text: string): object | undefined {
  if (text.trim() === '') return undefined
  if (text.trim().startsWith('{')) return JSON.parse(text) as object
  const fields = text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter(Boolean)
  return { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) }
}

function NewRun() {
  const [first] = useState(draft.body)
  draft.body = undefined
  const [prompt, setPrompt] = useState(first?.prompt ?? '')
  const [urls, setUrls] = useState(first?.urls?.join('\n') ?? '')
  const [fields, setFields] = useState(first?.schema ? JSON.stringify(first.schema) : '')
  const [effort, setEffort] = useState(first?.effort ?? 'medium')
  const [cap, setCap] = useState(String(first?.maxCredits ?? 500))
  const [quote, setQuote] = useState<Quote>()
  const [wrong, setWrong] = useState<Error>()
  const ask = async (dryRun: boolean) => {
    setWrong(undefined)
    setQuote(undefined)
    try {
      const schema = schemaFrom(fields)
      const list = urls.split(/\s+/).filter(Boolean)
      const body = {
        ...{ prompt, effort, maxCredits: Number(cap), dryRun },
        ...(list.length > 0 ? { urls: list } : {}),
        ...(schema ? { schema } : {}),
      }
      const answer = await call<{ id?: string; quote?: Quote }>({ method: 'POST', path: '/v2/agent', body })
      if (answer.id) go(`agents/${answer.id}`)
      else setQuote(answer.quote)
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <form
      class="card card-body"
      aria-label="Ask the agent"
      onSubmit={(event) => {
        event.preventDefault()
        void ask(false)
      }}
    >
      <label class="field">
        What do you want to know?
        <textarea
          rows={2}
          required
          value={prompt}
          placeholder="Find who founded Example, when, and its e-mail address"
          onInput={(event) => setPrompt(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <label class="field grow">
          Start pages (optional)
          <textarea
            rows={2}
            value={urls}
            placeholder="https://example.com"
            onInput={(event) => setUrls(event.currentTarget.value)}
          />
        </label>
        <label class="field grow">
          Fields, or a JSON Schema (optional)
          <textarea
            rows={2}
            value={fields}
            placeholder="founder, founded, email"
            onInput={(event) => setFields(event.currentTarget.value)}
          />
        </label>
      </div>
      <div class="row">
        <label class="field">
          Effort
          <select value={effort} onChange={(event) => setEffort(event.currentTarget.value)}>
            <option value="low">low: up to 6 pages</option>
            <option value="medium">medium: up to 14 pages</option>
            <option value="high">high: up to 40 pages</option>
          </select>
        </label>
        <label class="field">
          Maximum credits
          <input type="number" min={1} value={cap} onInput={(event) => setCap(event.currentTarget.value)} />
        </label>
      </div>
      {wrong && <Failure error={wrong} />}
      {quote && (
        <Notice kind="good">
          <strong>
            About {plural(quote.estimatedCredits, 'credit')} for {plural(quote.pages, 'page')}
          </strong>
          {quote.plan.map(({ tool, input }) => (
            <span class="small break" key={JSON.stringify(input)}>
              {tool}: {String(Object.values(input)[0] ?? '')}
            </span>
          ))}
        </Notice>
      )}
      <div class="row">
        <button type="submit" class="button primary">
          Find it
        </button>
        <button type="button" class="button" disabled={prompt.trim() === ''} onClick={() => void ask(true)}>
          Estimate the cost
        </button>
      </div>
    </form>
  )
}
