// Home: one box for a request or addresses, the capabilities that fit, examples that always work, and the first steps.
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, root } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Picture } from '../parts/icons.tsx'
import { Failure, PageHead } from '../parts/states.tsx'
import { handed } from '../playground/handed.ts'
import { playgroundAddress } from '../playground/state.ts'
import { go } from '../route.ts'
import { ago } from '../words.ts'
import { readAddressLines } from './addresses.ts'
import { Dropped } from './dropped.tsx'
import { past } from './past.ts'
import { done, type Step, steps, tickSeen } from './progress.ts'

interface Zoo {
  origin: string | null
  pages: { path: string; title: string; why: string; chip?: string }[]
}

/** A capability that a typed request can mean, as `POST /v2/do` returns it. */
interface Offer {
  name: string
  label: string
  why: string
  path: string
  screen?: string
  isQuick: boolean
  body: Record<string, unknown>
}

interface Understood {
  kind: 'nothing' | 'address' | 'addresses' | 'words'
  urls: string[]
  words: string
  offers: Offer[]
}

const NOTHING: Understood = { kind: 'nothing', urls: [], words: '', offers: [] }
const PARSE: Offer = {
  ...{ name: 'parse', label: 'Read the file', why: 'its text and tables as markdown', path: '/v2/parse' },
  ...{ isQuick: true, body: { formats: ['markdown'] } },
}
const TYPING_MS = 120

const understand = (request: string, signal?: AbortSignal): Promise<Understood> =>
  request.trim() === ''
    ? Promise.resolve(NOTHING)
    : call<Understood>({ method: 'POST', path: '/v2/do', body: { request }, ...(signal ? { signal } : {}) })

/** What the service makes of the text, a moment after the last key. */
function useUnderstood(text: string): { found: Understood; error: Error | undefined } {
  const { value = NOTHING, error } = useLoaded(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, TYPING_MS))
      return signal.aborted ? NOTHING : understand(text, signal)
    },
    [text],
  )
  return { found: value, error }
}

export function Home() {
  const [text, setText] = useState('')
  const [file, setFile] = useState<File>()
  const { found, error } = useUnderstood(text)
  const offers = file ? [PARSE] : found.offers
  const typed = useRef(text)
  typed.current = text
  const open = ({ path, screen, isQuick, body }: Offer, { urls, words }: Understood) => {
    handed.value = { file, run: isQuick || screen !== undefined }
    if (!screen) return go(playgroundAddress(path, body))
    const { text: schedule = '' } = (body.schedule ?? {}) as { text?: string }
    const isTyped = schedule !== '' && words.toLowerCase().includes(schedule)
    const given = { ...(words ? { words } : {}), ...(isTyped ? { schedule } : {}) }
    const query = new URLSearchParams({ url: urls.join(' '), ...given })
    go(`${screen}?${query.toString()}`)
  }
  // Enter may come before the offers of the last key have arrived.
  const openFirst = async () => {
    const latest = file ? { ...NOTHING, offers: [PARSE] } : await understand(text)
    const [first] = latest.offers
    if (first && typed.current === text) open(first, latest)
  }
  return (
    <div class="page home">
      <PageHead title="Home">What do you need from the web?</PageHead>
      <form
        class="card ask"
        onSubmit={(event) => {
          event.preventDefault()
          void openFirst()
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          setFile(event.dataTransfer?.files[0])
        }}
      >
        <Box text={text} file={file} onText={setText} onFile={setFile} onEnter={() => void openFirst()} />
        <Kind found={found} file={file} text={text} onNoFile={() => setFile(undefined)} />
        {error && <Failure error={error} />}
        {offers.length > 0 && (
          <ul class="offers" aria-label="Possible actions">
            {offers.map((offer, at) => (
              <li key={offer.name}>
                <button
                  type={at === 0 ? 'submit' : 'button'}
                  class={at === 0 ? 'button primary' : 'button'}
                  onClick={at === 0 ? undefined : () => open(offer, found)}
                >
                  {offer.label}
                </button>
                <span class="small soft">{offer.why}</span>
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
        aria-label="A request, a URL or several URLs"
        placeholder="screenshot of example.com · notify me when example.com/prices changes · or paste URLs, or drop a file"
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

function Kind({
  found,
  file,
  text,
  onNoFile,
}: {
  found: Understood
  file: File | undefined
  text: string
  onNoFile(): void
}) {
  if (file)
    return (
      <p class="small soft row">
        <span>
          A file: <strong>{file.name}</strong>
        </span>
        <button type="button" class="button slim plain" onClick={onNoFile}>
          Remove it
        </button>
      </p>
    )
  if (found.kind === 'nothing')
    return <p class="small soft">Enter runs the first suggestion. Shift+Enter inserts a new line.</p>
  const lines = readAddressLines(text)
  return (
    <>
      <p class="small soft" aria-live="polite">
        {found.kind === 'address'
          ? `One URL: ${found.urls[0] ?? ''}`
          : found.kind === 'addresses'
            ? `${found.urls.length} URLs.`
            : 'Words, without a URL.'}
      </p>
      <Dropped dropped={found.kind === 'addresses' && lines.urls.length > 1 ? lines.dropped : []} />
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
      <a class="small" href={`${root}/zoo/`}>
        The whole zoo
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
        <h2>{all ? 'All first steps are done' : 'First steps'}</h2>
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
  <section class="card" aria-label="Recent runs">
    <div class="card-head">
      <h2>Recent runs</h2>
      <a class="small" href="#/history">
        History
      </a>
    </div>
    <div class="card-body">
      {past.value.length === 0 ? (
        <p class="help">Your runs are listed here.</p>
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
