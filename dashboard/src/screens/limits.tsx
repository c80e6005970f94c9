// Limits: what the team's plan allows, how much of it is used right now, and what other plans would allow.
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { Badge, Failure, Loading, PageHead } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import type { Limits } from '../wire.ts'
import { count } from '../words.ts'

const EVERY_MS = 2000
const orNone = (value: number | null): string => (value === null ? 'no limit' : count(value))

export function LimitsScreen() {
  const { value, error, again } = useLoaded(
    async (signal) => (await call<Limits>({ path: '/v2/admin/limits', signal })).data,
    [],
    EVERY_MS,
  )
  return (
    <div class="page">
      <PageHead title="Limits">The limits of the team’s plan and their current use.</PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading />}
      {value && (
        <>
          <Figures title="Right now" aside={<Badge kind="live">plan {value.plan.name}</Badge>}>
            <Figure
              label="Pages at once"
              value={count(value.now.running)}
              note={`of ${count(value.now.maxConcurrency)}`}
              share={value.now.running / value.now.maxConcurrency}
            />
            <Figure label="Waiting for a slot" value={count(value.now.waiting)} note="pages of single calls" />
            <Figure
              label="Pages of jobs waiting"
              value={count(value.now.queued)}
              note={value.plan.maxQueuedJobs === null ? 'no limit' : `of ${count(value.plan.maxQueuedJobs)}`}
              share={value.plan.maxQueuedJobs === null ? undefined : value.now.queued / value.plan.maxQueuedJobs}
            />
          </Figures>
          <Rates limits={value} />
          <Plans limits={value} />
        </>
      )}
    </div>
  )
}

const Rates = ({ limits: { plan, now } }: { limits: Limits['data'] }) => (
  <Card title="Requests per minute">
    <Table
      label="Requests per minute, by kind"
      columns={[
        { head: 'Kind', cell: (bucket) => bucket },
        { head: 'This minute', kind: 'number', cell: (bucket) => count(now.rates[bucket] ?? 0) },
        { head: 'Allowed', kind: 'number', cell: (bucket) => orNone(plan.rates?.[bucket] ?? null) },
      ]}
      rows={Object.keys(plan.rates ?? now.rates)}
      id={(bucket) => bucket}
      empty="This plan does not limit requests."
    />
  </Card>
)

const Plans = ({ limits: { plan, plans } }: { limits: Limits['data'] }) => (
  <Card title="All plans" aside={<span class="small faint">the operator assigns each team’s plan</span>}>
    <Table
      label="Limits of each plan"
      columns={[
        { head: 'Plan', cell: ({ name }) => (name === plan.name ? <Badge kind="live">{name}</Badge> : name) },
        { head: 'Scrapes per minute', kind: 'number', cell: ({ rates }) => orNone(rates?.scrape ?? null) },
        { head: 'Crawls per minute', kind: 'number', cell: ({ rates }) => orNone(rates?.crawl ?? null) },
        { head: 'Pages at once', kind: 'number', cell: ({ concurrency }) => orNone(concurrency) },
        { head: 'Pages waiting', kind: 'number', cell: ({ maxQueuedJobs }) => orNone(maxQueuedJobs) },
      ]}
      rows={plans}
      id={({ name }) => name}
    />
  </Card>
)
