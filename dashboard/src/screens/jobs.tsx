// Jobs: what is under way and what was, newest first, and one of them when its id stands in the address.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Empty, Failure, Loading, PageHead } from '../parts/states.tsx'
import type { JobShown } from '../wire.ts'
import { ago, count, duration } from '../words.ts'
import { JobScreen } from './job.tsx'

const EVERY_MS = 2000

export const JobsScreen = ({ rest: [id] }: { rest: string[] }) => (id ? <JobScreen id={id} /> : <JobList />)

export const kinds: Readonly<Record<JobShown['status'], 'live' | 'good' | 'bad' | 'warn'>> = {
  scraping: 'live',
  completed: 'good',
  failed: 'bad',
  cancelled: 'warn',
}

function JobList() {
  const { value, error, again } = useLoaded(
    (signal) => call<{ data: JobShown[]; cursor: string | null }>({ path: '/v2/jobs?limit=100', signal }),
    [],
    EVERY_MS,
  )
  return (
    <div class="page">
      <PageHead title="Jobs">Crawls and batches: what is under way, and what can still be read.</PageHead>
      {error && <Failure error={error} onAgain={again} />}
      <div class="card">
        {!value && !error && <Loading />}
        {value?.data.length === 0 && (
          <Empty icon="jobs" title="No jobs yet">
            <p>
              Start one in the <a href="#/playground">playground</a>: choose “Crawl a site” or “Scrape many pages”.
            </p>
          </Empty>
        )}
        {value && value.data.length > 0 && (
          <div class="scroll-x">
            <table>
              <caption class="sr-only">Jobs, newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Job</th>
                  <th scope="col">State</th>
                  <th scope="col">Pages</th>
                  <th scope="col">Credits</th>
                  <th scope="col">Started</th>
                  <th scope="col">Took</th>
                </tr>
              </thead>
              <tbody>
                {value.data.map((job) => (
                  <Row key={job.id} job={job} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      {value?.cursor && <p class="help">The newest 100. All can be read at GET /v2/jobs.</p>}
    </div>
  )
}

function Row({ job }: { job: JobShown }) {
  const end = job.finishedAt ? new Date(job.finishedAt).getTime() : Date.now()
  return (
    <tr>
      <td>
        <a href={`#/jobs/${job.id}`} class="break">
          {job.kind === 'crawl' ? (job.url ?? 'Crawl') : `Batch of ${count(job.total)}`}
        </a>
        <div class="small faint">
          {job.kind} · {job.id}
        </div>
      </td>
      <td>
        <Badge kind={kinds[job.status]}>{job.status}</Badge>
      </td>
      <td class="number">
        {count(job.completed)} of {count(job.total)}
        {job.failed > 0 && <div class="small">{count(job.failed)} failed</div>}
      </td>
      <td class="number">{count(job.creditsUsed)}</td>
      <td>{ago(job.createdAt)}</td>
      <td class="number">{duration(end - new Date(job.createdAt).getTime())}</td>
    </tr>
  )
}
