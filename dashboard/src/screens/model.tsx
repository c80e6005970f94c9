// Model: the language model of the service, what was learnt about it, another one without a restart, and a test on a page.
import { useId, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Code } from '../parts/code.tsx'
import { Figure, Figures } from '../parts/figures.tsx'
import { Badge, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import type { Me, ModelState, ModelTest } from '../wire.ts'
import { count, duration } from '../words.ts'

const OF_SERVICE = '/v2/admin/model'
const OF_TEAM = '/v2/admin/team-model'
const FROM = {
  dashboard: 'set here',
  environment: 'set by ORB_LLM_URL',
  service: 'the service’s model',
  none: 'none is set',
} as const
const JSON_BY = { schema: 'by schema', object: 'without a schema', none: 'by prompt only' } as const

type State = ModelState['data']

/** The operator sees the model of the service, others that of their team. */
export function ModelScreen() {
  const {
    value: me,
    error,
    again,
  } = useLoaded(async (signal) => (await call<Me>({ path: '/v2/admin/me', signal })).data, [])
  if (!me) return <div class="page">{error ? <Failure error={error} onAgain={again} /> : <Loading />}</div>
  return <Model path={me.isOperator ? OF_SERVICE : OF_TEAM} />
}

function Model({ path }: { path: string }) {
  const { value, error, again } = useLoaded(async (signal) => (await call<ModelState>({ path, signal })).data, [path])
  return (
    <div class="page">
      <PageHead
        title="Model"
        actions={value && <Badge kind={value.from === 'none' ? 'warn' : 'good'}>{FROM[value.from]}</Badge>}
      >
        {path === OF_TEAM
          ? 'The language model for this team. If the team has none, the service’s model is used.'
          : 'The language model that reads pages, controls agents and interprets prompts. Without a model, rules are used.'}
      </PageHead>
      {error && <Failure error={error} onAgain={again} />}
      {!value && !error && <Loading />}
      {value?.facts?.trouble && (
        <Notice kind="warn">
          <strong>The model is not available</strong>
          <span class="break">{value.facts.trouble}</span>
        </Notice>
      )}
      {value && (
        <>
          <Learnt state={value} />
          <Setting path={path} state={value} onDone={again} />
          {value.from !== 'none' && <Test path={path} onDone={again} />}
        </>
      )}
    </div>
  )
}

const Learnt = ({ state: { model, facts } }: { state: State }) =>
  facts ? (
    <Figures title="Detected properties">
      <Figure label="Model" value={model ?? 'none'} />
      <Figure label="JSON" value={JSON_BY[facts.json]} />
      <Figure label="Tools" value={facts.tools ? 'called' : 'not called'} />
      <Figure
        label="Context size"
        value={facts.contextTokens === null ? 'not said' : count(facts.contextTokens)}
        note="tokens"
      />
      <Figure
        label="Speed"
        value={facts.secondsPerAnswer === null ? 'no response yet' : duration(facts.secondsPerAnswer * 1000)}
        note={
          facts.tokensPerSecond === null
            ? 'for an answer'
            : `per response; ${count(Math.round(facts.tokensPerSecond))} tokens per second`
        }
      />
    </Figures>
  ) : null

function Setting({ path, state, onDone }: { path: string; state: State; onDone(): void }) {
  const id = useId()
  const [url, setUrl] = useState(state.url ?? '')
  const [model, setModel] = useState(state.model ?? '')
  const [key, setKey] = useState<string>()
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const send = async (method: 'PUT' | 'DELETE') => {
    setBusy(true)
    setError(undefined)
    const body = method === 'PUT' ? { body: { url, model, ...(key === undefined ? {} : { endpointKey: key }) } } : {}
    try {
      await call({ method, path, ...body })
      setKey(undefined)
      onDone()
    } catch (wrong) {
      setError(wrong as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title="Endpoint">
      <form
        class="stack card-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send('PUT')
        }}
      >
        <div class="field">
          <label for={`${id}-url`}>Address</label>
          <input
            id={`${id}-url`}
            value={url}
            placeholder="http://localhost:11434/v1"
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
          <span class="help">Any endpoint compatible with OpenAI’s chat API.</span>
        </div>
        <div class="field">
          <label for={`${id}-model`}>Model</label>
          <input
            id={`${id}-model`}
            value={model}
            placeholder="qwen3:8b"
            onInput={(event) => setModel(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for={`${id}-key`}>Key</label>
          <input
            id={`${id}-key`}
            type="password"
            autocomplete="off"
            value={key ?? ''}
            placeholder={state.hasKey ? 'stays as it is' : 'none'}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          <span class="help">Stored encrypted, and never shown again.</span>
        </div>
        {error && <Failure error={error} />}
        <div class="row">
          <button type="submit" class="button primary" disabled={isBusy || url === '' || model === ''}>
            Use it
          </button>
          {state.from === 'dashboard' && (
            <button type="button" class="button" disabled={isBusy} onClick={() => void send('DELETE')}>
              Stop using it
            </button>
          )}
        </div>
      </form>
    </Card>
  )
}

interface Zoo {
  origin: string
}

function Test({ path, onDone }: { path: string; onDone(): void }) {
  const [result, setResult] = useState<ModelTest['data']>()
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setError(undefined)
    setResult(undefined)
    try {
      const { origin } = await call<Zoo>({ path: '/zoo/index.json' })
      const body = { url: `${origin}/zoo/article`, formats: ['markdown'] }
      const page = await call<{ data: { markdown: string } }>({ method: 'POST', path: '/v2/scrape', body })
      const text = page.data.markdown
      setResult((await call<ModelTest>({ method: 'POST', path: `${path}/test`, body: { text } })).data)
      onDone()
    } catch (wrong) {
      setError(wrong as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card
      title="Test"
      aside={
        <button type="button" class="button slim" disabled={isBusy} onClick={() => void run()}>
          {isBusy ? 'Running …' : 'Read a page of the zoo'}
        </button>
      }
    >
      <div class="stack card-body" aria-live="polite">
        {error && <Failure error={error} />}
        {!result && !error && <p class="help">Shows the prompt, the response and the time that the model took.</p>}
        {result?.warnings.map((warning) => (
          <Notice kind="warn" key={warning}>
            <span class="break">{warning}</span>
          </Notice>
        ))}
        {result && (
          <>
            <p>
              {result.by === 'model' ? 'Succeeded' : 'Failed'} in {duration(result.ms)}: {count(result.inputTokens)}{' '}
              tokens read, {count(result.outputTokens)} written.
            </p>
            <h3>Answer</h3>
            <Code text={result.answer} label="Response of the model" />
            <h3>Prompt</h3>
            <Code text={result.prompt} label="Prompt for the model" />
          </>
        )}
      </div>
    </Card>
  )
}
