// One live session: its page as it is now, with mouse and keyboard; words and code for it; and what came of them.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Code, Copy } from '../parts/code.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Badge, Empty, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { theme } from '../theme.ts'
import type { LiveSession, Ran } from '../wire.ts'
import { ago, duration, moment, plural } from '../words.ts'
import { Recorder } from './recorder.tsx'

const EVERY_MS = 3000

export function SessionScreen({ id }: { id: string }) {
  const path = `/v2/interact/${encodeURIComponent(id)}`
  const { value, error, again } = useLoaded((signal) => call<LiveSession>({ path, signal }), [id], EVERY_MS)
  const [wrong, setWrong] = useState<Error>()
  const [keeps, setKeeps] = useState(false)
  if (!value) return <div class="page">{error ? <Failure error={error} onAgain={again} /> : <Loading />}</div>
  const isOpen = value.status === 'active'
  const stop = async () => {
    setWrong(undefined)
    await call({ method: 'DELETE', path }).catch(setWrong)
    again()
  }
  return (
    <div class="page">
      <PageHead
        title="Session"
        actions={
          isOpen && (
            <>
              {/* The live view has such a button in its own bar. */}
              {!value.interactiveLiveViewUrl && (
                <button type="button" class="button slim" onClick={() => setKeeps(true)}>
                  Save as profile
                </button>
              )}
              <Copy text={value.cdpUrl} label="Copy CDP URL" />
              <button type="button" class="button slim danger" onClick={() => void stop()}>
                Stop
              </button>
            </>
          )
        }
      >
        <Facts session={value} />
      </PageHead>
      {(wrong ?? error) && <Failure error={(wrong ?? error)!} />}
      {isOpen ? (
        <div class="live-session">
          <section class="card live-view" aria-label="Live view">
            {value.interactiveLiveViewUrl ? (
              <iframe
                title="The page of the session, to watch and control"
                src={`${new URL(value.interactiveLiveViewUrl).pathname}?theme=${theme.value}`}
                allow="clipboard-read; clipboard-write"
              />
            ) : (
              <Empty icon="window" title="This session has no live view">
                <p>The session was opened with streamWebView off.</p>
              </Empty>
            )}
          </section>
          <div class="stack">
            <Say path={path} onDone={again} />
            <Recorder path={path} />
          </div>
        </div>
      ) : (
        <Ended session={value} />
      )}
      {keeps && <KeepProfile path={path} onClose={() => setKeeps(false)} />}
    </div>
  )
}

const Facts = ({ session }: { session: LiveSession }) => (
  <span class="row tags">
    <Badge kind={session.status === 'active' ? 'live' : session.status === 'error' ? 'bad' : undefined}>
      {session.status === 'active' ? 'open' : session.status === 'error' ? 'failed' : 'ended'}
    </Badge>
    <span title={moment(session.createdAt)}>opened {ago(session.createdAt)}</span>
    {session.status === 'active' && <span>ends {ago(session.expiresAt)}</span>}
    {session.profile && <span>profile {session.profile.name}</span>}
    <span>{plural(session.creditsBilled ?? 0, 'credit')}</span>
  </span>
)

const Ended = ({ session }: { session: LiveSession }) => (
  <section class="card card-body" aria-label="End of the session">
    <Notice kind={session.status === 'error' ? 'bad' : 'plain'}>
      <strong>{session.status === 'error' ? 'Failed' : 'The session has ended'}</strong>
      <span>
        {session.error ?? 'The session was stopped.'}
        {session.sessionDurationMs === undefined
          ? ''
          : ` The session was open for ${duration(session.sessionDurationMs)}.`}
      </span>
    </Notice>
    {session.recordingUrl && (
      <p>
        <a class="button" href={new URL(session.recordingUrl).pathname} target="_blank" rel="noreferrer">
          Play the recording
        </a>
      </p>
    )}
    <p>
      <a href="#/sessions">All sessions</a>
    </p>
  </section>
)

const LANGUAGES = { node: 'JavaScript', python: 'Python', bash: 'Shell' } as const
type Language = keyof typeof LANGUAGES
const EXAMPLES: Record<Language, string> = {
  node: "await page.goto('https://example.com')\nawait page.title()",
  python: "page.goto('https://example.com')\npage.title()",
  bash: 'agent-browser open https://example.com\nagent-browser snapshot -i',
}

/** Words or code for the page; both go to the same session, one after another. */
function Say({ path, onDone }: { path: string; onDone(): void }) {
  const [kind, setKind] = useState<'words' | 'code'>('words')
  const [language, setLanguage] = useState<Language>('node')
  const [words, setWords] = useState('')
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [ran, setRan] = useState<Ran>()
  const [wrong, setWrong] = useState<Error>()
  const say = async () => {
    setBusy(true)
    setWrong(undefined)
    const body = kind === 'words' ? { prompt: words, timeout: 120 } : { code, language, timeout: 120 }
    const to = kind === 'words' ? 'prompt' : 'execute'
    try {
      setRan(await call<Ran>({ method: 'POST', path: `${path}/${to}`, body }))
    } catch (error) {
      setWrong(error as Error)
    }
    setBusy(false)
    onDone()
  }
  const text = kind === 'words' ? words : code
  return (
    <section class="card" aria-label="Run an instruction">
      <Tabs
        label="Kind of instruction"
        tabs={[
          { id: 'words', label: 'Words' },
          { id: 'code', label: 'Code' },
        ]}
        chosen={kind}
        onChoose={(id) => setKind(id === 'code' ? 'code' : 'words')}
      >
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void say()
          }}
        >
          {kind === 'words' ? (
            <label class="field">
              What to do
              <textarea
                class="words"
                rows={3}
                value={words}
                maxLength={10_000}
                placeholder="Type orb into Search and press Enter, then open the second result"
                onInput={(event) => setWords(event.currentTarget.value)}
              />
            </label>
          ) : (
            <>
              <label class="field">
                Language
                <select value={language} onChange={(event) => setLanguage(event.currentTarget.value as Language)}>
                  {Object.entries(LANGUAGES).map(([id, name]) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <label class="field">
                Code
                <textarea
                  rows={8}
                  value={code}
                  spellcheck={false}
                  placeholder={EXAMPLES[language]}
                  onInput={(event) => setCode(event.currentTarget.value)}
                />
              </label>
            </>
          )}
          <div class="row">
            <button type="submit" class="button primary" disabled={busy || text.trim() === ''}>
              {busy ? 'Running …' : kind === 'words' ? 'Do it' : 'Run'}
            </button>
          </div>
        </form>
        {wrong && <Failure error={wrong} />}
        {ran && <Outcome ran={ran} />}
      </Tabs>
    </section>
  )
}

function Outcome({ ran }: { ran: Ran }) {
  const failed = ran.killed || ran.exitCode !== 0
  const told = [
    ['What was done', ran.output],
    ['Result', ran.output === undefined ? ran.result : undefined],
    ['Output', ran.stdout],
    ['Errors', ran.stderr],
  ] as const
  const parts = told.filter(([, text]) => text)
  return (
    <div class="stack" role="status">
      <span>
        <Badge kind={failed ? 'bad' : 'good'}>{ran.killed ? 'ended from outside' : failed ? 'not done' : 'done'}</Badge>
      </span>
      {parts.length === 0 && <p class="help">There is no output.</p>}
      {parts.map(([name, text]) => (
        <div class="stack" key={name}>
          <span class="small soft">{name}</span>
          <div class="said">
            <Code text={text ?? ''} label={name} />
          </div>
        </div>
      ))}
    </div>
  )
}

function KeepProfile({ path, onClose }: { path: string; onClose(): void }) {
  const [name, setName] = useState('')
  const [error, setError] = useState<Error>()
  const keep = async () => {
    try {
      await call({ method: 'POST', path: `${path}/profile`, body: { name: name.trim() } })
      onClose()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  return (
    <FormDialog
      title="Save as profile"
      action="Save"
      isReady={name.trim() !== ''}
      error={error}
      onSubmit={() => void keep()}
      onClose={onClose}
    >
      <p class="help">
        Saves the cookies and storage of this session under a name. Scrapes and sessions with this profile start from
        this state.
      </p>
      <label class="field">
        Name
        <input value={name} maxLength={128} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
    </FormDialog>
  )
}
