// History: what was run in this browser, and what the team ran elsewhere in the last 24 hours; found again, opened as it
// was stored, and run or edited again.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { forget, past, type Run } from '../home/past.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Empty, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { handed } from '../playground/handed.ts'
import { playgroundAddress } from '../playground/state.ts'
import { go } from '../route.ts'
import type { Activity } from '../wire.ts'
import { ago, duration, moment } from '../words.ts'

const JOBS = new Set(['/v2/crawl', '/v2/batch/scrape', '/v2/agent', '/v2/extract'])

type LoggedCall = Activity['data'][number]

/** Calls that the playground can show; the others have screens of their own. */
const PATHS: Readonly<Record<string, string>> = {
  scrape: '/v2/scrape',
  batch_scrape: '/v2/batch/scrape',
  crawl: '/v2/crawl',
  map: '/v2/map',
  search: '/v2/search',
  agent: '/v2/agent',
  extract: '/v2/extract',
}

/** The service logs a call without its options: a run from elsewhere has its address or words alone. */
function runOf({ endpoint, target, jobId, at, ms, status, error }: LoggedCall): Run | undefined {
  const path = PATHS[endpoint]
  if (path === undefined || target === null) return undefined
  const body = !/^https?:/.test(target)
    ? { [path === '/v2/search' ? 'query' : 'prompt']: target }
    : path === '/v2/batch/scrape' || path === '/v2/extract' || path === '/v2/agent'
      ? { urls: [target] }
      : { url: target }
  return {
    ...{ at: Date.parse(at), path, body, about: target, ms },
    ...(jobId ? { id: jobId } : {}),
    ...(status < 400 ? {} : { error: error ?? String(status) }),
  }
}

const SAME_RUN_MS = 60_000

/** Runs of this browser keep their options, so they stand for the same calls in the log of the service. */
function withLogged(own: readonly Run[], logged: readonly LoggedCall[]): Run[] {
  const isOwn = (run: Run) =>
    own.some(
      (one) =>
        (one.id !== undefined && one.id === run.id) ||
        (one.path === run.path && one.about === run.about && Math.abs(one.at - run.at) < SAME_RUN_MS),
    )
  const others = logged.map(runOf).filter((run): run is Run => run !== undefined && !isOwn(run))
  return [...own, ...others].sort((a, b) => b.at - a.at)
}

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
  if (status !== undefined && status >= 400) return <Badge kind="warn">site returned {status}</Badge>
  return <Badge kind="good">done</Badge>
}

export function HistoryScreen() {
  const [filter, setFilter] = useState('')
  const wanted = filter.toLowerCase()
  const logged = useLoaded((signal) => call<Activity>({ path: '/v2/admin/activity?limit=100', signal }), [])
  const runs = withLogged(past.value, logged.value?.data ?? [])
  const rows = runs.filter((run) =>
    `${run.about} ${run.path} ${JSON.stringify(run.body)}`.toLowerCase().includes(wanted),
  )
  return (
    <div class="page">
      <PageHead
        title="History"
        actions={
          past.value.length > 0 && (
            <button type="button" class="button" onClick={forget}>
              Clear this browser’s history
            </button>
          )
        }
      >
        Your runs in this browser, and the team’s other runs of the last 24 hours. Results of scrapes can be opened for
        24 hours.
      </PageHead>
      {runs.length === 0 ? (
        <div class="card">
          <Empty icon="clock" title="No runs yet">
            <p>
              <a href="#/home">Home</a> has a box to start from.
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
            id={({ at, id }) => `${at} ${id}`}
            empty="No run contains these words."
          />
        </section>
      )}
    </div>
  )
}
