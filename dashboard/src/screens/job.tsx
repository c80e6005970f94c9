// One job, watched: how far it is and how fast, its pages as they arrive, the tree of addresses with what became of each.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { call, download } from '../call.ts'
import { past } from '../home/past.ts'
import { type Arrived, useLive } from '../live.ts'
import { useLoaded } from '../loading.ts'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { Figure } from '../parts/figures.tsx'
import { Picture } from '../parts/icons.tsx'
import { Badge, Empty, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Away } from '../playground/away.tsx'
import { type Answer, Result } from '../playground/result.tsx'
import { playgroundAddress } from '../playground/state.ts'
import type { JobShown, PageShown } from '../wire.ts'
import { ago, count, duration, moment, plural } from '../words.ts'
import { kinds, names } from './job-labels.ts'
import { PageTable } from './page-table.tsx'
import { PageTree } from './page-tree.tsx'

const EVERY_MS = 1000
/** How much higher the next limit is. */
const LIMIT_STEP = 5
/** The rate is that of the last seconds: a crawl does not keep its pace. */
const WINDOW_MS = 10_000

export function JobScreen({ id }: { id: string }) {
  const [isOver, setOver] = useState(false)
  const { value, error, again } = useLoaded(
    async (signal) => (await call<{ data: JobShown }>({ path: `/v2/jobs/${encodeURIComponent(id)}`, signal })).data,
    [id],
    isOver ? undefined : EVERY_MS,
  )
  useEffect(() => {
    if (value) setOver(value.status !== 'scraping')
  }, [value])
  if (!value)
    return (
      <div class="page">
        <PageHead title="Job">
          <span class="break">{id}</span>
        </PageHead>
        {error ? <Failure error={error} onAgain={again} /> : <Loading what="Loading the job" />}
        <p>
          <a href="#/jobs">All jobs</a>
        </p>
      </div>
    )
  return <Watched job={value} error={error} again={again} />
}

/** A crawl that its limit ended, and the way on: the same request with a higher one. */
function AtLimit({ job: { id, kind, status, url, total, pageLimit } }: { job: JobShown }) {
  if (kind !== 'crawl' || status !== 'completed' || !pageLimit || pageLimit === 1 || total < pageLimit) return null
  const body = past.peek().find((run) => run.id === id)?.body ?? { url }
  return (
    <Notice kind="warn">
      <strong>Stopped at your limit of {plural(pageLimit, 'page')}</strong>
      <span>The site may have more. Pages that were already read come from the cache.</span>
      <span>
        <a class="button slim" href={`#/${playgroundAddress('/v2/crawl', { ...body, limit: pageLimit * LIMIT_STEP })}`}>
          Continue with a limit of {count(pageLimit * LIMIT_STEP)}
        </a>
      </span>
    </Notice>
  )
}

function Watched({ job, error, again }: { job: JobShown; error: Error | undefined; again(): void }) {
  const [asks, setAsks] = useState(false)
  const [wrong, setWrong] = useState<Error>()
  const [tab, setTab] = useState('pages')
  const [state, setState] = useState<PageShown['state'] | ''>('')
  const [shown, setShown] = useState<Arrived>()
  const onEnd = useCallback(again, [])
  const isRunning = job.status === 'scraping'
  const { arrived, isOpen } = useLive(job, isRunning, onEnd)
  const cancel = async () => {
    const path = `${job.kind === 'crawl' ? '/v2/crawl' : '/v2/batch/scrape'}/${job.id}`
    await call({ method: 'DELETE', path }).catch(setWrong)
    again()
  }
  const control = async (verb: 'pause' | 'resume' | 'retry') => {
    setWrong(undefined)
    await call({ method: 'POST', path: `/v2/jobs/${job.id}/${verb}` }).catch(setWrong)
    again()
  }
  return (
    <div class="page">
      <PageHead
        title={names[job.kind] ?? job.kind}
        actions={
          <>
            {isRunning && job.kind !== 'extract' && (
              <button type="button" class="button" onClick={() => void control(job.paused ? 'resume' : 'pause')}>
                <Picture name={job.paused ? 'play' : 'clock'} size={16} />
                {job.paused ? 'Resume' : 'Pause'}
              </button>
            )}
            {job.failed > 0 && job.status !== 'cancelled' && job.kind !== 'extract' && (
              <button type="button" class="button" onClick={() => void control('retry')}>
                Retry {plural(job.failed, 'failed page')}
              </button>
            )}
            {isRunning && job.kind !== 'extract' && (
              <button type="button" class="button danger" onClick={() => setAsks(true)}>
                <Picture name="stop" size={16} />
                Cancel
              </button>
            )}
            {job.kind !== 'extract' && <Downloads job={job} onWrong={setWrong} />}
          </>
        }
      >
        <span class="break">{job.url ?? plural(job.total, 'page')}</span>
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {wrong && <Failure error={wrong} />}
      {job.error && (
        <Notice kind="bad">
          <strong>Failed</strong>
          <span class="break">{job.error}</span>
        </Notice>
      )}
      {job.warning && (
        <Notice kind="warn">
          <span class="break">{job.warning}</span>
        </Notice>
      )}
      <AtLimit job={job} />
      <Progress
        job={job}
        onFailed={() => {
          setState('failed')
          setTab('tree')
        }}
      />
      {job.kind === 'extract' && !isRunning && <Extracted id={job.id} />}
      <section class="card" aria-label="Pages of this job">
        <Tabs
          label="Pages of this job"
          tabs={[
            { id: 'pages', label: 'Pages' },
            { id: 'table', label: 'Table' },
            { id: 'tree', label: 'Tree' },
          ]}
          chosen={tab}
          onChoose={setTab}
          aside={isOpen ? <Badge kind="live">live</Badge> : undefined}
        >
          {tab === 'tree' ? (
            <PageTree job={job} state={state} arrived={arrived} onState={setState} />
          ) : tab === 'table' && arrived.length > 0 ? (
            <PageTable pages={arrived} name={`${job.kind}-${job.id}`} onRead={setShown} />
          ) : arrived.length === 0 ? (
            <Empty icon="jobs" title={isRunning ? 'Waiting for the first page' : 'No pages'}>
              <p>
                {isRunning
                  ? 'Pages appear here as they are finished.'
                  : 'No page was stored. The tree shows the reasons.'}
              </p>
            </Empty>
          ) : (
            <ol class="links" reversed aria-label="Newest first">
              {arrived.toReversed().map((page, at) => (
                <li key={`${page.scrapeId}-${at}`} class="row">
                  <span class={`dot ${(page.status ?? 200) < 400 ? 'done' : 'dropped'}`} aria-hidden="true" />
                  <span class="grow break">
                    <strong>{page.title || 'Untitled'}</strong> <Away url={page.url} />
                  </span>
                  {page.status !== undefined && page.status >= 400 && <Badge kind="warn">{page.status}</Badge>}
                  {page.scrapeId && (
                    <button type="button" class="button slim" onClick={() => setShown(page)}>
                      Read<span class="sr-only"> {page.title || page.url}</span>
                    </button>
                  )}
                </li>
              ))}
            </ol>
          )}
        </Tabs>
      </section>
      {shown?.scrapeId && (
        <Dialog title={shown.title || shown.url} onClose={() => setShown(undefined)}>
          <Neighbours pages={arrived} shown={shown} onShow={setShown} />
          <PageRead scrapeId={shown.scrapeId} />
        </Dialog>
      )}
      {asks && (
        <Confirm
          title="Cancel this job?"
          action="Cancel the job"
          onYes={() => void cancel()}
          onClose={() => setAsks(false)}
        >
          <p>Finished pages stay available. The remaining pages are not visited.</p>
        </Confirm>
      )}
    </div>
  )
}

/** One page after the other, without closing. */
function Neighbours({
  pages,
  shown,
  onShow,
}: {
  pages: readonly Arrived[]
  shown: Arrived
  onShow(page: Arrived): void
}) {
  const readable = pages.filter(({ scrapeId }) => scrapeId)
  const at = readable.findIndex(({ scrapeId }) => scrapeId === shown.scrapeId)
  const [before, after] = [readable[at - 1], readable[at + 1]]
  return (
    <p class="row">
      <button type="button" class="button slim" disabled={!before} onClick={() => before && onShow(before)}>
        Previous
      </button>
      <button type="button" class="button slim" disabled={!after} onClick={() => after && onShow(after)}>
        Next
      </button>
      <span class="small soft">
        {at + 1} of {readable.length}
      </span>
    </p>
  )
}

/** What a page became, read again from the store. */
function PageRead({ scrapeId }: { scrapeId: string }) {
  const { value, error, again } = useLoaded(
    (signal) => call<Answer>({ path: `/v2/scrape/${scrapeId}`, signal }),
    [scrapeId],
  )
  if (error) return <Failure error={error} onAgain={again} />
  return value ? <Result answer={value} /> : <Loading />
}

/** What an extraction made of its pages. */
function Extracted({ id }: { id: string }) {
  const { value, error, again } = useLoaded((signal) => call<Answer>({ path: `/v2/extract/${id}`, signal }), [id])
  if (error) return <Failure error={error} onAgain={again} />
  return value ? <Result answer={value} /> : <Loading />
}

/** Pages per second, as seen over the last seconds. */
function useRate(done: number): number {
  const seen = useRef<{ at: number; done: number }[]>([])
  const now = Date.now()
  if (seen.current.at(-1)?.done !== done || now - (seen.current.at(-1)?.at ?? 0) > 500)
    seen.current.push({ at: now, done })
  seen.current = seen.current.filter(({ at }) => now - at <= WINDOW_MS)
  const first = seen.current[0]
  return first && now > first.at ? ((done - first.done) / (now - first.at)) * 1000 : 0
}

function Progress({ job, onFailed }: { job: JobShown; onFailed(): void }) {
  const over = job.completed + job.failed
  const rate = useRate(over)
  const isRunning = job.status === 'scraping'
  const elapsed = (job.finishedAt ? new Date(job.finishedAt).getTime() : Date.now()) - new Date(job.createdAt).getTime()
  const open = job.queued + job.active
  const share = job.total === 0 ? 0 : Math.min(1, over / job.total)
  const shownRate = isRunning ? rate : elapsed > 0 ? (over / elapsed) * 1000 : 0
  return (
    <section class="card card-body" aria-label="Progress">
      <div class="row small">
        <Badge kind={job.paused ? 'warn' : kinds[job.status]}>{job.paused ? 'paused' : job.status}</Badge>
        {job.discovering && <span class="small soft">Looking for pages …</span>}
        <span class="soft">
          Started {ago(job.createdAt)}; available until {moment(job.expiresAt)}
        </span>
      </div>
      <div
        class="progress"
        role="progressbar"
        aria-label="Pages finished"
        aria-valuemin={0}
        aria-valuemax={job.total}
        aria-valuenow={over}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <dl class="figures">
        <Figure label="Finished" value={count(job.completed)} note={`of ${count(job.total)} known`} />
        <Figure label="Waiting" value={count(open)} note={`${count(job.active)} being visited`} />
        <Figure
          label="Failed"
          value={count(job.failed)}
          note={
            job.failed > 0 && (
              <button type="button" class="link" onClick={onFailed}>
                see why
              </button>
            )
          }
        />
        <Figure label="Not visited" value={count(job.dropped)} note="out of scope" />
        <Figure label="Rate" value={`${shownRate.toFixed(shownRate < 10 ? 1 : 0)} /s`} />
        <Figure
          label={isRunning ? 'Time left' : 'Took'}
          value={isRunning ? (rate > 0 && open > 0 ? `≈ ${duration((open / rate) * 1000)}` : '…') : duration(elapsed)}
          note={isRunning ? 'for the known pages' : undefined}
        />
        <Figure label="Credits" value={count(job.creditsUsed)} />
      </dl>
    </section>
  )
}

const formats = [
  { format: 'jsonl', label: 'JSONL', ending: 'jsonl' },
  { format: 'csv', label: 'CSV', ending: 'csv' },
  { format: 'parquet', label: 'Parquet', ending: 'parquet' },
  { format: 'markdown', label: 'Markdown (zip)', ending: 'zip' },
  { format: 'warc', label: 'WARC', ending: 'warc' },
  { format: 'wacz', label: 'WACZ', ending: 'wacz' },
] as const

function Downloads({ job, onWrong }: { job: JobShown; onWrong(error: Error): void }) {
  const [busy, setBusy] = useState('')
  const save = async (format: string, ending: string) => {
    setBusy(format)
    await download(`/v2/jobs/${job.id}/download?format=${format}`, `${job.kind}-${job.id}.${ending}`).catch(onWrong)
    setBusy('')
  }
  return (
    <>
      {formats.map(({ format, label, ending }) => (
        <button
          type="button"
          class="button"
          key={format}
          disabled={job.completed === 0 || busy !== ''}
          onClick={() => void save(format, ending)}
        >
          <Picture name="down" size={16} />
          {busy === format ? 'Saving …' : label}
        </button>
      ))}
    </>
  )
}
