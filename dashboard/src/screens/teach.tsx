// Teaches an extractor: a page is drawn, a click takes a value, and a name makes it a field. The same screen corrects what
// an extractor read on another page.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { Card, Choose } from '../parts/card.tsx'
import { PartPicker, type PickedPart } from '../parts/part-picker.tsx'
import { Failure, Loading, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { handed } from '../playground/handed.ts'
import { go, query } from '../route.ts'
import {
  alikeOf,
  type Extractor,
  KINDS,
  type Kind,
  kindOf,
  PATH,
  pathOf,
  recordsOf,
  textOf,
  valueIn,
} from './extractor-wire.ts'

interface Field {
  name: string
  kind: Kind
}
type Texts = Readonly<Record<string, string>>

interface Lesson {
  fields: readonly Field[]
  /** The texts of each record by field; one record if the page is about one thing. */
  records: readonly Texts[]
  isList: boolean
}

/** More records add nothing that two do not say. */
const MAX_RECORDS = 3

function lessonOf(json: string | null): Lesson {
  let data: unknown
  try {
    data = JSON.parse(json ?? '{}')
  } catch {
    data = {}
  }
  const records = recordsOf(data).slice(0, MAX_RECORDS)
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  return {
    fields: names.map((name) => ({ name, kind: kindOf(records.find((record) => record[name] != null)?.[name]) })),
    records:
      records.length > 0 ? records.map((one) => Object.fromEntries(names.map((n) => [n, textOf(one[n])]))) : [{}],
    isList: Array.isArray(data),
  }
}

function dataOf({ fields, records, isList }: Lesson): unknown {
  const data = records.map((texts) =>
    Object.fromEntries(
      fields.flatMap(({ name, kind }) => (texts[name]?.trim() ? [[name, valueIn(texts[name], kind)]] : [])),
    ),
  )
  return isList ? data.filter((one) => Object.keys(one).length > 0) : data[0]
}

interface DrawnPage {
  url: string
  html: string
  links: string[]
}

async function drawnPage(url: string): Promise<DrawnPage> {
  const body = { url, formats: ['rawHtml', 'links'] }
  const { data } = await call<{ data: { rawHtml?: string; links?: string[]; metadata: { url?: string } } }>({
    method: 'POST',
    path: '/v2/scrape',
    body,
  })
  return { url: data.metadata.url ?? url, html: data.rawHtml ?? '', links: data.links ?? [] }
}

/** Five more pages like this one: of its own links, or else of the site's map. */
async function otherPages({ url, links }: DrawnPage): Promise<string[]> {
  const linked = alikeOf(url, links)
  if (linked.length >= 5) return linked
  const found = await call<{ links: { url: string }[] }>({
    method: 'POST',
    path: '/v2/map',
    body: { url, limit: 200 },
  }).catch(() => ({ links: [] }))
  return alikeOf(url, [...linked, ...found.links.map((link) => link.url)])
}

export function TeachScreen() {
  const given = new URLSearchParams(query.value)
  const id = given.get('id') ?? undefined
  const [url, setUrl] = useState(given.get('url') ?? '')
  const [name, setName] = useState('')
  const [page, setPage] = useState<DrawnPage>()
  const [busy, setBusy] = useState('')
  const [wrong, setWrong] = useState<Error>()
  const [lesson, setLesson] = useState(() => lessonOf(given.get('data')))
  const [picked, setPicked] = useState<PickedPart>()
  const attempt = async (what: string, work: () => Promise<void>) => {
    setBusy(what)
    setWrong(undefined)
    await work().catch(setWrong)
    setBusy('')
  }
  const open = () =>
    attempt('Reading the page', async () => {
      setPicked(undefined)
      setPage(await drawnPage(url.trim()))
    })
  useEffect(() => {
    if (handed.peek().run) {
      handed.value = {}
      void open()
    }
  }, [])
  const teach = () =>
    attempt('Learning', async () => {
      const example = { url: page?.url ?? url.trim(), data: dataOf(lesson) }
      const shown = page ?? (await drawnPage(example.url))
      const [{ id: made, data }, pages] = await Promise.all([
        call<{ id: string; data: Extractor }>({
          method: 'POST',
          path: id ? `${pathOf(id)}/examples` : PATH,
          body: { ...(name.trim() && !id ? { name: name.trim() } : {}), examples: [example] },
        }),
        otherPages(shown),
      ])
      handed.value = { run: pages.length > 0 }
      const notFound = data.notFound ?? []
      const next = new URLSearchParams({
        urls: pages.join(' '),
        ...(notFound.length > 0 ? { notFound: notFound.join(', ') } : {}),
      })
      go(`extractors/${encodeURIComponent(made)}?${next}`)
    })
  const isReady = lesson.records.some((texts) => Object.values(texts).some((text) => text.trim() !== ''))
  return (
    <div class="page">
      <PageHead title={id ? 'Correct an extractor' : 'Teach an extractor'}>
        Click the values that you want on one page. The extractor then reads the other pages of the site, without a
        model.
      </PageHead>
      <form
        class="card card-body"
        aria-label="Training page"
        onSubmit={(event) => {
          event.preventDefault()
          void open()
        }}
      >
        <div class="row">
          <label class="field grow">
            Address
            <input
              required
              value={url}
              placeholder="https://example.com/products/1"
              onInput={(event) => setUrl(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button" disabled={busy !== ''}>
            Show the page
          </button>
        </div>
      </form>
      {busy && <Loading what={busy} />}
      {wrong && <Failure error={wrong} />}
      <div class={page ? 'teach' : 'stack'}>
        {page && (
          <Card title="1. Click a value">
            <div class="card-body">
              <PartPicker key={page.url} html={page.html} label="click a value" onPick={setPicked} />
            </div>
          </Card>
        )}
        <Card title={page ? '2. Name it' : 'Values'}>
          <AddValue picked={picked} base={page?.url ?? url} lesson={lesson} onLesson={setLesson} />
          <ValueTable lesson={lesson} onLesson={setLesson} />
          <div class="card-body stack">
            {!id && (
              <label class="field">
                Name of the extractor (optional)
                <input
                  value={name}
                  maxLength={100}
                  placeholder="products"
                  onInput={(event) => setName(event.currentTarget.value)}
                />
              </label>
            )}
            <div class="row">
              <button
                type="button"
                class="button primary"
                disabled={!isReady || busy !== ''}
                onClick={() => void teach()}
              >
                {id ? 'Correct it' : 'Teach'}
              </button>
              <span class="help">Reads this page and up to five similar ones, for one credit each.</span>
            </div>
          </div>
        </Card>
      </div>
    </div>
  )
}

/** The form for one value: what was clicked, or what is typed. */
function AddValue({
  picked,
  base,
  lesson,
  onLesson,
}: {
  picked: PickedPart | undefined
  base: string
  lesson: Lesson
  onLesson(next: Lesson): void
}) {
  const { fields, records, isList } = lesson
  const current = records.at(-1) ?? {}
  const [name, setName] = useState('')
  const known = fields.find((field) => field.name === name.trim())
  const [kind, setKind] = useState<Kind>('text')
  const [text, setText] = useState('')
  useEffect(() => {
    if (!picked) return
    setText(picked.text)
    // The next record has the fields of the first.
    setName((typed) => typed || (fields.find((field) => !current[field.name])?.name ?? ''))
  }, [picked])
  const chosenKind = known?.kind ?? kind
  const link = picked?.href && URL.canParse(picked.href, base) ? new URL(picked.href, base).href : undefined
  const number = chosenKind === 'number' ? valueIn(text, 'number') : undefined
  const isReady = name.trim() !== '' && text.trim() !== '' && number !== text
  const add = () => {
    const key = name.trim()
    // A second click for a list adds an entry.
    const before = chosenKind === 'list' ? current[key] : undefined
    onLesson({
      ...lesson,
      fields: known ? fields : [...fields, { name: key, kind }],
      records: [...records.slice(0, -1), { ...current, [key]: before ? `${before}\n${text.trim()}` : text.trim() }],
    })
    setName('')
    setText('')
  }
  return (
    <form
      class="card-body stack"
      aria-label="Add a value"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) add()
      }}
    >
      <Choose
        label="The page is about"
        words={{ one: 'one thing', list: 'a list of things' }}
        value={isList ? 'list' : 'one'}
        onChange={(next) => onLesson({ ...lesson, isList: next === 'list', records: records.slice(0, 1) })}
      />
      <label class="field">
        Value, as written on the page
        <textarea
          rows={Math.min(6, Math.max(1, text.split('\n').length))}
          value={text}
          placeholder="Click the value on the page, or type it"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {link && text !== link && (
        <p>
          <button type="button" class="button slim" onClick={() => setText(link)}>
            Use the URL of the link
          </button>
        </p>
      )}
      <div class="row">
        <label class="field grow">
          Name
          <input
            value={name}
            list="field-names"
            placeholder="price"
            autocomplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <datalist id="field-names">
            {fields.map((field) => (
              <option key={field.name} value={field.name} />
            ))}
          </datalist>
        </label>
        <label class="field">
          Type
          <select
            value={chosenKind}
            disabled={known !== undefined}
            onChange={(event) => setKind(event.currentTarget.value as Kind)}
          >
            {Object.entries(KINDS).map(([id, words]) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="button" disabled={!isReady}>
          Add
        </button>
      </div>
      {chosenKind === 'number' && text.trim() !== '' && (
        <p class="help" role="status">
          {number === text ? 'This text contains no number.' : `The number ${String(number)}.`}
        </p>
      )}
    </form>
  )
}

function ValueTable({ lesson, onLesson }: { lesson: Lesson; onLesson(next: Lesson): void }) {
  const { fields, records, isList } = lesson
  const write = (at: number, name: string, text: string) =>
    onLesson({ ...lesson, records: records.map((one, n) => (n === at ? { ...one, [name]: text } : one)) })
  const columns: Column<Field>[] = [
    { head: 'Field', cell: ({ name }) => <strong>{name}</strong> },
    ...records.map(
      (texts, at): Column<Field> => ({
        head: isList ? `Record ${at + 1}` : 'Value',
        kind: 'text',
        cell: ({ name }) => (
          <textarea
            class="wide"
            rows={Math.min(6, (texts[name] ?? '').split('\n').length)}
            aria-label={isList ? `${name} of record ${at + 1}` : `Value of ${name}`}
            value={texts[name] ?? ''}
            onInput={(event) => write(at, name, event.currentTarget.value)}
          />
        ),
      }),
    ),
    {
      head: 'Remove',
      kind: 'buttons',
      cell: ({ name }) => (
        <button
          type="button"
          class="button slim plain"
          onClick={() => onLesson({ ...lesson, fields: fields.filter((field) => field.name !== name) })}
        >
          Remove<span class="sr-only"> {name}</span>
        </button>
      ),
    },
  ]
  return (
    <>
      <Table
        label="Taught values"
        columns={columns}
        rows={fields}
        id={({ name }) => name}
        empty="No value yet. Click one on the page."
      />
      {isList && fields.length > 0 && records.length < MAX_RECORDS && (
        <p class="card-body">
          <button type="button" class="button slim" onClick={() => onLesson({ ...lesson, records: [...records, {}] })}>
            Next record
          </button>
        </p>
      )}
    </>
  )
}
