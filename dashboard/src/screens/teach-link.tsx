// The way to the screen that teaches an extractor, with the page and the values to begin with.
import type { ComponentChildren } from 'preact'
import { handed } from '../playground/handed.ts'
import { go } from '../route.ts'

/** More would make an address that browsers cut. */
const MOST_CHARS = 4000

export const TeachLink = ({
  url,
  data,
  id,
  children = 'Teach an extractor',
}: {
  url: string | (() => string)
  /** Values that the page has. */
  data?: unknown
  /** The extractor to correct. */
  id?: string
  children?: ComponentChildren
}) => (
  <button
    type="button"
    class="button slim"
    onClick={() => {
      const text = data === undefined ? '' : JSON.stringify(data)
      const given = { url: typeof url === 'string' ? url : url(), id, data: text.length > MOST_CHARS ? '' : text }
      const query = new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => !!pair[1]))
      handed.value = { run: query.has('url') }
      go(`extractors/new?${query}`)
    }}
  >
    {children}
  </button>
)
