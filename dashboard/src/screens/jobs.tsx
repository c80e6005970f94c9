// Jobs: what is under way and what was, newest first, and one of them when its id stands in the address.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Empty, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { JobShown } from '../wire.ts'
import { ago, count, duration, moment, plural } from '../words.ts'
import { JobScreen } from './job.tsx'
import { kinds, names } from './job-labels.ts'

const EVERY_MS = 2000

export const JobsScreen = ({ rest: [id] }: { rest: string[] }) => (id ? <JobScreen id={id} /> : <JobList />)

function JobList() {
  const { value, error, again } = useLoaded(
    (signal) => call<{ data: JobShown[]; cursor: string | null }>({ path: '/v2/jobs?limit=100', signal }),
    [],
    EVERY_MS,
  )
  return (
    <div class="page">
      <PageHead title="Jobs">Crawls, batches and extractions: running jobs and available results.</PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <div class="card">
          <Table
            label="Jobs, newest first"
            columns={columns}
            rows={value?.data}
            id={(job) => job.id}
            empty={
              <Empty icon="jobs" title="No jobs yet">
                <p>
                  Start one in the <a href="#/playground">playground</a>: choose “Crawl a site” or “Scrape many pages”.
                </p>
              </Empty>
            }
          />
        </div>
      )}
      {value?.cursor && <p class="help">The newest 100. GET /v2/jobs returns all.</p>}
    </div>
  )
}

const tookMs = ({ createdAt, finishedAt }: JobShown): number =>
  (finishedAt ? new Date(finishedAt).getTime() : Date.now()) - new Date(createdAt).getTime()

const columns: readonly Column<JobShown>[] = [
  {
    head: 'Job',
    kind: 'text',
    cell: (job) => (
      <>
        <a href={`#/jobs/${job.id}`}>{job.url ?? `${names[job.kind]} of ${plural(job.total, 'page')}`}</a>
        <div class="small faint">
          {job.kind} · {job.id}
        </div>
      </>
    ),
  },
  {
    head: 'State',
    cell: ({ status, paused }) => <Badge kind={paused ? 'warn' : kinds[status]}>{paused ? 'paused' : status}</Badge>,
  },
  {
    head: 'Pages',
    kind: 'number',
    cell: ({ completed, total, failed }) => (
      <>
        {count(completed)} of {count(total)}
        {failed > 0 && <div class="small bad">{count(failed)} failed</div>}
      </>
    ),
  },
  { head: 'Credits', kind: 'number', cell: ({ creditsUsed }) => count(creditsUsed) },
  { head: 'Started', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
  { head: 'Took', kind: 'number', cell: (job) => duration(tookMs(job)) },
]
