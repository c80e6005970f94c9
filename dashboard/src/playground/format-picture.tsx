// What a format gives, as a small picture: drawn in lines of the text's colour, so that it fits both themes.

const page = 'M5 3h22v26H5z'

/** Strokes, and what is filled in the accent. */
const PICTURES: Readonly<Record<string, { lines: string; fill?: string; text?: string }>> = {
  markdown: { lines: `${page}M9 15h14M9 19h14M9 23h9`, text: '# A' },
  json: {
    lines: 'M11 5c-4 0-3 3-3 6s-1 5-3 5c2 0 3 2 3 5s-1 6 3 6M21 5c4 0 3 3 3 6s1 5 3 5c-2 0-3 2-3 5s1 6-3 6M13 16h6',
  },
  deterministicJson: {
    lines:
      'M11 5c-4 0-3 3-3 6s-1 5-3 5c2 0 3 2 3 5s-1 6 3 6M21 5c4 0 3 3 3 6s1 5 3 5c-2 0-3 2-3 5s1 6-3 6M13 14h6M13 18h6',
  },
  html: { lines: 'M11 9l-7 7 7 7M21 9l7 7-7 7M18 6l-4 20' },
  rawHtml: { lines: `${page}M13 11l-4 5 4 5M19 11l4 5-4 5` },
  rawBase64: { lines: page, text: '01' },
  screenshot: { lines: 'M3 6h26v20H3zM3 11h26', fill: 'M6 23l6-7 4 4 4-6 6 9z' },
  links: { lines: 'M13 19a5 5 0 0 1 0-7l4-4a5 5 0 0 1 7 7l-2 2M19 13a5 5 0 0 1 0 7l-4 4a5 5 0 0 1-7-7l2-2' },
  images: { lines: 'M8 4h20v16H8zM4 9v19h20', fill: 'M11 17l4-5 3 3 3-5 4 7z' },
  summary: { lines: `${page}M9 9h14M9 13h9`, fill: 'M9 19h14v5H9z' },
  question: { lines: 'M4 5h24v17H15l-6 6v-6H4zM13 11a3 3 0 1 1 4 3c-1 .5-1 1-1 2M16 19v.1' },
  query: { lines: 'M4 5h24v17H15l-6 6v-6H4zM9 11h14M9 16h9' },
  highlights: { lines: `${page}M9 9h14M9 24h10`, fill: 'M8 13h16v6H8z' },
  product: { lines: 'M4 15V5h10l14 14-10 10zM10 11v.1', fill: 'M14 17l5 5 3-3-5-5z' },
  menu: { lines: 'M8 4v8a3 3 0 0 0 6 0V4M11 4v24M22 28V4c-4 2-4 10 0 13' },
  branding: { lines: 'M4 4h24v24H4z', fill: 'M8 8h7v16H8zM18 8h6v6h-6zM18 18h6v6h-6z' },
  changeTracking: { lines: 'M5 3h22v26H5zM9 10h6M12 7v6M9 22h6M18 10h5M18 22h5' },
  attributes: { lines: 'M10 8l-7 8 7 8M22 8l7 8-7 8M13 16h6' },
  audio: { lines: 'M6 13v6M11 8v16M16 4v24M21 9v14M26 13v6' },
  video: { lines: 'M3 6h26v20H3z', fill: 'M13 11l8 5-8 5z' },
}

/** Nothing for a format that nobody has drawn. */
export function FormatPicture({ name }: { name: string }) {
  const picture = PICTURES[name]
  if (!picture) return null
  return (
    <svg class="format-picture" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
      {picture.fill && <path d={picture.fill} fill="var(--accent)" fill-opacity="0.55" />}
      <path
        d={picture.lines}
        fill="none"
        stroke="currentColor"
        stroke-width="1.7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      {picture.text && (
        <text x="9" y="12" font-size="8" font-weight="700" fill="currentColor">
          {picture.text}
        </text>
      )}
    </svg>
  )
}
