// A page's picture with its blocks laid over it, each a button.

export interface Block {
  id: string
  type: string
  label: string | null
  /** Left, top, right, bottom, as shares of the page. */
  bbox: [number, number, number, number] | null
  content: string
}

const colours: Readonly<Record<string, string>> = {
  title: '#b4236f',
  section_header: '#b4236f',
  text: '#0f6b63',
  table: '#1d4ed8',
  figure: '#8a4b00',
  caption: '#8a4b00',
  formula: '#6d28d9',
  code: '#6d28d9',
}
/** Headers, footers, page numbers, notes. */
const OTHER = '#5b6764'

export const blockColour = (type: string): string => (Object.hasOwn(colours, type) ? colours[type]! : OTHER)

export function PageSheet({
  source,
  page,
  chosen,
  onChoose,
}: {
  source: string
  page: { pageNumber: number; items: Block[] }
  chosen: string | undefined
  onChoose(id: string): void
}) {
  return (
    <div class="sheet">
      <img src={source} alt={`Page ${page.pageNumber} of the document`} />
      {page.items.map(({ id, type, bbox, content }) => {
        if (!bbox) return null
        const [x0, y0, x1, y1] = bbox
        return (
          <button
            type="button"
            key={id}
            id={`box-${id}`}
            aria-label={`${type}: ${content.slice(0, 60) || 'picture'}`}
            aria-pressed={chosen === id}
            onClick={() => onChoose(id)}
            style={{
              '--block': blockColour(type),
              left: `${x0 * 100}%`,
              top: `${y0 * 100}%`,
              width: `${(x1 - x0) * 100}%`,
              height: `${(y1 - y0) * 100}%`,
            }}
          />
        )
      })}
    </div>
  )
}
