// Data beside the page it was found in: pointing at a value shows where the page says it. What stands nowhere word for
// word is said to; nothing is looked for here that the service has not written down.
import { useMemo, useRef, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { Failure } from '../parts/states.tsx'
import { plural } from '../words.ts'
import { MarkedPage, type Passage } from './marked-page.tsx'

interface Field {
  path: string
  found: boolean
  from?: string
  words?: string
  said?: string
  at?: readonly [number, number]
}

interface Explain {
  steps?: { step: string; format?: string; by?: string; fields?: Field[] }[]
}

const KEEPS_NOTHING = 'No sources are stored for this response (for example, because of zero data retention).'

/** The kinds of places, in words. */
const PLACES: Readonly<Record<string, string>> = {
  data: 'the structured data of the page',
  state: 'data in the page’s scripts',
  head: 'the head of the page',
  label: 'a label and the text beside it',
  end: 'a line that ends with the label',
  name: 'an element with the field’s name',
  section: 'the section under the heading',
  sections: 'sections of the same structure',
  heading: 'a heading',
  pattern: 'its text pattern',
  table: 'a table',
  list: 'a list',
  cards: 'repeated cards',
}

export function Sourced({
  value,
  markdown: given,
  scrapeId,
  asked,
}: {
  value: unknown
  markdown: string | undefined
  scrapeId: string | undefined
  asked: Readonly<Record<string, unknown>> | undefined
}) {
  const { value: told } = useLoaded(async (signal) => (scrapeId ? sourcesOf(scrapeId, signal) : undefined), [scrapeId])
  const [fetched, setFetched] = useState<string>()
  const [chosen, setChosen] = useState<string>()
  const tree = useRef<HTMLElement>(null)
  const markdown = given ?? fetched
  const fields = useMemo(() => new Map(told?.fields.map((field) => [field.path, field])), [told])
  const passages = useMemo(() => passagesIn(fields, markdown), [fields, markdown])
  if (!told) return <JsonTree value={value} open={4} />
  if (told.fields.length === 0)
    return (
      <>
        <JsonTree value={value} open={4} />
        <p class="help">{KEEPS_NOTHING}</p>
      </>
    )
  const said = [...fields.values()].filter(({ found }) => found)
  const placed = said.filter(({ at }) => at).length
  return (
    <div class="stack">
      <p class="help">
        {placed} of {plural(said.length, 'value')} {said.length === 1 ? 'stands' : 'stand'} on the page word for word.{' '}
        {markdown ? 'Point at a value, or press Tab to reach it, to see where it is.' : ''}
        {told.by && told.by !== 'extractive' ? ` Found by ${told.by}.` : ''}
      </p>
      <p class="source-note" role="status">
        {chosen === undefined ? (
          'No value is selected.'
        ) : (
          <Note field={fields.get(chosen)} path={chosen} isShown={passages.has(chosen)} />
        )}
      </p>
      <div class={markdown ? 'sourced' : ''}>
        <section class="sourced-tree" ref={tree} aria-label="The data">
          <JsonTree
            value={value}
            open={4}
            leaf={(path, leaf, drawn) => (
              <button
                type="button"
                class="json-value"
                data-path={path}
                data-placed={fields.get(path)?.at !== undefined}
                aria-pressed={chosen === path}
                onFocus={() => setChosen(path)}
                onMouseEnter={() => setChosen(path)}
                onClick={() => setChosen(path)}
              >
                {drawn}
                {!fields.get(path)?.at && leaf !== null && <span class="sr-only"> (not literally on the page)</span>}
              </button>
            )}
          />
        </section>
        {markdown && <MarkedPage markdown={markdown} passages={passages} chosen={chosen} onPoint={setChosen} />}
      </div>
      {!markdown && typeof asked?.url === 'string' && <ShowPage asked={asked} onPage={setFetched} />}
    </div>
  )
}

async function sourcesOf(id: string, signal: AbortSignal): Promise<{ fields: Field[]; by?: string | undefined }> {
  const path = `/v2/scrape/${encodeURIComponent(id)}?explain=true`
  const { explain } = await call<{ explain?: Explain | null }>({ path, signal }).catch(() => ({ explain: null }))
  const step = explain?.steps?.find(({ step, fields }) => step === 'answer' && fields)
  return { fields: step?.fields ?? [], by: step?.by }
}

/** Only what the markdown before us really says: it may be another than the one that was searched. */
function passagesIn(fields: ReadonlyMap<string, Field>, markdown: string | undefined): Map<string, Passage> {
  const passages = new Map<string, Passage>()
  if (markdown === undefined) return passages
  for (const { path, at, said, words } of fields.values()) {
    if (!at || said === undefined || words === undefined) continue
    const line = markdown.slice(Math.max(0, at[0] - words.length), at[1] + words.length)
    if (line.includes(words)) passages.set(path, { said, at })
    else {
      const start = markdown.indexOf(words)
      const inner = start < 0 ? -1 : words.toLowerCase().indexOf(said.toLowerCase())
      if (inner >= 0) passages.set(path, { said, at: [start + inner, start + inner + said.length] })
    }
  }
  return passages
}

function Note({ field, path, isShown }: { field: Field | undefined; path: string; isShown: boolean }) {
  const from = field?.from && (PLACES[field.from] ?? field.from)
  const name = <strong>{path || 'The value'}</strong>
  if (!field) return <>{name}: only the first values of a long response are located.</>
  if (!field.found) return <>{name}: not found on the page.</>
  return (
    <>
      {name}
      {from ? `: read from ${from}. ` : ': '}
      {field.at ? (
        <>
          The page says {isShown ? <q>{field.said}</q> : <q>{field.words}</q>}
          {isShown ? ', marked below.' : '.'}
        </>
      ) : (
        'It does not occur literally on the page, so nothing is marked.'
      )}
    </>
  )
}

function ShowPage({ asked, onPage }: { asked: Readonly<Record<string, unknown>>; onPage(markdown: string): void }) {
  const [wrong, setWrong] = useState<Error>()
  const show = async () => {
    try {
      const body = { ...asked, formats: ['markdown'] }
      const { data } = await call<{ data: { markdown?: string } }>({ method: 'POST', path: '/v2/scrape', body })
      onPage(data.markdown ?? '')
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <>
      {wrong && <Failure error={wrong} />}
      <p>
        <button type="button" class="button slim" onClick={() => void show()}>
          Show the page beside it
        </button>{' '}
        <span class="help">This is a separate scrape; request markdown as well to avoid it.</span>
      </p>
    </>
  )
}
