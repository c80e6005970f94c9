// Use: credits and calls by day, endpoint and key; where pages came from; what failed; the last calls.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card, Choose } from '../parts/card.tsx'
import { DayChart, palette, Shares, topOf } from '../parts/chart.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { Badge, Empty, Failure, Loading, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Away } from '../playground/result.tsx'
import type { Activity, HostUsage, Usage } from '../wire.ts'
import { ago, count, duration, moment, plural, short } from '../words.ts'

type Row = Usage['data'][number]
const DAY_MS = 86_400_000
const EVERY_MS = 10_000
const measures = { credits: 'Credits', requests: 'Calls', errors: 'Errors', cacheHits: 'Cache hits' } as const
type Measure = keyof typeof measures

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

export function UsageScreen() {
  const [days, setDays] = useState(30)
  const [measure, setMeasure] = useState<Measure>('credits')
  const from = dayText(Date.now() - (days - 1) * DAY_MS)
  const ask = (by: string) => (signal: AbortSignal) =>
    call<Usage>({ path: `/v2/admin/usage?by=${by}&from=${from}`, signal })
  const byEndpoint = useLoaded(ask('day,endpoint'), [from], EVERY_MS)
  const byKey = useLoaded(ask('key'), [from], EVERY_MS)
  const byHost = useLoaded((signal) => call<HostUsage>({ path: '/v2/admin/usage/hosts', signal }), [], EVERY_MS)
  const { value, error, again } = byEndpoint
  return (
    <div class="page">
      <PageHead
        title="Usage"
        actions={
          <Choose
            label="Days"
            words={{ 7: '7', 30: '30', 90: '90' }}
            value={`${days}`}
            onChange={(next) => setDays(Number(next))}
          />
        }
      >
        The team’s requests, their cost and their results.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading what="Loading the usage" />}
      {value && (
        <>
          <Totals total={value.total} />
          <Card title="By day" aside={<Choose label="Show" words={measures} value={measure} onChange={setMeasure} />}>
            <div class="card-body">
              <Days usage={value} measure={measure} days={days} />
            </div>
          </Card>
          <div class="split">
            <Card title="Where pages came from">
              <div class="card-body">
                <Shares
                  label="Pages by engine"
                  parts={Object.entries(value.total.engines).map(([name, number]) => ({ name, value: number }))}
                />
              </div>
            </Card>
            <Card title="By key">
              <Sums of="Key" rows={byKey.value?.data ?? []} name={(row) => row.keyName ?? 'without a key'} />
            </Card>
          </div>
          <div class="split">
            <Card title="By endpoint">
              <Sums of="Endpoint" rows={endpointSums(value.data)} name={(row) => row.endpoint ?? '–'} />
            </Card>
            <Card title="By host" aside={<span class="small faint">24 hours</span>}>
              <Table
                label="Pages by host"
                columns={hostColumns}
                rows={byHost.value?.data.slice(0, 10) ?? []}
                id={({ host }) => host}
                empty="No pages in the last 24 hours."
              />
            </Card>
          </div>
        </>
      )}
      <LastCalls />
    </div>
  )
}

const Totals = ({ total }: { total: Usage['total'] }) => {
  const pages = Object.values(total.engines).reduce((sum, value) => sum + value, 0)
  return (
    <Figures title="Totals">
      <Figure label="Credits" value={short(total.credits)} />
      <Figure label="Calls" value={short(total.requests)} />
      <Figure label="Pages" value={short(pages)} />
      <Figure
        label="From the cache"
        value={pages === 0 ? '–' : `${Math.round((total.cacheHits / pages) * 100)} %`}
        note={plural(total.cacheHits, 'page')}
      />
      <Figure
        label="Errors"
        value={short(total.errors)}
        note={total.requests > 0 && `${((total.errors / total.requests) * 100).toFixed(1)} % of calls`}
      />
      {total.modelTokens > 0 && (
        <Figure
          label="Model tokens"
          value={short(total.modelTokens)}
          note={total.modelCost > 0 && `cost ${total.modelCost.toFixed(2)}`}
        />
      )}
    </Figures>
  )
}

function Days({ usage, measure, days }: { usage: Usage; measure: Measure; days: number }) {
  const { top, rest } = topOf(endpointSums(usage.data), (row) => row[measure])
  const names = top.filter((row) => row[measure] > 0).map(({ endpoint }) => endpoint ?? '–')
  if (names.length === 0)
    return (
      <Empty icon="usage" title="Nothing to plot yet">
        <p>
          Calls appear here within seconds. Make one in the <a href="#/playground">playground</a>.
        </p>
      </Empty>
    )
  const last = Date.parse(usage.to)
  const rows = Array.from({ length: days }, (_, at) => {
    const day = dayText(last - (days - 1 - at) * DAY_MS)
    const there = usage.data.filter((row) => row.day === day)
    const values = names.map((name) => there.find((row) => row.endpoint === name)?.[measure] ?? 0)
    const others = there
      .filter((row) => !names.includes(row.endpoint ?? '–'))
      .reduce((sum, row) => sum + row[measure], 0)
    return { day, values: rest > 0 ? [...values, others] : values }
  })
  const layers = [...names, ...(rest > 0 ? ['others'] : [])].map((name, at) => ({
    name,
    colour: palette[at] ?? '#7b8683',
  }))
  return <DayChart label={`${measures[measure]} by day`} layers={layers} rows={rows} />
}

/** Rows by day and endpoint, summed over the days. */
function endpointSums(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const { day: _day, ...rest } = row
    const known = sums.get(row.endpoint ?? '–')
    sums.set(
      row.endpoint ?? '–',
      known
        ? {
            ...known,
            credits: known.credits + row.credits,
            requests: known.requests + row.requests,
            errors: known.errors + row.errors,
            cacheHits: known.cacheHits + row.cacheHits,
          }
        : rest,
    )
  }
  return [...sums.values()].sort((a, b) => b.credits - a.credits)
}

const Sums = ({ of, rows, name }: { of: string; rows: readonly Row[]; name(row: Row): string }) => (
  <Table
    label={`Sums by ${of}`}
    columns={[
      { head: of, kind: 'text', cell: name },
      ...(Object.keys(measures) as Measure[]).map((measure) => ({
        head: measures[measure],
        kind: 'number' as const,
        cell: (row: Row) => count(row[measure]),
      })),
    ]}
    rows={rows}
    id={(row) => `${row.keyId}-${row.endpoint}`}
    empty="Nothing yet."
  />
)

const hostColumns: readonly Column<HostUsage['data'][number]>[] = [
  { head: 'Host', kind: 'text', cell: ({ host }) => host },
  { head: 'Pages', kind: 'number', cell: ({ pages }) => count(pages) },
  { head: 'Credits', kind: 'number', cell: ({ credits }) => count(credits) },
]

const callColumns: readonly Column<Activity['data'][number]>[] = [
  { head: 'When', cell: ({ at }) => <span title={moment(at)}>{ago(at)}</span> },
  {
    head: 'Call',
    cell: ({ endpoint, engine }) => (
      <>
        {endpoint}
        {engine && <span class="small faint"> · {engine}</span>}
      </>
    ),
  },
  { head: 'Of', kind: 'text', cell: ({ target }) => (target ? <Away url={target} /> : '–') },
  {
    head: 'Answer',
    cell: ({ status, error }) => (
      <span class="row tags">
        <Badge kind={status < 400 ? 'good' : 'bad'}>{status}</Badge>
        {error && <span class="small faint break">{error}</span>}
      </span>
    ),
  },
  { head: 'Took', kind: 'number', cell: ({ ms }) => duration(ms) },
  { head: 'Key', kind: 'text', cell: ({ keyName }) => keyName ?? '–' },
]

function LastCalls() {
  const { value, error, again } = useLoaded(
    (signal) => call<Activity>({ path: '/v2/admin/activity?limit=50', signal }),
    [],
    EVERY_MS,
  )
  return (
    <Card title="Last calls" aside={<span class="small faint">24 hours</span>}>
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Table
          label="Calls, newest first"
          columns={callColumns}
          rows={value?.data}
          id={(row) => row.id}
          empty="No calls in the last 24 hours."
        />
      )}
    </Card>
  )
}
