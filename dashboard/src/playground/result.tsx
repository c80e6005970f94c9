// The answer, drawn: one tab for each thing that came back. Everything in it was written by strangers.
import { useState } from 'preact/hooks'
import { call, Refused, root } from '../call.ts'
import { Code, Copy } from '../parts/code.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Empty, Notice } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TeachLink } from '../screens/teach-link.tsx'
import { plural } from '../words.ts'
import { Away } from './away.tsx'
import { Brand, Changes, Hits, Menu, Product, SideBySide } from './drawn.tsx'
import { Markdown } from './markdown.tsx'
import { spoken } from './schema.ts'
import { Sourced } from './sourced.tsx'

export { Away } from './away.tsx'

export interface Answer {
  success?: boolean
  data?: unknown
  links?: unknown
  warning?: string
  [field: string]: unknown
}

interface View {
  id: string
  label: string
  draw(): preact.ComponentChild
}

const MOST_LINKS = 1000

/** What can be drawn of this answer, the best first. */
function viewsOf(answer: Answer, asked: Readonly<Record<string, unknown>> | undefined): View[] {
  const data = (
    answer.data && typeof answer.data === 'object' && !Array.isArray(answer.data) ? answer.data : {}
  ) as Record<string, unknown>
  const text = (name: string) =>
    typeof data[name] === 'string' && data[name] !== '' ? (data[name] as string) : undefined
  const views: View[] = []
  const markdown = text('markdown')
  if (markdown !== undefined) views.push({ id: 'page', label: 'Page', draw: () => <Markdown text={markdown} /> })
  const summary = text('summary') ?? text('answer')
  if (summary !== undefined) views.push({ id: 'summary', label: 'Summary', draw: () => <Markdown text={summary} /> })
  const shot = text('screenshot')
  if (shot !== undefined) views.push({ id: 'shot', label: 'Screenshot', draw: () => <Screenshot link={shot} /> })
  const { scrapeId } = (data.metadata ?? {}) as { scrapeId?: unknown }
  const id = typeof scrapeId === 'string' ? scrapeId : undefined
  if (data.json !== undefined)
    views.push({
      id: 'json',
      label: 'Data',
      draw: () => (
        <>
          <Sourced key={id} value={data.json} markdown={markdown} scrapeId={id} asked={asked} />
          {typeof asked?.url === 'string' && typeof data.json === 'object' && (
            <p class="row">
              <TeachLink url={asked.url} data={data.json} />
              <span class="help">It then reads the site’s other pages like this one, without a model.</span>
            </p>
          )}
        </>
      ),
    })
  views.push(...drawnViews(data))
  if (markdown !== undefined)
    views.push(
      { id: 'markdown', label: 'Markdown', draw: () => <Code text={markdown} label="Markdown" /> },
      { id: 'beside', label: 'Side by side', draw: () => <SideBySide markdown={markdown} /> },
    )
  for (const name of ['html', 'rawHtml'] as const) {
    const html = text(name)
    if (html !== undefined)
      views.push({
        id: name,
        label: name === 'html' ? 'HTML' : 'Raw HTML',
        draw: () => <Code text={html} label={name} />,
      })
  }
  const links = listOf(data.links ?? answer.links)
  if (links.length > 0)
    views.push({ id: 'links', label: `Links (${links.length})`, draw: () => <Links links={links} /> })
  const images = listOf(data.images)
  if (images.length > 0)
    views.push({ id: 'images', label: `Images (${images.length})`, draw: () => <Images images={images} /> })
  views.push(...otherViews(data))
  if (data.metadata) views.push({ id: 'facts', label: 'Metadata', draw: () => <JsonTree value={data.metadata} /> })
  views.push({ id: 'all', label: 'Tree', draw: () => <JsonTree value={answer.data ?? answer} /> })
  return views
}

/** What has a view of its own, or says nothing by itself. */
const SEEN = new Set([
  ...['markdown', 'html', 'rawHtml', 'links', 'images', 'json', 'metadata', 'options'],
  ...['branding', 'product', 'menu', 'changeTracking', 'web', 'news'],
])

/** What has a picture of its own. */
function drawnViews({ branding, product, menu, changeTracking, highlights, ...data }: Record<string, unknown>): View[] {
  const views: View[] = []
  if (branding) views.push({ id: 'branding', label: 'Brand', draw: () => <Brand value={branding} /> })
  if (product) views.push({ id: 'product', label: 'Product', draw: () => <Product value={product} /> })
  if (menu) views.push({ id: 'menu', label: 'Menu', draw: () => <Menu value={menu} /> })
  if (changeTracking)
    views.push({ id: 'changeTracking', label: 'Changes', draw: () => <Changes value={changeTracking} /> })
  if (typeof highlights === 'string' && highlights)
    views.push({ id: 'highlights', label: 'Highlights', draw: () => <Markdown text={highlights} /> })
  for (const name of ['web', 'news'] as const) {
    const hits = data[name]
    if (Array.isArray(hits) && hits.length > 0)
      views.push({ id: name, label: `${spoken(name)} (${hits.length})`, draw: () => <Hits hits={hits} /> })
  }
  return views
}

/** The tab of a format, where it has another name. */
const TAB_OF: Readonly<Record<string, string>> = {
  markdown: 'page',
  screenshot: 'shot',
  question: 'summary',
  query: 'summary',
  deterministicJson: 'json',
}

/** What was asked for beside the text opens; the text is what comes anyway. */
function askedTab(asked: Readonly<Record<string, unknown>> | undefined, views: readonly View[]): string {
  const inner = asked?.scrapeOptions as { formats?: unknown } | undefined
  const formats = asked?.formats ?? inner?.formats
  const names = (Array.isArray(formats) ? formats : []).map((one) =>
    typeof one === 'string' ? one : String((one as { type?: unknown } | null)?.type),
  )
  const wanted = [...names.filter((name) => name !== 'markdown'), 'markdown'].map((name) => TAB_OF[name] ?? name)
  return wanted.find((name) => views.some(({ id }) => id === name)) ?? views[0]!.id
}

/** Whatever else came back that is more than a word: lists of addresses as such, anything else as a tree. */
const otherViews = (data: Record<string, unknown>): View[] =>
  Object.entries(data).flatMap(([name, value]): View[] => {
    if (SEEN.has(name) || value === null || typeof value !== 'object') return []
    const links = listOf(value)
    const isList = Array.isArray(value) && links.length === value.length
    if (isList && links.length === 0) return []
    return [
      isList
        ? { id: name, label: `${spoken(name)} (${links.length})`, draw: () => <Links links={links} /> }
        : { id: name, label: spoken(name), draw: () => <JsonTree value={value} /> },
    ]
  })

interface Link {
  url: string
  title?: string
  /** Why it is where it is. */
  because?: string
}

const listOf = (value: unknown): Link[] =>
  Array.isArray(value)
    ? value.flatMap((item) =>
        typeof item === 'string' ? [{ url: item }] : typeof item?.url === 'string' ? [item as Link] : [],
      )
    : []

export function Result({ answer, asked }: { answer: Answer; asked?: Readonly<Record<string, unknown>> | undefined }) {
  const views = viewsOf(answer, asked)
  const [chosen, setChosen] = useState<string>()
  const view = views.find(({ id }) => id === (chosen ?? askedTab(asked, views))) ?? views[0]!
  const status = ((answer.data ?? {}) as { metadata?: { statusCode?: unknown } }).metadata?.statusCode
  return (
    <section class="card" aria-label="Answer">
      <Tabs label="Parts of the response" tabs={views} chosen={view.id} onChoose={setChosen}>
        {typeof status === 'number' && status >= 400 && (
          <Notice kind="warn">
            <strong>The site returned {status}</strong>
            <span>This is its error page, not the page you requested.</span>
          </Notice>
        )}
        {answer.warning && (
          <Notice kind="warn">
            <strong>With a warning</strong>
            <span class="break">{answer.warning}</span>
          </Notice>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <section class="result-scroll" tabIndex={0} aria-label={view.label}>
          {view.draw()}
        </section>
      </Tabs>
    </section>
  )
}

const Links = ({ links }: { links: Link[] }) => (
  <>
    <Copy text={() => links.map(({ url }) => url).join('\n')} label={`Copy ${plural(links.length, 'URL', 'URLs')}`} />
    <ul class="links">
      {links.slice(0, MOST_LINKS).map(({ url, title, because }) => (
        <li key={url}>
          <Away url={url} />
          {(title ?? because) && <span class="faint"> · {title ?? because}</span>}
        </li>
      ))}
    </ul>
    {links.length > MOST_LINKS && <p class="help">The first {MOST_LINKS}. Copy includes all.</p>}
  </>
)

/** Only the path: the service may know itself by another name than the browser does. */
const ownPath = (link: string): string | undefined => {
  try {
    const { pathname, protocol } = new URL(link)
    return /^https?:$/.test(protocol) && /\/v2\/media\/[^/]*$/.test(pathname)
      ? `${root}${pathname.slice(pathname.indexOf('/v2/media/'))}`
      : undefined
  } catch {
    return undefined
  }
}

function Screenshot({ link }: { link: string }) {
  const path = ownPath(link)
  if (!path) return <Away url={link} />
  return (
    <>
      <img class="shot" src={path} alt="The page as rendered by the browser" />
      <p class="help">The link works for 24 hours.</p>
    </>
  )
}

const Images = ({ images }: { images: Link[] }) => (
  <>
    <p class="help">
      This page loads nothing from the web. “Show” fetches the image through the service, as a separate scrape.
    </p>
    <ul class="gallery">
      {images.slice(0, MOST_LINKS).map(({ url }) => (
        <li key={url}>
          <Shown url={url} />
          <Away url={url} />
        </li>
      ))}
    </ul>
    {images.length === 0 && <Empty icon="document" title="No images" />}
  </>
)

function Shown({ url }: { url: string }) {
  const [source, setSource] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const show = async () => {
    try {
      const body = { url, formats: ['rawBase64'] }
      const { data } = await call<{ data: { rawBase64: string; metadata: { contentType?: string } } }>({
        method: 'POST',
        path: '/v2/scrape',
        body,
      })
      const type = data.metadata.contentType ?? ''
      if (!/^image\/[\w.+-]+$/.test(type))
        throw new Refused(422, `This is not an image but ${type || 'an unknown type'}`)
      setSource(`data:${type};base64,${data.rawBase64}`)
    } catch (error) {
      setWrong((error as Error).message)
    }
  }
  if (source) return <img src={source} alt="" />
  return wrong ? (
    <span class="soft">{wrong}</span>
  ) : (
    <button type="button" class="button slim" onClick={() => void show()}>
      Show
    </button>
  )
}
