// Live browser sessions: those that are open and those that were, a new one, and the profiles that they leave behind.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card, Choose } from '../parts/card.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Badge, Empty, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { go, query } from '../route.ts'
import type { LiveSessionLine, Profile } from '../wire.ts'
import { ago, bytes, moment } from '../words.ts'
import { SessionScreen } from './session.tsx'

const EVERY_MS = 3000
const kinds = { active: 'live', destroyed: undefined, error: 'bad' } as const
const words = { active: 'open', destroyed: 'ended', error: 'failed' } as const

export function SessionsScreen({ rest }: { rest: string[] }) {
  return rest[0] ? <SessionScreen id={rest[0]} /> : <SessionList />
}

function SessionList() {
  const [show, setShow] = useState<'active' | 'all'>('active')
  const { value, error, again } = useLoaded(
    (signal) =>
      call<{ sessions: LiveSessionLine[] }>({
        path: `/v2/interact${show === 'active' ? '?status=active' : ''}`,
        signal,
      }),
    [show],
    EVERY_MS,
  )
  return (
    <div class="page">
      <PageHead title="Sessions">Browsers that stay open: watch and control them, with prompts or code.</PageHead>
      <NewSession />
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Card
          title="Browser sessions"
          aside={<Choose label="Show" words={{ active: 'open only', all: 'all' }} value={show} onChange={setShow} />}
        >
          <Table
            label="Sessions, newest first"
            columns={columns}
            rows={value?.sessions}
            id={(row) => row.id}
            empty={
              <Empty icon="window" title={show === 'active' ? 'No session is open' : 'No sessions yet'}>
                <p>Open one above. Sessions that programs open through the API are listed here too.</p>
              </Empty>
            }
          />
        </Card>
      )}
      <Profiles />
    </div>
  )
}

const columns: Column<LiveSessionLine>[] = [
  {
    head: 'Session',
    kind: 'text',
    cell: ({ id }) => (
      <a href={`#/sessions/${id}`}>
        <code>{id.slice(-12)}</code>
      </a>
    ),
  },
  { head: 'State', cell: ({ status }) => <Badge kind={kinds[status]}>{words[status]}</Badge> },
  { head: 'Opened', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
  { head: 'Last used', cell: ({ lastActivity }) => <span title={moment(lastActivity)}>{ago(lastActivity)}</span> },
]

function NewSession() {
  const [address, setAddress] = useState(() => new URLSearchParams(query.value).get('url') ?? '')
  const [profile, setProfile] = useState('')
  const [minutes, setMinutes] = useState('10')
  const [record, setRecord] = useState(false)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Error>()
  const open = async () => {
    setBusy(true)
    setWrong(undefined)
    const name = profile.trim()
    const body = {
      ttl: Number(minutes) * 60,
      activityTtl: Math.min(Number(minutes) * 60, 900),
      recordSession: record,
      ...(name ? { profile: { name, saveChanges: true } } : {}),
    }
    try {
      const { id } = await call<{ id: string }>({ method: 'POST', path: '/v2/interact', body })
      // The session's own screen shows whether the page could be opened.
      const start = { prompt: `Open ${address.trim()}` }
      if (address.trim() !== '')
        void call({ method: 'POST', path: `/v2/interact/${id}/prompt`, body: start }).catch(() => undefined)
      go(`sessions/${id}`)
    } catch (error) {
      setWrong(error as Error)
      setBusy(false)
    }
  }
  return (
    <form
      class="card card-body"
      aria-label="Open a session"
      onSubmit={(event) => {
        event.preventDefault()
        void open()
      }}
    >
      <h2>Open a session</h2>
      <label class="field">
        Start URL (optional)
        <input
          value={address}
          inputMode="url"
          placeholder="https://example.com"
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <label class="field grow">
          Profile (optional)
          <input
            value={profile}
            maxLength={128}
            placeholder="shop"
            onInput={(event) => setProfile(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          Time limit
          <select value={minutes} onChange={(event) => setMinutes(event.currentTarget.value)}>
            {['5', '10', '30', '60'].map((one) => (
              <option key={one} value={one}>
                {one} minutes
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="check">
        <input
          id="record"
          type="checkbox"
          checked={record}
          onChange={(event) => setRecord(event.currentTarget.checked)}
        />
        <label for="record">Record it</label>
      </div>
      {wrong && <Failure error={wrong} />}
      <div class="row">
        <button type="submit" class="button primary" disabled={busy}>
          {busy ? 'Opening …' : 'Open'}
        </button>
      </div>
    </form>
  )
}

function Profiles() {
  const { value, error, again } = useLoaded(
    (signal) => call<{ profiles: Profile[] }>({ path: '/v2/interact/profiles', signal }),
    [],
    EVERY_MS * 3,
  )
  const [gone, setGone] = useState<string>()
  const [wrong, setWrong] = useState<Error>()
  const forget = async (name: string) => {
    setWrong(undefined)
    await call({ method: 'DELETE', path: `/v2/interact/profiles/${encodeURIComponent(name)}` }).catch(setWrong)
    again()
  }
  const list: Column<Profile>[] = [
    { head: 'Name', kind: 'text', cell: ({ name }) => name },
    { head: 'Saved', cell: ({ updatedAt }) => <span title={moment(updatedAt)}>{ago(updatedAt)}</span> },
    { head: 'Size', kind: 'number', cell: (row) => bytes(row.bytes) },
    { head: 'State', cell: ({ inUse }) => (inUse ? <Badge kind="live">in use</Badge> : <Badge>free</Badge>) },
    {
      head: 'Delete',
      kind: 'buttons',
      cell: ({ name, inUse }) => (
        <button type="button" class="button slim danger" disabled={inUse} onClick={() => setGone(name)}>
          Delete
        </button>
      ),
    },
  ]
  return (
    <Card title="Profiles">
      {(error ?? wrong) && <Failure error={(error ?? wrong)!} onAgain={again} />}
      <Table
        label="Profiles by name"
        columns={list}
        rows={value?.profiles}
        id={(row) => row.name}
        empty="Cookies and storage under a name: sign in once by hand, save a profile, and scrape with it."
      />
      {gone !== undefined && (
        <Confirm
          title={`Delete the profile ${gone}?`}
          action="Delete it"
          onYes={() => void forget(gone)}
          onClose={() => setGone(undefined)}
        >
          <p>Its cookies and storage are deleted permanently. Scrapes that use this profile start without them.</p>
        </Confirm>
      )}
    </Card>
  )
}
