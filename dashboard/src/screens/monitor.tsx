// One monitor: what changed on its pages, newest first, word by word; why the rest was called noise; and what a person can
// do about it: look now, pause, copy, delete, and say what mattered.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { BeforeAfter } from '../parts/before-after.tsx'
import { Card, Choose } from '../parts/card.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Badge, Empty, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { go, query } from '../route.ts'
import { ago, moment, safeHref } from '../words.ts'
import { MonitorReports } from './monitor-reports.tsx'
import { MonitorSettings } from './monitor-settings.tsx'
import type { Monitor, SeenPage } from './monitor-wire.ts'
import { WordDiff } from './word-diff.tsx'

const EVERY_MS = 3000
const kinds = { same: undefined, new: 'good', changed: 'live', removed: 'warn', error: 'bad' } as const

export function MonitorScreen({ id }: { id: string }) {
  const [all, setAll] = useState<'false' | 'true'>('false')
  const path = `/v2/monitor/${encodeURIComponent(id)}`
  const monitor = useLoaded((signal) => call<{ data: Monitor }>({ path, signal }), [id], EVERY_MS)
  const history = useLoaded(
    (signal) => call<{ data: SeenPage[] }>({ path: `${path}/history?limit=100&all=${all}`, signal }),
    [id, all],
    EVERY_MS,
  )
  const [wrong, setWrong] = useState<Error>()
  const act = async (method: 'POST' | 'PATCH', more: string, body?: object) => {
    setWrong(undefined)
    await call({ method, path: `${path}${more}`, ...(body ? { body } : {}) }).catch(setWrong)
    monitor.again()
    history.again()
  }
  const warning = new URLSearchParams(query.value).get('warning')
  const one = monitor.value?.data
  if (!one)
    return (
      <div class="page">{monitor.error ? <Failure error={monitor.error} onAgain={monitor.again} /> : <Loading />}</div>
    )
  return (
    <div class="page">
      <PageHead title={one.name} actions={<Actions monitor={one} act={act} onWrong={setWrong} />}>
        {one.scheduleInWords}. {one.nextRunAt ? `Next check ${ago(one.nextRunAt)}.` : 'Paused.'}{' '}
        {one.goal ? `Wanted: ${one.goal}` : ''} <a href={one.feedUrl}>Feed</a>
      </PageHead>
      {wrong && <Failure error={wrong} />}
      <Card
        title="Checks"
        aside={
          <Choose label="Show" words={{ false: 'what changed', true: 'every look' }} value={all} onChange={setAll} />
        }
      >
        {history.value?.data.length === 0 ? (
          <Empty icon="eye" title="Nothing yet">
            <p>The first check is the baseline for all later ones.</p>
          </Empty>
        ) : (
          <ol class="timeline">
            {history.value?.data.map((page) => (
              <Entry
                key={page.id}
                page={page}
                monitor={id}
                onTeach={(mattered) => act('POST', `/pages/${page.id}/feedback`, { mattered })}
              />
            )) ?? <Loading />}
          </ol>
        )}
      </Card>
      {warning && (
        <Notice kind="warn">
          <span>{warning}</span>
        </Notice>
      )}
      <MonitorSettings key={id} monitor={one} onSaved={monitor.again} />
      <MonitorReports key={id} monitor={one} onSaved={monitor.again} />
    </div>
  )
}

function Actions({
  monitor,
  act,
  onWrong,
}: {
  monitor: Monitor
  act(method: 'POST' | 'PATCH', more: string, body?: object): Promise<void>
  onWrong(error: Error): void
}) {
  const [asks, setAsks] = useState(false)
  const isPaused = monitor.status === 'paused'
  const copy = async () => {
    const { name, schedule, targets, watch, webhook, notification, retentionDays, goal, judgeEnabled } = monitor
    const body = {
      ...{ name: `${name} (copy)`.slice(0, 256), schedule, targets, watch, retentionDays, judgeEnabled },
      ...(webhook ? { webhook } : {}),
      ...(notification ? { notification } : {}),
      ...(goal ? { goal } : {}),
    }
    try {
      const { data } = await call<{ data: Monitor }>({ method: 'POST', path: '/v2/monitor', body })
      go(`monitors/${data.id}`)
    } catch (error) {
      onWrong(error as Error)
    }
  }
  return (
    <>
      <button
        type="button"
        class="button primary slim"
        disabled={isPaused || monitor.currentCheckId !== null}
        onClick={() => void act('POST', '/run')}
      >
        {monitor.currentCheckId ? 'Checking …' : 'Check now'}
      </button>
      <button
        type="button"
        class="button slim"
        onClick={() => void act('PATCH', '', { status: isPaused ? 'active' : 'paused' })}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      <button type="button" class="button slim" onClick={() => void copy()}>
        Duplicate
      </button>
      <button type="button" class="button slim danger" onClick={() => setAsks(true)}>
        Delete
      </button>
      {asks && (
        <Confirm
          title="Delete this monitor?"
          action="Delete"
          onYes={() =>
            void call({ method: 'DELETE', path: `/v2/monitor/${monitor.id}` }).then(() => go('monitors'), onWrong)
          }
          onClose={() => setAsks(false)}
        >
          <p>Its results are deleted too.</p>
        </Confirm>
      )}
    </>
  )
}

/** Asked for when somebody wants to see them: most monitors take no pictures. */
function Pictures({ page, monitor }: { page: SeenPage; monitor: string }) {
  const [shots, setShots] = useState<{ before: string | null; after: string | null }>()
  const [wrong, setWrong] = useState<Error>()
  const show = () =>
    void call<{ data: { screenshots: { before: string | null; after: string | null } } }>({
      path: `/v2/monitor/${monitor}/pages/${page.id}`,
    }).then(({ data }) => setShots(data.screenshots), setWrong)
  if (wrong) return <Failure error={wrong} />
  if (!shots)
    return (
      <div class="row">
        <button type="button" class="button slim" onClick={show}>
          Show the pictures
        </button>
      </div>
    )
  if (!shots.before || !shots.after)
    return <p class="help">There are no screenshots. Add the format “screenshot” to the monitor.</p>
  return <BeforeAfter before={here(shots.before)} after={here(shots.after)} />
}

/** Links of the service work from wherever the dashboard is. */
const here = (link: string): string => new URL(link).pathname

function Entry({
  page,
  monitor,
  onTeach,
}: {
  page: SeenPage
  monitor: string
  onTeach(mattered: boolean): Promise<void>
}) {
  const [form, setForm] = useState<'inline' | 'pairs'>('inline')
  const { status, url, metadata, judgment, diff, suppressed, error, createdAt } = page
  const [taught, setTaught] = useState<string>()
  const teach = (mattered: boolean) =>
    void onTeach(mattered).then(() =>
      setTaught(mattered ? 'Changes here are reported from now on.' : 'Changes here no longer count.'),
    )
  return (
    <li class="card-body">
      <div class="row">
        <Badge kind={kinds[status]}>{status}</Badge>
        <a class="break" href={safeHref(url)} rel="noreferrer" target="_blank">
          {metadata?.title ?? url}
        </a>
        <span class="small faint" title={moment(createdAt)}>
          {ago(createdAt)}
        </span>
      </div>
      {error && <p class="help break">{error}</p>}
      {metadata?.met?.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {judgment && (
        <p class="help">
          {judgment.meaningful ? 'Relevant to your goal' : 'Not relevant to your goal'}: {judgment.reason} (
          {judgment.confidence})
        </p>
      )}
      {diff?.text && (
        <>
          <Choose
            label="Show"
            words={{ inline: 'in one column', pairs: 'side by side' }}
            value={form}
            onChange={setForm}
          />
          <WordDiff text={diff.text} asPairs={form === 'pairs'} />
        </>
      )}
      {status === 'changed' && page.previousScrapeId && page.currentScrapeId && (
        <Pictures page={page} monitor={monitor} />
      )}
      {status === 'changed' && (
        <div class="row">
          {taught ? (
            <span role="status">{taught}</span>
          ) : (
            <>
              <button type="button" class="button slim" onClick={() => teach(true)}>
                Relevant
              </button>
              <button type="button" class="button slim" onClick={() => teach(false)}>
                Not relevant
              </button>
            </>
          )}
        </div>
      )}
      {suppressed && suppressed.length > 0 && (
        <details>
          <summary class="small soft">{suppressed.length} changes were classified as noise</summary>
          <ul class="small">
            {suppressed.map(({ reason, before, after }, at) => (
              <li key={`${at} ${before}`} class="break">
                {reason}: <del>{before}</del> <ins>{after}</ins>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
