// Feeds: the entries that a list page has, shown before a feed is made of them, and the addresses of all feeds.
import { useState } from 'preact/hooks'
import { call } from '../call.ts'
import { useLoaded } from '../loading.ts'
import { Card } from '../parts/card.tsx'
import { Copy } from '../parts/code.tsx'
import { Badge, Empty, Failure, PageHead } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import type { Feed, FeedItem } from '../wire.ts'
import { ago, moment, plural } from '../words.ts'

const MOST_SHOWN = 10

export function FeedsScreen() {
  const { value, error, again } = useLoaded((signal) => call<{ data: Feed[] }>({ path: '/v2/feeds', signal }), [])
  const [wrong, setWrong] = useState<Error>()
  const remove = async (id: string) => {
    setWrong(undefined)
    try {
      await call({ method: 'DELETE', path: `/v2/feeds/${id}` })
      again()
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <div class="page">
      <PageHead title="Feeds">
        New entries of any list page, for every feed reader. A page is fetched only when its feed is requested.
      </PageHead>
      <NewFeed onMade={again} />
      {wrong && <Failure error={wrong} />}
      {error && <Failure error={error} onAgain={again} />}
      {(value || !error) && (
        <Card title="Your feeds">
          <Table
            label="Feeds, newest first"
            columns={columnsWith((id) => void remove(id))}
            rows={value?.data}
            id={(row) => row.id}
            empty={
              <Empty icon="feed" title="There is no feed yet">
                <p>Enter the URL of a page with a list above: news, products, jobs, threads.</p>
              </Empty>
            }
          />
        </Card>
      )}
    </div>
  )
}

const columnsWith = (remove: (id: string) => void): Column<Feed>[] => [
  {
    head: 'Page',
    kind: 'text',
    cell: ({ title, url }) => (
      <>
        {title}
        <div class="small faint">{url}</div>
      </>
    ),
  },
  {
    head: 'Last fetch',
    cell: ({ checkedAt, error }) => (
      <>
        <span title={moment(checkedAt)}>{ago(checkedAt)}</span>
        {error && (
          <div class="small">
            <Badge kind="bad">failed</Badge> {error}
          </div>
        )}
      </>
    ),
  },
  { head: 'At most every', cell: ({ every }) => plural(every, 'minute') },
  {
    head: 'Address',
    cell: ({ rss, atom, json }) => (
      <div class="row">
        <Copy text={rss} label="RSS" />
        <Copy text={atom} label="Atom" />
        <Copy text={json} label="JSON" />
      </div>
    ),
  },
  {
    head: '',
    cell: ({ id, title }) => (
      <button type="button" class="button slim" aria-label={`Remove ${title}`} onClick={() => remove(id)}>
        Remove
      </button>
    ),
  },
]

/** Shows the entries first: whoever subscribes should know what a feed will bring. */
function NewFeed({ onMade }: { onMade(): void }) {
  const [url, setUrl] = useState('')
  const [found, setFound] = useState<{ url: string; items: FeedItem[] }>()
  const [made, setMade] = useState<Feed>()
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Error>()
  const runWhileBusy = async (work: () => Promise<void>) => {
    setBusy(true)
    setWrong(undefined)
    setMade(undefined)
    try {
      await work()
    } catch (error) {
      setWrong(error as Error)
    }
    setBusy(false)
  }
  const find = () =>
    runWhileBusy(async () => {
      setFound(undefined)
      const body = { url: url.trim(), formats: ['items'] }
      const { data } = await call<{ data: { items?: FeedItem[] } }>({ method: 'POST', path: '/v2/scrape', body })
      setFound({ url: body.url, items: data.items ?? [] })
    })
  const make = (address: string) =>
    runWhileBusy(async () => {
      const { data } = await call<{ data: Feed }>({ method: 'POST', path: '/v2/feeds', body: { url: address } })
      setMade(data)
      setFound(undefined)
      setUrl('')
      onMade()
    })
  return (
    <form
      class="card card-body"
      aria-label="Create a feed"
      onSubmit={(event) => {
        event.preventDefault()
        void find()
      }}
    >
      <h2>Create a feed</h2>
      <div class="row">
        <label class="field grow">
          URL of a list page
          <input
            required
            value={url}
            placeholder="https://example.com/news"
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </label>
      </div>
      {found && <Found items={found.items} />}
      {wrong && <Failure error={wrong} />}
      {made && (
        <div class="row" role="status">
          <span>The feed of “{made.title}” is ready.</span>
          <Copy text={made.rss} label="Copy its URL" />
        </div>
      )}
      <div class="row">
        <button type="submit" class={`button ${found ? '' : 'primary'}`} disabled={busy}>
          Find its entries
        </button>
        {found && found.items.length > 0 && (
          <button type="button" class="button primary" disabled={busy} onClick={() => void make(found.url)}>
            Create the feed
          </button>
        )}
      </div>
    </form>
  )
}

function Found({ items }: { items: readonly FeedItem[] }) {
  if (items.length === 0) return <p role="status">This page has no list of entries that link to pages.</p>
  return (
    <section class="stack prose" aria-label="Entries found">
      <p class="help">{plural(items.length, 'entry', 'entries')} found.</p>
      <ol>
        {items.slice(0, MOST_SHOWN).map(({ title, url, date, price }) => (
          <li key={url}>
            {title}
            <div class="small faint">
              {[date, price && `${price.amount} ${price.currency}`, url].filter(Boolean).join(' · ')}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
