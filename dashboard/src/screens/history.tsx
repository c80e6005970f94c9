// History: what was run in this browser, found again, opened as it was stored, and run or edited again.
import { useState } from 'preact/hooks'
import { forget, past, type Run } from '../home/past.ts'
import { Badge, Empty, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { handed } from '../playground/handed.ts'
import { playgroundAddress } from '../playground/state.ts'
import { go } from '../route.ts'
import { ago, duration, moment } from '../words.ts'

const JOBS = new Set(['/v2/crawl', '/v2/batch/scrape', '/v2/agent', '/v2/extract'])

/** Where the result of a run lies. */
const resultOf = ({ path, body, id }: Run): string | undefined =>
  id === undefined ? undefined : JOBS.has(path) ? `jobs/${id}` : playgroundAddress(path, body, id)

function again({ path, body }: Run): void {
  handed.value = { run: true }
  go(playgroundAddress(path, body))
}

const columns: readonly Column<Run>[] = [
  { head: 'What', kind: 'text', cell: ({ about, path }) => <strong class="break">{about || path}</strong> },
  { head: 'Task', cell: ({ path }) => path.replace('/v2/', '') },
  { head: 'Outcome', cell: (run) => <Outcome run={run} /> },
  { head: 'When', cell: ({ at }) => <span title={moment(at)}>{ago(at)}</span> },
  { head: 'Took', kind: 'number', cell: ({ ms }) => (ms === undefined ? null : duration(ms)) },
  {
    head: 'Open, run again, edit',
    kind: 'buttons',
    cell: (run) => {
      const result = resultOf(run)
      return (
        <span class="row">
          {result && (
            <a class="button slim" href={`#/${result}`}>
              Open<span class="sr-only"> {run.about}</span>
            </a>
          )}
          <button type="button" class="button slim" onClick={() => again(run)}>
            Run again<span class="sr-only"> {run.about}</span>
          </button>
          <a class="button slim" href={`#/${playgroundAddress(run.path, run.body)}`}>
            Edit<span class="sr-only"> {run.about}</span>
          </a>
        </span>
      )
    },
  },
]

function Outcome({ run: { error, status } }: { run: Run }) {
  if (error)
    return (
      <span title={error}>
        <Badge kind="bad">failed</Badge>
      </span>
    )
  if (status !== undefined && status >= 400) return <Badge kind="warn">site answered {status}</Badge>
  return <Badge kind="good">done</Badge>
}

export function HistoryScreen() {
  const [filter, setFilter] = useState('')
  const wanted = filter.toLowerCase()
  const rows = past.value.filter((run) =>
    `${run.about} ${run.path} ${JSON.stringify(run.body)}`.toLowerCase().includes(wanted),
  )
  return (
    <div class="page">
      <PageHead
        title="History"
        actions={
          past.value.length > 0 && (
            <button type="button" class="button" onClick={forget}>
              Forget all
            </button>
          )
        }
      >
        What you ran in this browser. Results of scrapes can be opened for 24 hours.
      </PageHead>
      {past.value.length === 0 ? (
        <div class="card">
          <Empty icon="clock" title="Nothing run yet">
            <p>
              <a href="#/home">Home</a> has a box to begin with.
            </p>
          </Empty>
        </div>
      ) : (
        <section class="card" aria-label="Runs">
          <div class="card-head">
            <input
              type="search"
              class="grow"
              aria-label="Find a run"
              placeholder="Find a run"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
          </div>
          <Table
            label="Runs, newest first"
            columns={columns}
            rows={rows}
            id={({ at }) => String(at)}
            empty="No run has these words."
          />
        </section>
      )}
    </div>
  )
}
