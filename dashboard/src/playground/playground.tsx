// The playground: one box, every capability, every option, and what comes of it.
import { signal } from '@preact/signals'
import { useMemo, useRef, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Empty, Failure, Loading, PageHead } from '../parts/states.tsx'
import { go } from '../route.ts'
import { duration, plural } from '../words.ts'
import { AskBox } from './ask-box.tsx'
import { CallPanel } from './call-panel.tsx'
import { Field, type Values, withValue } from './fields.tsx'
import { type Answer, Result } from './result.tsx'
import { type Capability, capabilitiesOf, type OpenApi } from './schema.ts'

/** What was asked last, kept while the page is open: going elsewhere and back loses nothing. */
const asked = signal<{ path: string; values: Record<string, Values>; answer?: Answer; ms?: number }>({
  path: '/v2/scrape',
  values: { '/v2/scrape': { formats: ['markdown', 'links'] } },
})

/** What a form begins with: the format that is made when none is named, ticked. */
const beginning = ({ fields }: Capability): Values => (fields.formats ? { formats: ['markdown'] } : {})

export function Playground() {
  const { value, error, again } = useLoaded((signal) => call<OpenApi>({ path: '/openapi.json', signal }), [])
  const capabilities = useMemo(() => (value ? capabilitiesOf(value) : []), [value])
  return (
    <div class="page">
      <PageHead title="Playground">
        Paste an address, choose what to make of it, and see the answer as it comes.
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading what="Learning what the service can do" />}
      {capabilities.length > 0 && <Bench capabilities={capabilities} />}
    </div>
  )
}

function Bench({ capabilities }: { capabilities: Capability[] }) {
  const { path, values: all, answer, ms } = asked.value
  const capability = capabilities.find((one) => one.path === path) ?? capabilities[0]!
  const values = all[capability.path] ?? beginning(capability)
  const { box } = capability
  const [file, setFile] = useState<File>()
  const [error, setError] = useState<Error>()
  const [running, setRunning] = useState<AbortController>()
  const started = useRef(0)
  const place = useRef<HTMLDivElement>(null)
  const set = (next: Values) => {
    asked.value = { ...asked.value, values: { ...all, [capability.path]: next } }
  }
  const choose = (next: string) => {
    const target = capabilities.find((one) => one.path === next)
    // The address goes along: it is what one wants to try with another call.
    const known = all[next] ?? (target ? beginning(target) : {})
    const url = values.url ?? (values.urls as string[] | undefined)?.[0]
    const carried = target?.box === 'url' && url ? { url } : target?.box === 'urls' && url ? { urls: [url] } : {}
    asked.value = { path: next, values: { ...all, [next]: { ...known, ...carried } } }
    setError(undefined)
  }
  const run = async () => {
    const stop = new AbortController()
    setRunning(stop)
    setError(undefined)
    started.current = performance.now()
    place.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    const { answer: _answer, ms: _ms, ...rest } = asked.value
    asked.value = rest
    try {
      const given = await call<Answer>({
        method: 'POST',
        path: capability.path,
        body: box === 'file' ? formOf(file, values) : values,
        signal: stop.signal,
      })
      // A job that outlives its request is watched where jobs are watched.
      if (typeof given.id === 'string' && typeof given.url === 'string' && given.data === undefined)
        return go(`jobs/${given.id}`)
      asked.value = { ...asked.value, answer: given, ms: performance.now() - started.current }
    } catch (failure) {
      if (!stop.signal.aborted) setError(failure as Error)
    } finally {
      setRunning(undefined)
    }
  }
  return (
    <>
      {/* What is right is the service's to say: a hidden field that lacks something must not stop the form. */}
      <form
        class="card ask"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <AskBox
          capabilities={capabilities}
          capability={capability}
          values={values}
          file={file}
          isRunning={running !== undefined}
          onChoose={choose}
          onChange={set}
          onFile={setFile}
          onStop={() => running?.abort()}
        />
        <Options capability={capability} values={values} onChange={set} />
      </form>
      {answer && !running && <Facts answer={answer} ms={ms ?? 0} />}
      <div class="split" ref={place}>
        <div class="stack" aria-live="polite" aria-busy={running !== undefined}>
          {running && <Waiting since={started.current} />}
          {error && <Failure error={error} onAgain={() => void run()} />}
          {answer && <Result answer={answer} />}
          {!running && !error && !answer && (
            <div class="card">
              <Empty icon="play" title="Nothing asked yet">
                <p>
                  {box === 'file'
                    ? 'Choose a file above and press Run.'
                    : box === 'urls'
                      ? 'Paste addresses above, one per line, and press Run.'
                      : 'Fill in the box above and press Enter.'}{' '}
                  The answer appears here.
                </p>
              </Empty>
            </div>
          )}
        </div>
        <CallPanel call={{ capability, body: values, origin: location.origin, fileName: file?.name }} answer={answer} />
      </div>
    </>
  )
}

function formOf(file: File | undefined, values: Values): FormData {
  const form = new FormData()
  if (file) form.append('file', file)
  if (Object.keys(values).length > 0) form.append('options', JSON.stringify(values))
  return form
}

/** What it took, in a line above both halves. */
function Facts({ answer, ms }: { answer: Answer; ms: number }) {
  const { metadata } = (answer.data ?? {}) as { metadata?: Record<string, unknown> }
  const credits = metadata?.creditsUsed ?? answer.creditsUsed
  return (
    <div class="row tags">
      <Badge kind="good">{duration(ms)}</Badge>
      {typeof credits === 'number' && <Badge>{plural(credits, 'credit')}</Badge>}
      {metadata?.cacheState === 'hit' && <Badge>from the cache</Badge>}
      {typeof metadata?.statusCode === 'number' && (
        <Badge kind={metadata.statusCode < 400 ? undefined : 'warn'}>status {metadata.statusCode}</Badge>
      )}
    </div>
  )
}

/** Seconds that tick: something is being done. */
function Waiting({ since }: { since: number }) {
  const { value: ms = 0 } = useLoaded(async () => performance.now() - since, [since], 200)
  return (
    <div class="card">
      <Loading what={`Working on it, ${duration(ms)}`} />
    </div>
  )
}

function Options({
  capability: { path, fields },
  values,
  onChange,
}: {
  capability: Capability
  values: Values
  onChange(values: Values): void
}) {
  const [filter, setFilter] = useState('')
  const { formats, ...others } = fields
  const set = Object.keys(values).filter((name) => name in others)
  const shown = Object.entries(others).filter(([name, { description = '' }]) =>
    `${name} ${description}`.toLowerCase().includes(filter.toLowerCase()),
  )
  return (
    <>
      {formats && (
        <Field
          key={path}
          name="formats"
          schema={formats}
          value={values.formats}
          onChange={(value) => onChange(withValue(values, 'formats', value))}
        />
      )}
      <details class="more">
        <summary class="row">
          <strong class="small">Options</strong>
          <span class="small faint">{Object.keys(others).length}</span>
          {set.length > 0 && <Badge kind="live">{set.length} set</Badge>}
        </summary>
        <div class="stack">
          <div class="row">
            <input
              type="search"
              class="grow"
              aria-label="Find an option"
              placeholder="Find an option"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
            <button
              type="button"
              class="button slim"
              disabled={set.length === 0}
              onClick={() => onChange(Object.fromEntries(Object.entries(values).filter(([name]) => !(name in others))))}
            >
              Reset all
            </button>
          </div>
          <div class="options">
            {shown.map(([name, schema]) => (
              <Field
                key={`${path}:${name}`}
                name={name}
                schema={schema}
                value={values[name]}
                onChange={(value) => onChange(withValue(values, name, value))}
              />
            ))}
          </div>
          {shown.length === 0 && <p class="help">No option is called that.</p>}
        </div>
      </details>
    </>
  )
}
