// Notifications of a monitor: by e-mail or chat, at once or as a digest, outside of quiet hours. Also what was sent, or
// would have been.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Badge, Failure } from '../parts/states.tsx'
import { ago, moment, plural } from '../words.ts'
import type { Message, Monitor, Notification } from './monitor-wire.ts'

const lines = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

export function MonitorReports({ monitor, onSaved }: { monitor: Monitor; onSaved(): void }) {
  const known: Notification = monitor.notification ?? {}
  const [mails, setMails] = useState((known.email?.recipients ?? []).join('\n'))
  const [channels, setChannels] = useState((known.channels ?? []).join('\n'))
  const [digest, setDigest] = useState(known.digest ?? 'off')
  const [from, setFrom] = useState(known.quietHours?.from ?? '')
  const [to, setTo] = useState(known.quietHours?.to ?? '')
  const [wrong, setWrong] = useState<Error>()
  const [said, setSaid] = useState('')
  const save = async () => {
    setWrong(undefined)
    setSaid('')
    const recipients = lines(mails)
    const notification: Notification = {
      ...(known.slack ? { slack: known.slack } : {}),
      email: { includeDiffs: true, ...known.email, enabled: recipients.length > 0, recipients },
      channels: lines(channels),
      digest,
      ...(from && to ? { quietHours: { from, to } } : {}),
    }
    try {
      const { warning = '' } = await call<{ warning?: string }>({
        method: 'PATCH',
        path: `/v2/monitor/${monitor.id}`,
        body: { notification },
      })
      setSaid(`Saved. ${recipients.length > 0 ? 'New recipients must confirm first. ' : ''}${warning}`.trim())
      onSaved()
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <Card title="Notifications">
      <form
        class="card-body"
        aria-label="Notifications"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div class="side-by-side">
          <label class="field">
            By e-mail, one address per line
            <textarea rows={2} value={mails} onInput={(event) => setMails(event.currentTarget.value)} />
          </label>
          <label class="field">
            In a chat: Slack, Discord, ntfy or Telegram, one URL per line
            <textarea rows={2} value={channels} onInput={(event) => setChannels(event.currentTarget.value)} />
          </label>
        </div>
        <div class="row">
          <label class="field">
            When
            <select value={digest} onChange={(event) => setDigest(event.currentTarget.value as typeof digest)}>
              <option value="off">immediately</option>
              <option value="hourly">hourly digest</option>
              <option value="daily">daily digest</option>
            </select>
          </label>
          <label class="field">
            Quiet from
            <input type="time" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
          </label>
          <label class="field">
            until
            <input type="time" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
          </label>
        </div>
        {wrong && <Failure error={wrong} />}
        <div class="row">
          <button type="submit" class="button slim">
            Save
          </button>
          {said && <span role="status">{said}</span>}
        </div>
      </form>
      <SendTest monitor={monitor.id} />
      <Messages monitor={monitor.id} />
    </Card>
  )
}

interface Tested {
  channel: string
  to: string
  sent: boolean
  error?: string
}

/** Sends a test to the receivers that are saved, and shows what each of them answered. */
function SendTest({ monitor }: { monitor: string }) {
  const [results, setResults] = useState<Tested[]>()
  const [wrong, setWrong] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const test = async () => {
    setWrong(undefined)
    setResults(undefined)
    setSending(true)
    try {
      setResults((await call<{ data: Tested[] }>({ method: 'POST', path: `/v2/monitor/${monitor}/test` })).data)
    } catch (error) {
      setWrong(error as Error)
    }
    setSending(false)
  }
  return (
    <div class="card-body">
      <div class="row">
        <button type="button" class="button slim" disabled={isSending} onClick={() => void test()}>
          {isSending ? 'Sending …' : 'Send a test'}
        </button>
      </div>
      {wrong && <Failure error={wrong} />}
      {results && (
        <div role="status">
          <ul class="small told">
            {results.map(({ channel, to, sent, error }) => (
              <li key={channel + to} class="break">
                <Badge kind={sent ? 'good' : 'bad'}>{sent ? 'sent' : 'failed'}</Badge> {channel} {to} {error}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

/** What went out; without a mail server, what would have. */
function Messages({ monitor }: { monitor: string }) {
  const { value } = useLoaded(
    (signal) => call<{ data: Message[] }>({ path: `/v2/monitor/${monitor}/messages`, signal }),
    [monitor],
    5000,
  )
  if (!value || value.data.length === 0) return null
  return (
    <details class="card-body">
      <summary class="small soft">{plural(value.data.length, 'message')}</summary>
      <ul class="small told">
        {value.data.map(({ id, channel, to, state, message, createdAt, error }) => (
          <li key={id} class="break">
            <Badge kind={state === 'sent' ? 'good' : state === 'failed' ? 'bad' : undefined}>{state}</Badge> {channel}{' '}
            {to}: {message?.title} <span title={moment(createdAt)}>{ago(createdAt)}</span> {error}
          </li>
        ))}
      </ul>
    </details>
  )
}
