// A PDF as the service read it: the page as it looks, the blocks that were found drawn over it, and the markdown each one
// became. A file comes from this machine or, through the service, from the web.
import { useEffect, useState } from 'preact/hooks'
import { call, send } from '../call.ts'
import { Picture } from '../parts/icons.tsx'
import { Badge, Empty, Failure, Loading, Notice, PageHead } from '../parts/states.tsx'
import { plural } from '../words.ts'
import { type Block, blockColour, PageSheet } from './page-sheet.tsx'

interface PageBlocks {
  pageNumber: number
  status: 'ok' | 'partial' | 'failed'
  items: Block[]
}

interface Reading {
  file: File
  blocks: PageBlocks[]
  warning: string | undefined
  totalPages: number
}

async function fromWeb(url: string): Promise<File> {
  const { data } = await call<{ data: { rawBase64: string } }>({
    method: 'POST',
    path: '/v2/scrape',
    body: { url, formats: ['rawBase64'] },
  })
  const bytes = Uint8Array.from(atob(data.rawBase64), (letter) => letter.charCodeAt(0))
  return new File([bytes], new URL(url).pathname.split('/').at(-1) || 'document.pdf', { type: 'application/pdf' })
}

async function read(file: File): Promise<Reading> {
  const form = new FormData()
  form.append('file', file, /\.pdf$/i.test(file.name) ? file.name : `${file.name}.pdf`)
  form.append('options', JSON.stringify({ parsers: [{ type: 'pdf', blocks: true }] }))
  const { data, warning } = await call<{
    data: { blocks?: PageBlocks[]; metadata: { totalPages?: number } }
    warning?: string
  }>({ method: 'POST', path: '/v2/parse', body: form })
  return { file, blocks: data.blocks ?? [], warning, totalPages: data.metadata.totalPages ?? 0 }
}

export function DocumentsScreen() {
  const [url, setUrl] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const [reading, setReading] = useState<Reading>()
  const open = async (get: () => Promise<File>) => {
    setBusy(true)
    setError(undefined)
    setReading(undefined)
    try {
      setReading(await read(await get()))
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="page">
      <PageHead title="Documents">
        The pages of a PDF with the blocks found in them and the markdown of each block.
      </PageHead>
      <form
        class="card ask"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void open(() => fromWeb(url))
        }}
      >
        <div class="ask-line">
          <div class="box">
            <input
              id="ask"
              type="text"
              inputMode="url"
              aria-label="URL of a PDF"
              placeholder="https://example.com/paper.pdf"
              value={url}
              spellcheck={false}
              onInput={(event) => setUrl(event.currentTarget.value.trim())}
            />
          </div>
          <button type="submit" class="button primary" disabled={busy || url === ''}>
            Open
          </button>
          <label class="button">
            <Picture name="document" size={16} />
            Choose a file
            <input
              type="file"
              class="sr-only"
              accept="application/pdf,.pdf"
              disabled={busy}
              onChange={(event) => {
                const file = event.currentTarget.files?.[0]
                if (file) void open(async () => file)
              }}
            />
          </label>
        </div>
      </form>
      {error && <Failure error={error} />}
      {busy && (
        <div class="card">
          <Loading what="Reading the document" />
        </div>
      )}
      {!busy && !error && !reading && (
        <div class="card">
          <Empty icon="document" title="No document open">
            <p>Choose a PDF on this machine, or enter the URL of one. The PDF is not stored.</p>
          </Empty>
        </div>
      )}
      {reading && <Pages reading={reading} />}
    </div>
  )
}

function Pages({ reading: { file, blocks, warning, totalPages } }: { reading: Reading }) {
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<string>()
  const page = blocks[at]
  const choose = (id: string, from: 'page' | 'list') => {
    setChosen(id)
    // Whoever clicked in one half wants to see it in the other.
    const other = document.getElementById(from === 'page' ? `text-${id}` : `box-${id}`)
    other?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }
  if (!page) return <Notice kind="warn">No blocks were found in this document.</Notice>
  return (
    <>
      <div class="row">
        <strong class="break">{file.name}</strong>
        <Badge>{plural(totalPages, 'page')}</Badge>
        <div class="row">
          <button type="button" class="button slim" disabled={at === 0} onClick={() => setAt(at - 1)}>
            Previous page
          </button>
          <span class="number" aria-live="polite">
            {page.pageNumber} / {blocks.length}
          </span>
          <button type="button" class="button slim" disabled={at === blocks.length - 1} onClick={() => setAt(at + 1)}>
            Next page
          </button>
        </div>
      </div>
      {warning && (
        <Notice kind="warn">
          <span class="break">{warning}</span>
        </Notice>
      )}
      <div class="split">
        <section class="card card-body" aria-label={`Page ${page.pageNumber}`}>
          <Drawn file={file} page={page} chosen={chosen} onChoose={(id) => choose(id, 'page')} />
        </section>
        <section class="card card-body" aria-label="Blocks and their markdown">
          <ul class="blocks">
            {page.items.map((block) => (
              <li key={block.id} id={`text-${block.id}`}>
                <button
                  type="button"
                  aria-pressed={chosen === block.id}
                  style={{ '--block': blockColour(block.type) }}
                  onClick={() => choose(block.id, 'list')}
                >
                  <span class="small faint">
                    {block.type}
                    {block.label ? ` · ${block.label}` : ''}
                  </span>
                  <pre>{block.content || '(a picture)'}</pre>
                </button>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

/** The page as a picture, asked for when it is looked at. */
function Drawn({
  file,
  page,
  chosen,
  onChoose,
}: {
  file: File
  page: PageBlocks
  chosen: string | undefined
  onChoose(id: string): void
}) {
  const [source, setSource] = useState<string>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    const gone = new AbortController()
    let url: string | undefined
    setSource(undefined)
    setError(undefined)
    const form = new FormData()
    form.append('file', file)
    send({ method: 'POST', path: `/v2/parse/page?page=${page.pageNumber}`, body: form, signal: gone.signal })
      .then((response) => response.blob())
      .then((blob) => {
        if (gone.signal.aborted) return
        url = URL.createObjectURL(blob)
        setSource(url)
      })
      .catch((failure: Error) => {
        if (!gone.signal.aborted) setError(failure)
      })
    return () => {
      gone.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [file, page.pageNumber])
  if (error) return <Failure error={error} />
  if (!source) return <Loading what="Rendering the page" />
  return <PageSheet source={source} page={page} chosen={chosen} onChoose={onChoose} />
}
