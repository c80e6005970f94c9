// Search: the open web and everything that was fetched here, in one box. Hits with their words marked, who answered, the
// same call as code, and a scrape of the hits that were chosen.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { call, root } from '../call.ts'
import { Choose } from '../parts/card.tsx'
import { Badge, Empty, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { CallPanel } from '../playground/call-panel.tsx'
import { go } from '../route.ts'
import { Hits } from '../search/hits.tsx'
import { AskedList, Providers } from '../search/sources.tsx'
import { hitsOf, type SearchReply, type Vertical } from '../search/wire.ts'
import { duration, plural } from '../words.ts'

const VERTICALS: readonly { id: Vertical; label: string }[] = [
  { id: 'web', label: 'Web' },
  { id: 'news', label: 'News' },
  { id: 'images', label: 'Images' },
]
const TIMES = {
  any: 'any time',
  'qdr:h': 'the last hour',
  'qdr:d': 'the last day',
  'qdr:w': 'the last week',
  'qdr:m': 'the last month',
  'qdr:y': 'the last year',
} as const
const PLACES = { all: 'the web and what was fetched', own: 'only what was fetched here' } as const
const CAPABILITY = { path: '/v2/search', summary: 'Search', box: 'query', fields: {}, required: ['query'] } as const

interface Question {
  query: string
  vertical: Vertical
  time: keyof typeof TIMES
  place: keyof typeof PLACES
}

/** Kept while the page is open: going elsewhere and back loses nothing. */
const typed = signal<Question>({ query: '', vertical: 'web', time: 'any', place: 'all' })
const answered = signal<{ question: Question; reply: SearchReply; ms: number; turn: number } | undefined>(undefined)

const bodyOf = ({ query, vertical, time }: Question) => ({
  query,
  limit: 20,
  sources: [vertical],
  ...(time === 'any' ? {} : { tbs: time }),
})

export function SearchScreen() {
  const [error, setError] = useState<Error>()
  const [running, setRunning] = useState<AbortController>()
  const question = typed.value
  const answer = answered.value
  const ask = async (next: Question) => {
    typed.value = next
    if (next.query.trim() === '') return
    running?.abort()
    const stop = new AbortController()
    const began = performance.now()
    setRunning(stop)
    setError(undefined)
    try {
      const own = next.place === 'own' ? '&own=true' : ''
      const path = `/v2/search?explain=true${own}`
      const reply = await call<SearchReply>({ method: 'POST', path, body: bodyOf(next), signal: stop.signal })
      const turn = (answered.value?.turn ?? 0) + 1
      answered.value = { question: next, reply, ms: performance.now() - began, turn }
    } catch (failure) {
      if (stop.signal.aborted) return
      answered.value = undefined
      setError(failure as Error)
    }
    setRunning(undefined)
  }
  return (
    <div class="page">
      <PageHead title="Search">Searches the web and all pages that were fetched here.</PageHead>
      <form
        class="card ask"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void ask(question)
        }}
      >
        <div class="ask-line">
          <div class="box">
            <input
              id="ask"
              type="search"
              aria-label="Search query"
              placeholder='Words, "a phrase", -without, site:example.com'
              value={question.query}
              onInput={(event) => {
                typed.value = { ...question, query: event.currentTarget.value }
              }}
            />
          </div>
          <button type="submit" class="button primary" disabled={question.query.trim() === ''}>
            Search
          </button>
        </div>
        <div class="row">
          <Choose
            label="In"
            words={PLACES}
            value={question.place}
            onChange={(place) => void ask({ ...question, place })}
          />
          <Choose
            label="From"
            words={TIMES}
            value={question.time}
            onChange={(time) => void ask({ ...question, time })}
          />
        </div>
      </form>
      {error && <Failure error={error} onAgain={() => void ask(question)} />}
      <div class="split search-split">
        <section class="card" aria-label="Hits" aria-live="polite" aria-busy={running !== undefined}>
          <Tabs
            label="Search scope"
            tabs={VERTICALS}
            chosen={question.vertical}
            onChoose={(vertical) => void ask({ ...question, vertical: vertical as Vertical })}
          >
            {running ? <Loading what="Searching" /> : <Found answer={answer} />}
          </Tabs>
        </section>
        <div class="stack">
          {answer && <AskedList asked={answer.reply.explain?.asked ?? []} />}
          <CallPanel
            call={{ capability: CAPABILITY, body: bodyOf(question), origin: location.origin + root }}
            answer={answer?.reply}
          />
        </div>
      </div>
      <Providers turn={answer?.turn ?? 0} />
    </div>
  )
}

function Found({ answer }: { answer: (typeof answered)['value'] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [error, setError] = useState<Error>()
  if (!answer)
    return (
      <Empty icon="search" title="No search yet">
        <p>Type above and press Enter. Scraped and crawled pages can be found within a second or two.</p>
      </Empty>
    )
  const { reply, question, ms } = answer
  const hits = hitsOf(reply, question.vertical)
  const urls = hits.map(({ url }) => url)
  const wanted = urls.filter((url) => chosen.has(url))
  const choose = (url: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(url)
    else next.delete(url)
    setChosen(next)
  }
  const scrape = async () => {
    setError(undefined)
    try {
      const body = { urls: [...new Set(wanted.length > 0 ? wanted : urls)], formats: ['markdown'] }
      const { id } = await call<{ id: string }>({ method: 'POST', path: '/v2/batch/scrape', body })
      go(`jobs/${id}`)
    } catch (failure) {
      setError(failure as Error)
    }
  }
  return (
    <>
      <div class="row">
        <span class="row tags">
          <Badge kind="good">{plural(hits.length, 'hit')}</Badge>
          <Badge>{duration(ms)}</Badge>
          <Badge>{plural(reply.creditsUsed, 'credit')}</Badge>
        </span>
        {hits.length > 0 && question.vertical !== 'images' && (
          <button type="button" class="button slim" onClick={() => void scrape()}>
            {wanted.length > 0 ? `Scrape these ${wanted.length}` : 'Scrape these'}
          </button>
        )}
      </div>
      {error && <Failure error={error} />}
      {reply.warning && (
        <Notice kind="warn">
          <span class="break">{reply.warning}</span>
        </Notice>
      )}
      <Hits query={question.query} vertical={question.vertical} hits={hits} chosen={chosen} onChoose={choose} />
    </>
  )
}
