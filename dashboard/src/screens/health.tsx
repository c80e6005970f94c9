// Health: whether the service is well, and if not, why; browsers, queue, disk, memory.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { Badge, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { Trail } from '../parts/trail.tsx'
import type { Health } from '../wire.ts'
import { bytes, count, duration } from '../words.ts'

const EVERY_MS = 2000
const roles: Readonly<Record<string, string>> = {
  both: 'requests and jobs',
  serve: 'answers only',
  work: 'works only',
}
const kinds = { ok: 'good', degraded: 'warn', unavailable: 'bad' } as const

type Look = Health['data']
/** Ten minutes of looks, kept while the page is open: who goes elsewhere and comes back finds them. */
const seen: Look[] = []
const MOST_SEEN = 300

async function look(signal: AbortSignal): Promise<Look> {
  const { data } = await call<Health>({ path: '/v2/admin/health', signal })
  seen.push(data)
  if (seen.length > MOST_SEEN) seen.shift()
  return data
}

export function HealthScreen() {
  const { value, error, again } = useLoaded(look, [], EVERY_MS)
  return (
    <div class="page">
      <PageHead title="Health" actions={value && <Badge kind={kinds[value.status]}>{value.status}</Badge>}>
        The current state of the service.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading />}
      {value?.why.map((reason) => (
        <Notice kind="warn" key={reason}>
          <strong>Problems</strong>
          <span class="break">{reason}</span>
        </Notice>
      ))}
      {value && (
        <>
          <Figures title="Service">
            <Figure
              label="Version"
              value={value.version}
              note={`${roles[value.process.role]}, Node ${value.process.node.replace(/^v/, '')}`}
            />
            <Figure
              label="Running for"
              value={duration(value.uptimeSeconds * 1000)}
              note={`process ${value.process.pid}`}
            />
            <Figure label="Database" value={value.database === 'sqlite' ? 'SQLite' : 'PostgreSQL'} />
            <Figure
              label="Browser"
              value={value.browsers.available ? 'ready' : 'missing'}
              note={value.browsers.why ?? `${count(value.browsers.running)} running`}
            />
          </Figures>
          <Figures title="Work">
            <Figure
              label="Active pages"
              value={count(value.pages.running)}
              note={`of ${count(value.pages.concurrency)} at once`}
              share={value.pages.running / value.pages.concurrency}
            />
            <Figure label="Waiting for a slot" value={count(value.pages.waiting)} />
            <Figure label="Jobs" value={count(value.queue.jobs)} note={`${count(value.queue.active)} active pages`} />
            <Figure
              label="Pages waiting"
              value={count(value.queue.queued)}
              note={`capacity ${count(value.queue.capacity)}`}
            />
            <Figure label="Webhooks to send" value={count(value.queue.webhooksPending)} />
          </Figures>
          <OverTime />
          <Figures title="Machine">
            <Figure
              label="Memory"
              value={bytes(value.memory.residentBytes)}
              note={`${bytes(value.memory.availableBytes)} free on the machine`}
              share={value.memory.residentBytes / (value.memory.residentBytes + value.memory.availableBytes)}
            />
            <Figure
              label="Disk free"
              value={bytes(value.disk.freeBytes)}
              note={`of ${bytes(value.disk.totalBytes)}`}
              share={1 - value.disk.freeBytes / value.disk.totalBytes}
            />
            {value.disk.databaseBytes !== null && (
              <Figure label="Database file" value={bytes(value.disk.databaseBytes)} />
            )}
          </Figures>
          <p class="help break">Data directory: {value.disk.path}.</p>
        </>
      )}
    </div>
  )
}

/** How it went while one watched. The books of weeks are in Usage, those of the machine in /metrics. */
const OverTime = () => (
  <Card title="While you watch" aside={<span class="small faint">one sample every {EVERY_MS / 1000} s</span>}>
    <div class="card-body trails">
      <Trail label="Pages at once" values={seen.map(({ pages }) => pages.running)} />
      <Trail label="Waiting for a slot" values={seen.map(({ pages }) => pages.waiting)} />
      <Trail label="Pages in the queue" values={seen.map(({ queue }) => queue.queued)} />
      <Trail label="Browsers" values={seen.map(({ browsers }) => browsers.running)} />
      <Trail label="Webhooks to send" values={seen.map(({ queue }) => queue.webhooksPending)} />
      <Trail label="Memory" values={seen.map(({ memory }) => memory.residentBytes)} write={bytes} />
    </div>
  </Card>
)
