// The hits of a search: what each page is called, where it stands, the passage that answers with the words of the query
// marked, and a box to choose it by. Pictures are told, not shown: the dashboard asks nothing of other sites.
import { Empty } from '../parts/states.tsx'
import { ago } from '../words.ts'
import { marked } from './marks.ts'
import type { Hit, Vertical } from './wire.ts'

interface HitsProps {
  query: string
  vertical: Vertical
  hits: readonly Hit[]
  chosen: ReadonlySet<string>
  onChoose(url: string, isChosen: boolean): void
}

export function Hits({ query, vertical, hits, chosen, onChoose }: HitsProps) {
  if (hits.length === 0)
    return (
      <Empty icon="search" title="Nothing was found">
        <p>Try fewer or different words, a longer period, or no operators.</p>
      </Empty>
    )
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <li key={`${hit.position} ${hit.url}`}>
          {vertical !== 'images' && (
            <input
              type="checkbox"
              aria-label={`Choose ${hit.title}`}
              checked={chosen.has(hit.url)}
              onChange={(event) => onChoose(hit.url, event.currentTarget.checked)}
            />
          )}
          <div>
            <a
              class="hit-title"
              href={hit.imageUrl && vertical === 'images' ? hit.imageUrl : hit.url}
              rel="noreferrer"
              target="_blank"
            >
              <Marked text={hit.title} query={query} />
            </a>
            <p class="hit-place clip">{placeOf(hit.url)}</p>
            {textOf(hit) && (
              <p class="soft">
                <Marked text={textOf(hit)} query={query} />
              </p>
            )}
            <p class="row tags small faint">
              {hit.date && <span>{ago(hit.date)}</span>}
              {hit.imageWidth && hit.imageHeight && (
                <span>
                  {hit.imageWidth} × {hit.imageHeight}
                </span>
              )}
              {hit.from && <span>from {hit.from.join(', ').replace('index', 'pages fetched here')}</span>}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}

const textOf = ({ description, snippet }: Hit): string => description ?? snippet ?? ''

function placeOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname } = new URL(url)
  const path = pathname.split('/').filter(Boolean).join(' › ')
  return path === '' ? host : `${host} › ${path}`
}

const Marked = ({ text, query }: { text: string; query: string }) => (
  <>
    {marked(text, query).map((piece, at) =>
      piece.isMarked ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
    )}
  </>
)
