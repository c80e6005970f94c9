// The pages of a job as a table: searched, sorted, filtered by what the site answered, and saved as CSV.
import { useMemo, useState } from 'preact/hooks'
import { saveText } from '../call.ts'
import type { Arrived } from '../live.ts'
import { Choose } from '../parts/card.tsx'
import { writeCsv } from '../parts/csv.ts'
import { Badge } from '../parts/states.tsx'
import { Away } from '../playground/away.tsx'
import { count, plural } from '../words.ts'

const MOST_ROWS = 300
type Order = 'order' | 'address' | 'title' | 'status' | 'words'
type Answered = '' | 'good' | 'bad'

const compare: Readonly<Record<Exclude<Order, 'order'>, (a: Arrived, b: Arrived) => number>> = {
  address: (a, b) => a.url.localeCompare(b.url, 'en', { numeric: true }),
  title: (a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }),
  status: (a, b) => (b.status ?? 0) - (a.status ?? 0),
  words: (a, b) => (b.words ?? 0) - (a.words ?? 0),
}

const csvOf = (pages: readonly Arrived[]): string =>
  writeCsv([
    ['url', 'title', 'status', 'words', 'engine'],
    ...pages.map(({ url, title, status, words, engine }) => [
      url,
      title,
      String(status ?? ''),
      String(words ?? ''),
      engine ?? '',
    ]),
  ])

export function PageTable({
  pages,
  name,
  onRead,
}: {
  pages: readonly Arrived[]
  name: string
  onRead(page: Arrived): void
}) {
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState<Order>('order')
  const [answered, setAnswered] = useState<Answered>('')
  const rows = useMemo(() => {
    const wanted = filter.toLowerCase()
    const found = pages.filter(
      ({ url, title, status = 200 }) =>
        `${url} ${title}`.toLowerCase().includes(wanted) && (answered === '' || (answered === 'good') === status < 400),
    )
    return order === 'order' ? found : found.toSorted(compare[order])
  }, [pages, filter, order, answered])
  return (
    <div class="stack">
      <div class="row">
        <input
          type="search"
          class="grow"
          aria-label="Find a page"
          placeholder="Find a page"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <Choose
          label="Answered"
          words={{ '': 'anything', good: 'a page', bad: 'an error' }}
          value={answered}
          onChange={setAnswered}
        />
        <Choose
          label="Order"
          words={{ order: 'as received', address: 'address', title: 'title', status: 'status', words: 'words' }}
          value={order}
          onChange={setOrder}
        />
        <button type="button" class="button slim" onClick={() => saveText(csvOf(rows), `${name}.csv`, 'text/csv')}>
          CSV
        </button>
      </div>
      <div class="scroll-x">
        <table>
          <caption class="sr-only">Pages</caption>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col">Status</th>
              <th scope="col" class="number">
                Words
              </th>
              <th scope="col">
                <span class="sr-only">Read</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((page, at) => (
              <tr key={`${page.scrapeId ?? page.url}-${at}`}>
                <td data-head="Page" class="text">
                  <div>
                    <strong>{page.title || 'Untitled'}</strong> <Away url={page.url} />
                  </div>
                </td>
                <td data-head="Status">
                  <div>
                    <Badge kind={(page.status ?? 200) < 400 ? 'good' : 'bad'}>{page.status ?? '–'}</Badge>
                  </div>
                </td>
                <td data-head="Words" class="number">
                  <div>{page.words === undefined ? '–' : count(page.words)}</div>
                </td>
                <td class="buttons">
                  <div>
                    {page.scrapeId && (
                      <button type="button" class="button slim" onClick={() => onRead(page)}>
                        Preview<span class="sr-only"> {page.title || page.url}</span>
                      </button>
                    )}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="help">
        {plural(rows.length, 'page')}
        {rows.length > MOST_ROWS && `, the first ${MOST_ROWS} shown`}
      </p>
    </div>
  )
}
