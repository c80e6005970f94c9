// Monitors: what is watched, when it is next looked at, and a new one from nothing but an address.
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, download } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { PartPicker } from '../parts/part-picker.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { Badge, Empty, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { takeHanded } from '../playground/handed.ts'
import { go, query } from '../route.ts'
import { ago, moment, plural } from '../words.ts'
import { MonitorScreen } from './monitor.tsx'
import type { Monitor } from './monitor-wire.ts'
import { SCHEDULES, type Suggestion, suggestedSchedule } from './suggest-schedule.ts'

const EVERY_MS = 4000

export function MonitorsScreen({ rest }: { rest: string[] }) {
  return rest[0] ? <MonitorScreen id={rest[0]} /> : <MonitorList />
}

function MonitorList() {
  const { value, error, again } = useLoaded(
    (signal) => call<{ data: Monitor[] }>({ path: '/v2/monitor?limit=100', signal }),
    [],
    EVERY_MS,
  )
  const feed = useLoaded((signal) => call<{ data: { url: string } }>({ path: '/v2/monitor/feeds', signal }), [])
  return (
    <div class="page">
      <PageHead
        title="Monitors"
        actions={
          <>
            {feed.value && (
              <a class="button slim" href={feed.value.data.url}>
                Feed of all
              </a>
            )}
            <button
              type="button"
              class="button slim"
              onClick={() => void download('/v2/monitor/export', 'monitors.json')}
            >
              Export
            </button>
          </>
        }
      >
        Pages that are checked on a schedule. Only real changes are reported.
      </PageHead>
      <NewMonitor />
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Card title="Watched">
          <Table
            label="Monitors, newest first"
            columns={columns}
            rows={value?.data}
            id={(row) => row.id}
            empty={
              <Empty icon="eye" title="No monitors yet">
                <p>Enter a URL above, or import a list from changedetection.io or urlwatch.</p>
              </Empty>
            }
          />
        </Card>
      )}
      <Import onDone={again} />
    </div>
  )
}

const columns: Column<Monitor>[] = [
  { head: 'Name', kind: 'text', cell: ({ id, name }) => <a href={`#/monitors/${id}`}>{name}</a> },
  {
    head: 'State',
    cell: ({ status, currentCheckId }) => (
      <Badge kind={status === 'paused' ? 'warn' : currentCheckId ? 'live' : 'good'}>
        {status === 'paused' ? 'paused' : currentCheckId ? 'looking' : 'watching'}
      </Badge>
    ),
  },
  {
    head: 'Changes',
    cell: ({ recentChanges }) => <Sparkline values={recentChanges ?? []} what="News in" />,
  },
  { head: 'Schedule', kind: 'text', cell: ({ scheduleInWords }) => scheduleInWords },
  {
    head: 'Last check',
    cell: ({ lastRunAt, lastCheckSummary }) =>
      lastRunAt && lastCheckSummary ? (
        <>
          <span title={moment(lastRunAt)}>{ago(lastRunAt)}</span>
          <div class="small faint">
            {lastCheckSummary.changed + lastCheckSummary.new + lastCheckSummary.removed > 0
              ? `${plural(lastCheckSummary.changed, 'change')}, ${lastCheckSummary.new} new, ${lastCheckSummary.removed} gone`
              : 'nothing new'}
            {lastCheckSummary.error > 0 ? `, ${plural(lastCheckSummary.error, 'failure')}` : ''}
          </div>
        </>
      ) : (
        '–'
      ),
  },
  {
    head: 'Next check',
    cell: ({ nextRunAt }) => (nextRunAt ? <span title={moment(nextRunAt)}>{ago(nextRunAt)}</span> : '–'),
  },
]

/** Makes a monitor, has it look at once, and returns its place. */
async function start(body: object): Promise<string> {
  const path = '/v2/monitor'
  const { data, warning } = await call<{ data: Monitor; warning?: string }>({ method: 'POST', path, body })
  await call({ method: 'POST', path: `${path}/${data.id}/run` })
  return `monitors/${data.id}${warning ? `?${new URLSearchParams({ warning })}` : ''}`
}

/** One step: the address. The rest has a good default and can be changed at once. */
function NewMonitor() {
  // Home passes its addresses, separated by blanks, and the words of the request.
  const [url, setUrl] = useState(() => new URLSearchParams(query.value).get('url') ?? '')
  const [chosen, setChosen] = useState(() => new URLSearchParams(query.value).get('schedule') ?? undefined)
  const [suggestion, setSuggestion] = useState<Suggestion>()
  const schedule = chosen ?? suggestion?.schedule ?? 'hourly'
  const [goal, setGoal] = useState(() => new URLSearchParams(query.value).get('words') ?? '')
  const [notify, setNotify] = useState({ email: '', webhook: '' })
  const [wrong, setWrong] = useState<Error>()
  const [html, setHtml] = useState<string>()
  const [part, setPart] = useState('')
  const asked = useRef('')
  const look = async (): Promise<string> => {
    const body = { url: url.trim().split(/\s+/)[0], formats: ['rawHtml'] }
    asked.current = url
    const { data } = await call<{ data: { rawHtml?: string } }>({ method: 'POST', path: '/v2/scrape', body })
    // An address that was changed meanwhile gets a suggestion of its own.
    if (asked.current === url) setSuggestion(suggestedSchedule(data.rawHtml ?? '', Date.now()))
    return data.rawHtml ?? ''
  }
  // A page that cannot be had has no rhythm; why it cannot is said where it is asked for.
  const suggest = () => void (url.trim() !== '' && look().catch(() => undefined))
  useEffect(() => {
    if (takeHanded().run) suggest()
  }, [])
  const show = async () => {
    setWrong(undefined)
    setHtml(undefined)
    try {
      setHtml(await look())
    } catch (error) {
      setWrong(error as Error)
    }
  }
  const make = async () => {
    setWrong(undefined)
    const name = url.replace(/^https?:\/\//, '').slice(0, 200)
    const body = {
      name,
      schedule: { text: schedule, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      targets: [{ type: 'scrape', urls: url.split(/\s+/).filter(Boolean) }],
      ...(goal.trim() ? { goal: goal.trim() } : {}),
      ...(part ? { watch: { only: [part] } } : {}),
      ...notificationsOf(notify),
    }
    try {
      go(await start(body))
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <form
      class="card card-body"
      aria-label="Watch a page"
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <h2>Watch a page</h2>
      <div class="row">
        <label class="field grow">
          Address
          <input
            required
            value={url}
            placeholder="https://example.com/pricing"
            onInput={(event) => setUrl(event.currentTarget.value)}
            onChange={() => {
              asked.current = ''
              setSuggestion(undefined)
              suggest()
            }}
          />
        </label>
        <label class="field">
          Check
          <select value={schedule} onChange={(event) => setChosen(event.currentTarget.value)}>
            {[...new Set([...SCHEDULES, schedule])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      {suggestion && !chosen && (
        <p class="help" role="status">
          Suggested: {suggestion.schedule}. {suggestion.because}
        </p>
      )}
      <label class="field">
        Which changes matter? (optional)
        <input
          value={goal}
          maxLength={2000}
          placeholder="Tell me when the price drops"
          onInput={(event) => setGoal(event.currentTarget.value)}
        />
      </label>
      <Notify value={notify} onChange={setNotify} />
      {html !== undefined && (
        <div class="stack">
          <p class="help">Click the part to watch. The rest of the page is ignored.</p>
          <PartPicker
            key={html.length}
            html={html}
            label="click the part to watch"
            onPick={({ selector }) => setPart(selector)}
          />
        </div>
      )}
      {(html !== undefined || part) && (
        <label class="field">
          Only this part (a CSS selector; empty: the whole page)
          <input value={part} placeholder="main > table" onInput={(event) => setPart(event.currentTarget.value)} />
        </label>
      )}
      {wrong && <Failure error={wrong} />}
      <div class="row">
        <button type="submit" class="button primary">
          Watch it
        </button>
        <button type="button" class="button" disabled={url.trim() === ''} onClick={() => void show()}>
          Choose a part
        </button>
      </div>
    </form>
  )
}

interface Notifications {
  email: string
  webhook: string
}

const notificationsOf = ({ email, webhook }: Notifications) => ({
  ...(email.trim()
    ? { notification: { email: { enabled: true, recipients: email.split(/[\s,;]+/).filter(Boolean) } } }
    : {}),
  ...(webhook.trim() ? { webhook: webhook.trim() } : {}),
})

const Notify = ({ value, onChange }: { value: Notifications; onChange(next: Notifications): void }) => (
  <div class="row">
    <label class="field grow">
      Notify by e-mail (optional)
      <input
        value={value.email}
        inputMode="email"
        placeholder="you@example.com"
        onInput={(event) => onChange({ ...value, email: event.currentTarget.value })}
      />
    </label>
    <label class="field grow">
      Notify a webhook (optional)
      <input
        value={value.webhook}
        inputMode="url"
        placeholder="https://example.com/hook"
        onInput={(event) => onChange({ ...value, webhook: event.currentTarget.value })}
      />
    </label>
  </div>
)

function Import({ onDone }: { onDone(): void }) {
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  const [wrong, setWrong] = useState<Error>()
  const take = async () => {
    setWrong(undefined)
    try {
      const { data, skipped } = await call<{ data: Monitor[]; skipped: { entry: string; because: string }[] }>({
        method: 'POST',
        path: '/v2/monitor/import',
        body: { data: text },
      })
      setSaid(
        `${plural(data.length, 'monitor')} imported. ${skipped.map(({ entry, because }) => `${entry}: ${because}`).join('; ')}`,
      )
      setText('')
      onDone()
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <details class="card card-body">
      <summary>Import a list</summary>
      <label class="field">
        URLs, JSON from changedetection.io, YAML from urlwatch, or an export from Orbweaver
        <textarea rows={6} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {wrong && <Failure error={wrong} />}
      {said && <p role="status">{said}</p>}
      <div class="row">
        <button type="button" class="button slim" disabled={text.trim() === ''} onClick={() => void take()}>
          Import
        </button>
      </div>
    </details>
  )
}
