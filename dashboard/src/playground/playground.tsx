// The playground: one box, every task, its options, and what comes of it. All that is shown stands in the address.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call, root } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Badge, Empty, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { place, query, settle } from '../route.ts'
import { duration, plural } from '../words.ts'
import { AskBox } from './ask-box.tsx'
import { CallPanel } from './call-panel.tsx'
import type { Values } from './field-parts.tsx'
import { handed, takeHanded } from './handed.ts'
import { Options } from './options.tsx'
import { type Answer, Result } from './result.tsx'
import { asked, useRunner, written } from './runner.ts'
import { type Capability, capabilitiesOf, type OpenApi } from './schema.ts'
import { playgroundAddress, stateIn } from './state.ts'

/** What a form begins with. A crawl has a small limit: Enter alone must not mean ten thousand pages. */
function beginning({ path, fields }: Capability): Values {
  if (path === '/v2/crawl' || path === '/v2/crawl/plan') return { limit: 20, scrapeOptions: { formats: ['markdown'] } }
  return fields.formats ? { formats: ['markdown'] } : {}
}

export function Playground() {
  const { value, error, again } = useLoaded((signal) => call<OpenApi>({ path: '/openapi.json', signal }), [])
  const capabilities = useMemo(() => (value ? capabilitiesOf(value) : []), [value])
  return (
    <div class="page">
      <PageHead title="Playground">Choose a task, fill in the box, and see the response as it arrives.</PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading what="Loading the service’s capabilities" />}
      {capabilities.length > 0 && <Bench capabilities={capabilities} />}
    </div>
  )
}

/** The address and what is asked, kept the same in both directions. */
function useAddress(capability: Capability, values: Values): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    clearTimeout(timer.current)
    // Not at every key: browsers allow only so many changes of the address.
    timer.current = setTimeout(() => {
      // The answer may have led elsewhere since.
      if (place.peek()[0] !== 'playground') return
      const said = stateIn(query.peek())
      // It says so already: what stands beside it (a stored result) stays.
      if (said.path === capability.path && JSON.stringify(said.body) === JSON.stringify(values)) return
      const next = playgroundAddress(capability.path, values)
      written.query = next.slice('playground?'.length)
      settle(next)
    }, 300)
    return () => clearTimeout(timer.current)
  }, [capability, values])
}

async function storedAnswer(id: string): Promise<Answer | undefined> {
  return call<Answer>({ path: `/v2/scrape/${encodeURIComponent(id)}` }).catch(() => undefined)
}

function Bench({ capabilities }: { capabilities: Capability[] }) {
  const { path, values: all, answer, ms } = asked.value
  const capability = capabilities.find((one) => one.path === path) ?? capabilities[0]!
  const values = all[capability.path] ?? beginning(capability)
  const { box } = capability
  const [file, setFile] = useState<File>()
  const { error, stopped, running, startedAt, run, clear } = useRunner()
  const results = useRef<HTMLDivElement>(null)
  const set = (next: Values) => {
    asked.value = { ...asked.value, values: { ...asked.value.values, [capability.path]: next } }
  }
  // Somebody came by a link, by reload or by the way back. Before anything is shown: whoever is quick would press Run for
  // what was asked before.
  const address = query.value
  useLayoutEffect(() => {
    if (address === written.query && address !== '' && !handed.peek().run) return
    written.query = address
    const { path: to, body, id } = stateIn(address)
    const target = capabilities.find((one) => one.path === to)
    if (address === '' || !target) return
    const { answer: _answer, ms: _ms, ...rest } = asked.peek()
    const known = body ?? rest.values[to]
    asked.value = { ...rest, path: to, values: { ...rest.values, ...(known ? { [to]: known } : {}) } }
    clear()
    const { file: given, run: runs } = takeHanded()
    if (given) setFile(given)
    if (id && to === '/v2/scrape')
      void storedAnswer(id).then((found) => {
        if (found && written.query === address) asked.value = { ...asked.peek(), answer: found }
      })
    if (runs) void run(target, known ?? {}, given)
  }, [address, capabilities])
  useAddress(capability, values)
  const choose = (next: string) => {
    const target = capabilities.find((one) => one.path === next)
    // The address goes along: it is what one wants to try with another call.
    const known = all[next] ?? (target ? beginning(target) : {})
    const url = values.url ?? (values.urls as string[] | undefined)?.[0]
    const carried = target?.box === 'url' && url ? { url } : target?.box === 'urls' && url ? { urls: [url] } : {}
    asked.value = { path: next, values: { ...all, [next]: { ...known, ...carried } } }
    clear()
  }
  const again = () => {
    results.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    void run(capability, values, file)
  }
  return (
    <>
      {/* What is right is the service's to say: a hidden field that lacks something must not stop the form. */}
      <form
        class="card ask"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          again()
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
        {stopped && (
          <Notice kind="bad">
            <strong>Not sent: a field is not valid</strong>
            <span class="break">{stopped}</span>
          </Notice>
        )}
      </form>
      {answer && !running && <Facts answer={answer} ms={ms} />}
      <div class="split" ref={results}>
        <div class="stack" aria-live="polite" aria-busy={running !== undefined}>
          {running && <Waiting since={startedAt} />}
          {error && <Failure error={error} onAgain={again} />}
          {answer && <Result answer={answer} asked={values} />}
          {!running && !error && !answer && <Nothing box={box} />}
        </div>
        <CallPanel
          call={{ capability, body: values, origin: location.origin + root, fileName: file?.name }}
          answer={answer}
        />
      </div>
    </>
  )
}

const Nothing = ({ box }: { box: Capability['box'] }) => (
  <div class="card">
    <Empty icon="play" title="No request yet">
      <p>
        {box === 'file'
          ? 'Choose a file above and press Run.'
          : box === 'urls'
            ? 'Paste URLs above, one per line, and press Run.'
            : 'Fill in the box above and press Enter.'}{' '}
        The response appears here.
      </p>
    </Empty>
  </div>
)

/** What it took, in a line above both halves. What the site returned comes first when it was no success. */
function Facts({ answer, ms }: { answer: Answer; ms: number | undefined }) {
  const { metadata } = (answer.data ?? {}) as { metadata?: Record<string, unknown> }
  const credits = metadata?.creditsUsed ?? answer.creditsUsed
  const status = metadata?.statusCode
  const isGood = typeof status !== 'number' || status < 400
  return (
    <div class="row tags">
      {typeof status === 'number' && (
        <Badge kind={isGood ? 'good' : 'bad'}>{isGood ? `status ${status}` : `the site returned ${status}`}</Badge>
      )}
      {ms !== undefined && <Badge>{duration(ms)}</Badge>}
      {typeof credits === 'number' && <Badge>{plural(credits, 'credit')}</Badge>}
      {metadata?.cacheState === 'hit' && <Badge>from the cache</Badge>}
    </div>
  )
}

/** Seconds that tick: something is being done. */
function Waiting({ since }: { since: number }) {
  const { value: ms = 0 } = useLoaded(async () => performance.now() - since, [since], 200)
  return (
    <div class="card">
      <Loading what={`Running, ${duration(ms)}`} />
    </div>
  )
}
