// The addresses of a job as a tree of hosts and paths, with what became of each and why.
import { useMemo, useState } from 'preact/hooks'
import { call } from '../call.ts'
import type { Arrived } from '../live.ts'
import { useLoaded } from '../loading.ts'
import { Choose } from '../parts/card.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import type { JobShown, PageShown } from '../wire.ts'
import { count } from '../words.ts'

const EVERY_MS = 2000
const MOST_PAGES = 5000
const MOST_SHOWN = 200

interface Branch {
  name: string
  /** The address itself, when it is one. */
  page: PageShown | undefined
  below: Map<string, Branch>
  /** Pages here and below, by what became of them. */
  counts: Partial<Record<PageShown['state'], number>>
}

const words: Readonly<Record<PageShown['state'], string>> = {
  done: 'kept',
  dropped: 'dropped',
  failed: 'failed',
  active: 'being visited',
  queued: 'waiting',
}

function treeOf(pages: readonly PageShown[]): Branch {
  const root: Branch = { name: '', page: undefined, below: new Map(), counts: {} }
  for (const page of pages) {
    let branch = root
    for (const name of stepsOf(page.url)) {
      branch.counts[page.state] = (branch.counts[page.state] ?? 0) + 1
      const next = branch.below.get(name) ?? { name, page: undefined, below: new Map(), counts: {} }
      branch.below.set(name, next)
      branch = next
    }
    branch.counts[page.state] = (branch.counts[page.state] ?? 0) + 1
    branch.page = page
  }
  return root
}

function stepsOf(url: string): string[] {
  try {
    const { origin, pathname, search } = new URL(url)
    const steps = pathname.split('/').filter(Boolean)
    return [origin, ...steps, ...(search ? [search] : [])]
  } catch {
    return [url]
  }
}

export function PageTree({
  job,
  state,
  arrived,
  onState,
}: {
  job: JobShown
  /** Pages that came while we looked or before: what their site answered. */
  arrived: readonly Arrived[]
  /** Only those; empty: all. */
  state: PageShown['state'] | ''
  onState(state: PageShown['state'] | ''): void
}) {
  const { value, error, again } = useLoaded(
    (signal) =>
      call<{ data: PageShown[]; next: string | null }>({
        path: `/v2/jobs/${job.id}/pages?limit=${MOST_PAGES}`,
        signal,
      }),
    [job.id, job.status],
    job.status === 'scraping' ? EVERY_MS : undefined,
  )
  const tree = useMemo(() => {
    const answers = new Map(arrived.map(({ scrapeId, status }) => [scrapeId, status]))
    const pages = (value?.data ?? []).map((page) => withAnswer(page, answers.get(page.scrapeId ?? '')))
    return treeOf(pages.filter((page) => state === '' || page.state === state))
  }, [value, state, arrived])
  if (error && !value) return <Failure error={error} onAgain={again} />
  if (!value) return <Loading what="Loading the URLs" />
  return (
    <>
      <div class="row">
        <Choose label="Show" words={{ '': 'all', ...words }} value={state} onChange={onState} />
        <ul class="legend">
          {(['done', 'dropped', 'failed', 'active', 'queued'] as const).map((name) => (
            <li key={name}>
              <span class={`dot ${name}`} aria-hidden="true" /> {words[name]}
            </li>
          ))}
        </ul>
      </div>
      {tree.below.size === 0 ? (
        <Empty icon="jobs" title="No such URLs">
          <p>{state === '' ? 'URLs appear here as they are found.' : `None is ${words[state]}.`}</p>
        </Empty>
      ) : (
        <ul class="url-tree">
          {[...tree.below.values()].map((branch) => (
            <Twig key={branch.name} branch={branch} open={2} />
          ))}
        </ul>
      )}
      {value.next !== null && <p class="help">The first {count(MOST_PAGES)} URLs. The API returns all of them.</p>}
    </>
  )
}

function Twig({ branch, open }: { branch: Branch; open: number }) {
  const [isOpen, setOpen] = useState(open > 0)
  const [most, setMost] = useState(MOST_SHOWN)
  const { name, page, below, counts } = branch
  if (below.size === 0)
    return (
      <li class="leaf">
        <PageLine name={name} page={page} />
      </li>
    )
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {page ? <PageLine name={name} page={page} /> : <span class="break">{name}</span>}{' '}
          <span class="faint">
            {Object.entries(counts)
              .map(([state, number]) => `${count(number)} ${words[state as PageShown['state']]}`)
              .join(', ')}
          </span>
        </summary>
        {isOpen && (
          <ul>
            {[...below.values()]
              .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
              .slice(0, most)
              .map((next) => (
                <Twig key={next.name} branch={next} open={open - 1} />
              ))}
            {below.size > most && (
              <li>
                <button type="button" class="button slim" onClick={() => setMost(most + MOST_SHOWN * 5)}>
                  {count(below.size - most)} more
                </button>
              </li>
            )}
          </ul>
        )}
      </details>
    </li>
  )
}

/** An error page that was kept is no page that was found. */
const withAnswer = (page: PageShown, status: number | undefined): PageShown =>
  status !== undefined && status >= 400 ? { ...page, why: `the site returned ${status}` } : page

const PageLine = ({ name, page }: { name: string; page: PageShown | undefined }) => (
  <>
    <span class={`dot ${page?.state === 'done' && page.why ? 'dropped' : (page?.state ?? '')}`} aria-hidden="true" />{' '}
    <span class="break" title={page?.url}>
      {name}
    </span>
    {page && <span class="sr-only">{words[page.state]}</span>}
    {page?.why && <span class="faint break"> – {page.why}</span>}
  </>
)
