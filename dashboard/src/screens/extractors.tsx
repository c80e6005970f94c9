// Extractors: the list, and one with what it reads on other pages, its fields, versions, and what a site no longer gives.
import { useEffect, useState } from 'preact/hooks'
import { call, saveText } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Code, Copy } from '../parts/code.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Badge, Empty, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Away } from '../playground/away.tsx'
import { takeHanded } from '../playground/handed.ts'
import { playgroundAddress } from '../playground/state.ts'
import { go, query } from '../route.ts'
import { ago, count, moment, plural } from '../words.ts'
import {
  type Extractor,
  type ExtractorListed,
  type FieldOfProgram,
  PATH,
  type PageRead,
  pathOf,
  recordsOf,
  textOf,
  type Way,
  wayText,
} from './extractor-wire.ts'
import { TeachScreen } from './teach.tsx'
import { TeachLink } from './teach-link.tsx'

const MAX_TEST_PAGES = 20
/** Of a list page, the records that its row shows. */
const MAX_SHOWN_RECORDS = 5
const UNSURE = 0.6
const MADE = { taught: 'taught', edited: 'edited', model: 'learned from a model', healed: 'healed' } as const

export const ExtractorsScreen = ({ rest: [id] }: { rest: string[] }) =>
  id === 'new' ? <TeachScreen /> : id ? <ExtractorScreen key={id} id={id} /> : <ExtractorList />

function ExtractorList() {
  const { value, error, again } = useLoaded((signal) => call<{ data: ExtractorListed[] }>({ path: PATH, signal }), [])
  const [wrong, setWrong] = useState<Error>()
  const take = async (file: File) => {
    setWrong(undefined)
    try {
      const { id } = await call<{ id: string }>({ method: 'POST', path: PATH, body: JSON.parse(await file.text()) })
      go(`extractors/${id}`)
    } catch (failure) {
      setWrong(failure as Error)
    }
  }
  return (
    <div class="page">
      <PageHead
        title="Extractors"
        actions={
          <>
            <label class="button slim file-button">
              Import
              <input
                type="file"
                class="sr-only"
                accept="application/json,.json"
                onChange={(event) => {
                  const [file] = event.currentTarget.files ?? []
                  if (file) void take(file)
                }}
              />
            </label>
            <a class="button slim primary" href="#/extractors/new">
              Teach an extractor
            </a>
          </>
        }
      >
        An extractor learns from the values of one page and then reads the other pages of the site without a model.
      </PageHead>
      {(wrong ?? error) && <Failure error={(wrong ?? error)!} onAgain={again} />}
      {(value || !error) && (
        <Card title="Stored extractors">
          <Table
            label="Extractors, newest first"
            columns={listColumns}
            rows={value?.data}
            id={({ id }) => id}
            empty={
              <Empty icon="target" title="No extractors yet">
                <p>
                  <a href="#/extractors/new">Teach one</a> by clicking the values of a page.
                </p>
              </Empty>
            }
          />
        </Card>
      )}
    </div>
  )
}

const scopeText = ({ scope: { hosts, like } }: Pick<ExtractorListed, 'scope'>): string =>
  hosts.length === 0 ? 'any site' : hosts.map((host) => `${host}${like}`).join(', ')

const listColumns: readonly Column<ExtractorListed>[] = [
  {
    head: 'Extractor',
    kind: 'text',
    cell: ({ id, name }) => <a href={`#/extractors/${encodeURIComponent(id)}`}>{name ?? id}</a>,
  },
  { head: 'Reads', kind: 'text', cell: (one) => scopeText(one) },
  { head: 'Fields', kind: 'text', cell: ({ fields }) => fields.join(', ') },
  {
    head: 'State',
    cell: ({ drifted }) =>
      drifted.length === 0 ? <Badge kind="good">working</Badge> : <Badge kind="warn">site changed</Badge>,
  },
  { head: 'Pages', kind: 'number', cell: ({ pages }) => count(pages) },
  { head: 'Version', kind: 'number', cell: ({ version }) => version },
  { head: 'Saved', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
]

function ExtractorScreen({ id }: { id: string }) {
  const [version, setVersion] = useState<number>()
  const { value, error, again } = useLoaded(
    (signal) => call<{ data: Extractor }>({ path: version ? `${pathOf(id)}?version=${version}` : pathOf(id), signal }),
    [id, version],
  )
  const [isLeaving, setLeaving] = useState(false)
  const [wrong, setWrong] = useState<Error>()
  if (!value) return <div class="page">{error ? <Failure error={error} onAgain={again} /> : <Loading />}</div>
  const one = value.data
  const title = one.name ?? one.id
  const newest = one.versions?.[0]?.version ?? one.version
  const save = () => {
    const { name, schema, program, scope } = one
    const kept = { ...(name ? { name } : {}), ...(schema ? { schema } : {}), program, hosts: scope.hosts }
    saveText(JSON.stringify(kept, null, 2), `${title}.extractor.json`, 'application/json')
  }
  const restore = () =>
    call({ method: 'PATCH', path: pathOf(id), body: { version: one.version } }).then(() => {
      setVersion(undefined)
      again()
    }, setWrong)
  const notFound = new URLSearchParams(query.value).get('notFound')
  return (
    <div class="page">
      <PageHead
        title={title}
        actions={
          <>
            <button type="button" class="button slim" onClick={save}>
              Export
            </button>
            <button type="button" class="button slim danger" onClick={() => setLeaving(true)}>
              Delete
            </button>
          </>
        }
      >
        Version {one.version}, {MADE[one.made]}. Reads <span class="break">{scopeText(one)}</span>;{' '}
        {plural(one.pages, 'page')} so far.
      </PageHead>
      {wrong && <Failure error={wrong} />}
      {notFound && (
        <Notice kind="warn">
          <strong>Not on the page: {notFound}</strong>
          <span>These values do not occur literally in the training page. The other fields are learned.</span>
        </Notice>
      )}
      {one.version !== newest && (
        <Notice kind="plain">
          <span>This is an older version. The newest is {newest}.</span>
          <span class="row">
            <button type="button" class="button slim" onClick={() => void restore()}>
              Restore version {one.version}
            </button>
            <button type="button" class="button slim" onClick={() => setVersion(undefined)}>
              Show the newest
            </button>
          </span>
        </Notice>
      )}
      <Drift extractor={one} />
      <TestPages extractor={one} />
      <Card title="Fields">
        <Table label="Fields and their locations" columns={fieldColumns} rows={fieldsOf(one)} id={({ name }) => name} />
      </Card>
      <UseIt extractor={one} />
      <Card title="Versions">
        <Table
          label="Versions, newest first"
          columns={versionColumns(one.version, setVersion)}
          rows={one.versions ?? []}
          id={(row) => String(row.version)}
        />
      </Card>
      {isLeaving && (
        <Confirm
          title={`Delete the extractor ${title}?`}
          action="Delete it"
          onYes={() => void call({ method: 'DELETE', path: pathOf(id) }).then(() => go('extractors'), setWrong)}
          onClose={() => setLeaving(false)}
        >
          <p>All its versions are deleted. Requests and monitors that use it will fail.</p>
        </Confirm>
      )}
    </div>
  )
}

interface FieldRow {
  name: string
  type: string
  ways: readonly Way[]
  isBroken: boolean
}

function fieldsOf({ program, drifted }: Extractor): FieldRow[] {
  const { records, fields } = program as { records: FieldOfProgram | null; fields: Record<string, FieldOfProgram> }
  return Object.entries(records?.fields ?? fields).map(([name, { type, ways }]) => ({
    ...{ name, type, ways, isBroken: drifted.includes(name) },
  }))
}

const fieldColumns: readonly Column<FieldRow>[] = [
  {
    head: 'Field',
    cell: ({ name, isBroken }) => (
      <span class="row tags">
        <strong>{name}</strong>
        {isBroken && <Badge kind="warn">no longer found</Badge>}
      </span>
    ),
  },
  { head: 'Type', cell: ({ type }) => type },
  {
    head: 'Locations, most reliable first',
    kind: 'text',
    cell: ({ ways }) =>
      ways.length === 0 ? (
        <span class="faint">not found: the site no longer contains it</span>
      ) : (
        <ol class="told small">
          {ways.slice(0, 3).map((way) => (
            <li key={JSON.stringify(way)}>{wayText(way)}</li>
          ))}
          {ways.length > 3 && <li class="faint">and {plural(ways.length - 3, 'more location')}</li>}
        </ol>
      ),
  },
]

type Version = NonNullable<Extractor['versions']>[number]

const versionColumns = (shown: number, onShow: (version: number) => void): Column<Version>[] => [
  { head: 'Version', kind: 'number', cell: ({ version }) => version },
  { head: 'Made', cell: ({ made }) => MADE[made as keyof typeof MADE] ?? made },
  { head: 'Saved', cell: ({ createdAt }) => <span title={moment(createdAt)}>{ago(createdAt)}</span> },
  {
    head: 'Show',
    kind: 'buttons',
    cell: ({ version }) => (
      <button type="button" class="button slim" disabled={version === shown} onClick={() => onShow(version)}>
        {version === shown ? 'Shown' : `Show version ${version}`}
      </button>
    ),
  },
]

const readPages = (id: string, urls: readonly string[]) =>
  call<{ data: PageRead[]; creditsUsed: number }>({ method: 'POST', path: `${pathOf(id)}/test`, body: { urls } })

function TestPages({ extractor: { id, fields } }: { extractor: Extractor }) {
  const [text, setText] = useState(() => (new URLSearchParams(query.value).get('urls') ?? '').split(' ').join('\n'))
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Error>()
  const [pages, setPages] = useState<PageRead[]>()
  const urls = text.split(/\s+/).filter(Boolean).slice(0, MAX_TEST_PAGES)
  const read = async () => {
    setBusy(true)
    setWrong(undefined)
    await readPages(id, urls).then(({ data }) => setPages(data), setWrong)
    setBusy(false)
  }
  useEffect(() => {
    if (takeHanded().run) void read()
  }, [])
  return (
    <Card title="Test it on other pages">
      <form
        class="card-body stack"
        aria-label="Test it on other pages"
        onSubmit={(event) => {
          event.preventDefault()
          void read()
        }}
      >
        <label class="field">
          URLs, one per line
          <textarea
            rows={Math.min(6, Math.max(2, urls.length))}
            value={text}
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          <button type="submit" class="button primary" disabled={busy || urls.length === 0}>
            {busy ? 'Reading …' : 'Test'}
          </button>
          <span class="help">One credit per page.</span>
        </div>
        {wrong && <Failure error={wrong} />}
      </form>
      {pages && (
        <Table
          label="What it reads on each page"
          columns={pageColumns(id, fields)}
          rows={pages.flatMap(rowsOf)}
          id={({ url, at }) => `${url} ${at}`}
        />
      )}
    </Card>
  )
}

/** One record of a page. */
interface RecordRow extends Omit<PageRead, 'json'> {
  at: number
  record: Readonly<Record<string, unknown>>
  /** How many records the page has, if it is a list. */
  records?: number
  json: unknown
}

function rowsOf(page: PageRead): RecordRow[] {
  const records = recordsOf(page.json)
  const list = Array.isArray(page.json) ? { records: records.length } : {}
  return (records.length > 0 ? records.slice(0, MAX_SHOWN_RECORDS) : [{}]).map((record, at) => ({
    ...{ ...page, ...list, record, at },
  }))
}

const pageColumns = (id: string, fields: readonly string[]): Column<RecordRow>[] => [
  {
    head: 'Page',
    kind: 'text',
    cell: ({ url, at, json, error, records }) =>
      at > 0 ? null : (
        <>
          <Away url={url} />
          {records !== undefined && <div class="small faint">{plural(records, 'record')}</div>}
          {error && <div class="small bad break">{error}</div>}
          {!error && json === null && <div class="small bad">A different kind of page: nothing was read.</div>}
        </>
      ),
  },
  ...fields.map(
    (name): Column<RecordRow> => ({
      head: name,
      kind: 'text',
      cell: ({ record, json, fields: readings }) =>
        json === null ? null : <Value value={record[name]} reading={readings[name] as Reading | undefined} />,
    }),
  ),
  {
    head: 'Correct',
    kind: 'buttons',
    cell: ({ url, at, json }) =>
      at > 0 || json === null ? null : (
        <TeachLink id={id} url={url} data={json}>
          Correct<span class="sr-only"> {url}</span>
        </TeachLink>
      ),
  },
]

interface Reading {
  by?: string | null
  confidence?: number
}

const Value = ({ value, reading: { by, confidence } = {} }: { value: unknown; reading?: Reading | undefined }) => {
  const text = textOf(value)
  if (text === '') return <span class="faint">not found</span>
  return (
    <span title={by ? `read from ${by}` : undefined}>
      {text.slice(0, 300)}
      {text.length > 300 && ' …'}
      {confidence !== undefined && confidence < UNSURE && <Badge kind="warn">unsure</Badge>}
    </span>
  )
}

/** The taught page as it was and as it is, where the site no longer gives a field. */
function Drift({ extractor: { id, drifted, examples } }: { extractor: Extractor }) {
  const [now, setNow] = useState<PageRead>()
  const [wrong, setWrong] = useState<Error>()
  const [example] = examples
  if (drifted.length === 0) return null
  const compare = () => void readPages(id, [example!.url]).then(({ data: [page] }) => setNow(page), setWrong)
  const before = recordsOf(example?.data)[0] ?? {}
  const after = recordsOf(now?.json)[0] ?? {}
  const columns: Column<string>[] = [
    { head: 'Field', cell: (name) => <strong>{name}</strong> },
    { head: 'Taught', kind: 'text', cell: (name) => <Value value={before[name]} /> },
    { head: 'Now', kind: 'text', cell: (name) => <Value value={after[name]} /> },
  ]
  return (
    <Card title="The site changed">
      <div class="card-body stack">
        <Notice kind="warn">
          <strong>No longer found: {drifted.filter(Boolean).join(', ') || 'the whole template'}</strong>
          <span>These values are null until the extractor is taught again. The service does not guess them.</span>
        </Notice>
        {wrong && <Failure error={wrong} />}
        {example && (
          <div class="row">
            <button type="button" class="button slim" onClick={compare}>
              Compare with the training page
            </button>
            <TeachLink id={id} url={example.url} data={example.data}>
              Teach it again
            </TeachLink>
          </div>
        )}
      </div>
      {now && (
        <Table
          label="The training page then and now"
          columns={columns}
          rows={Object.keys(before)}
          id={(name) => name}
        />
      )}
    </Card>
  )
}

function UseIt({ extractor: { id, name, examples } }: { extractor: Extractor }) {
  const format = { type: 'json', extractor: name ?? id }
  const text = JSON.stringify({ formats: [format] })
  const url = examples[0]?.url
  return (
    <Card title="Use it" aside={<Copy text={text} />}>
      <div class="card-body stack">
        <p>
          In a scrape, a batch, a crawl or a monitor. The extractor <code>auto</code> selects the one that matches each
          page.
        </p>
        <Code text={text} label="Format that uses the extractor" />
        <p>
          <a
            class="button slim"
            href={`#/${playgroundAddress('/v2/scrape', { ...(url ? { url } : {}), formats: [format] })}`}
          >
            Open in the playground
          </a>
        </p>
      </div>
    </Card>
  )
}
