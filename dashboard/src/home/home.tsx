// Home: one box that understands what is pasted, what can be done with it, examples that always work, and the first steps.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Picture } from '../parts/icons.tsx'
import { PageHead } from '../parts/states.tsx'
import { handed } from '../playground/handed.ts'
import { playgroundAddress } from '../playground/state.ts'
import { go } from '../route.ts'
import { ago } from '../words.ts'
import { Dropped } from './dropped.tsx'
import { bodyFor, type Guess, guess, type Task, tasks } from './guess.ts'
import { past } from './past.ts'
import { done, type Step, steps, tickSeen } from './progress.ts'

interface Zoo {
  origin: string | null
  pages: { path: string; title: string; why: string; chip?: string }[]
}

export function Home() {
  const [text, setText] = useState('')
  const [file, setFile] = useState<File>()
  const found = guess(text)
  const offers: Task[] = file ? ['parse'] : found.offers
  const open = (task: Task) => {
    if (task === 'watch') {
      handed.value = { run: true }
      return go(`monitors?url=${encodeURIComponent(found.urls.join(' '))}`)
    }
    // One page or one search is done at once; what takes many pages shows its limit first.
    const run = task === 'scrape' || task === 'search' || task === 'map' || task === 'parse'
    handed.value = { file, run }
    go(playgroundAddress(tasks[task].path, bodyFor(task, found, text)))
  }
  return (
    <div class="page home">
      <PageHead title="Home">What do you want from the web?</PageHead>
      <form
        class="card ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (offers[0]) open(offers[0])
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          setFile(event.dataTransfer?.files[0])
        }}
      >
        <Box text={text} file={file} onText={setText} onFile={setFile} onEnter={() => offers[0] && open(offers[0])} />
        <Understood found={found} file={file} onNoFile={() => setFile(undefined)} />
        {offers.length > 0 && (
          <ul class="offers" aria-label="What can be done with it">
            {offers.map((task, at) => (
              <li key={task}>
                <button
                  type={at === 0 ? 'submit' : 'button'}
                  class={at === 0 ? 'button primary' : 'button'}
                  onClick={at === 0 ? undefined : () => open(task)}
                >
                  {tasks[task].label}
                </button>
                <span class="small soft">{tasks[task].why}</span>
              </li>
            ))}
          </ul>
        )}
      </form>
      <Examples onPick={setText} />
      <div class="split">
        <FirstSteps />
        <LastRuns />
      </div>
    </div>
  )
}

function Box({
  text,
  file,
  onText,
  onFile,
  onEnter,
}: {
  text: string
  file: File | undefined
  onText(text: string): void
  onFile(file: File | undefined): void
  onEnter(): void
}) {
  return (
    <div class="home-box">
      <textarea
        id="ask"
        aria-label="An address, several, or a question"
        placeholder="Paste an address, a list of them, or a question. Or drop a file."
        value={text}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        spellcheck={false}
        onInput={(event) => onText(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.files[0]
          if (pasted) onFile(pasted)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          onEnter()
        }}
      />
      <label class="button slim file-button">
        <Picture name="document" size={16} />
        {file ? 'Another file' : 'Choose a file'}
        <input type="file" class="sr-only" onChange={(event) => onFile(event.currentTarget.files?.[0] ?? undefined)} />
      </label>
    </div>
  )
}

function Understood({ found, file, onNoFile }: { found: Guess; file: File | undefined; onNoFile(): void }) {
  if (file)
    return (
      <p class="small soft row">
        <span>
          A file: <strong>{file.name}</strong>
        </span>
        <button type="button" class="button slim plain" onClick={onNoFile}>
          Take it out
        </button>
      </p>
    )
  if (found.kind === 'nothing')
    return <p class="small soft">Enter runs the first offer. Shift and Enter make a new line.</p>
  const what =
    found.kind === 'address'
      ? 'One address.'
      : found.kind === 'addresses'
        ? `${found.urls.length} addresses.`
        : 'Words: something to look for.'
  return (
    <>
      <p class="small soft" aria-live="polite">
        {what}
      </p>
      <Dropped dropped={found.dropped} />
    </>
  )
}

/** Pages that the service itself serves: they work without a network. */
function Examples({ onPick }: { onPick(text: string): void }) {
  const { value } = useLoaded((signal) => call<Zoo>({ path: '/zoo/index.json', signal }), [])
  const origin = value?.origin
  if (!origin) return null
  return (
    <p class="row examples">
      <span class="small soft">Try</span>
      {value.pages.flatMap(({ path, chip, why }) =>
        chip ? (
          <button type="button" key={path} class="pick" title={why} onClick={() => onPick(`${origin}${path}`)}>
            {chip}
          </button>
        ) : (
          []
        ),
      )}
      <button
        type="button"
        class="pick"
        title="a small site of five pages"
        onClick={() => onPick(`${origin}/zoo/handbook/`)}
      >
        A site to crawl
      </button>
      <a class="small" href="/zoo/">
        All of the zoo
      </a>
    </p>
  )
}

const WHERE: Readonly<Record<Step, string>> = {
  scrape: '#/playground',
  crawl: '#/playground?call=/v2/crawl',
  search: '#/playground?call=/v2/search',
  watch: '#/monitors',
  connect: '#/connect',
}

function FirstSteps() {
  const { value } = useLoaded(
    (signal) => call<{ data: { endpoint: string }[] }>({ path: '/v2/team/activity?limit=100', signal }),
    [],
  )
  useEffect(() => {
    if (value) tickSeen(value.data.map(({ endpoint }) => endpoint))
  }, [value])
  const names = Object.entries(steps) as [Step, string][]
  const all = names.every(([step]) => done.value.includes(step))
  return (
    <section class="card" aria-label="First steps">
      <div class="card-head">
        <h2>{all ? 'You know your way around' : 'First steps'}</h2>
        <span class="small soft">
          {done.value.length} of {names.length}
        </span>
      </div>
      <ol class="steps card-body">
        {names.map(([step, label]) => {
          const isDone = done.value.includes(step)
          return (
            <li key={step} data-done={isDone}>
              <span class="tick" aria-hidden="true">
                {isDone ? '✓' : ''}
              </span>
              <a href={WHERE[step]}>{label}</a>
              <span class="sr-only">{isDone ? 'done' : 'to do'}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const LastRuns = () => (
  <section class="card" aria-label="Last runs">
    <div class="card-head">
      <h2>Last runs</h2>
      <a class="small" href="#/history">
        History
      </a>
    </div>
    <div class="card-body">
      {past.value.length === 0 ? (
        <p class="help">What you run is listed here.</p>
      ) : (
        <ul class="links">
          {past.value.slice(0, 6).map((run) => (
            <li key={run.at} class="row">
              <a class="grow break" href={`#/${playgroundAddress(run.path, run.body, run.id)}`}>
                {run.about || run.path}
              </a>
              <span class="faint small">{ago(run.at)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  </section>
)
