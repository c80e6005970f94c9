// A hand-written one-page PDF with a heading, a sentence and a table, to try document readers.

const rows = [
  ['Quarter', 'Webs', 'Repairs', 'Revenue'],
  ['Q1', '412', '31', '18,200'],
  ['Q2', '455', '28', '20,910'],
  ['Q3', '498', '35', '22,480'],
  ['Q4', '530', '22', '25,040'],
] as const
const COLUMNS = [72, 172, 272, 372, 500] as const
const TOP = 660
const ROW = 24

const text = (size: number, x: number, y: number, words: string): string =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${words}) Tj ET`

function drawing(): string {
  const cells = rows.flatMap((row, at) =>
    row.map((words, column) => text(11, (COLUMNS[column] ?? 72) + 6, TOP - at * ROW - 16, words)),
  )
  const bottom = TOP - rows.length * ROW
  const lines = [
    ...Array.from({ length: rows.length + 1 }, (_, at) => `72 ${TOP - at * ROW} m 500 ${TOP - at * ROW} l S`),
    ...COLUMNS.map((x) => `${x} ${TOP} m ${x} ${bottom} l S`),
  ]
  return [
    text(22, 72, 740, 'Annual report of the web works'),
    text(11, 72, 706, 'All figures are for the year 2025. Revenue is in euros.'),
    ...lines,
    ...cells,
    text(11, 72, bottom - 30, 'More webs were built than ever, and fewer of them had to be mended.'),
  ].join('\n')
}

export function makeReportPdf(): Uint8Array {
  const content = drawing()
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const starts = objects.map((body, at) => {
    const start = file.length
    file += `${at + 1} 0 obj\n${body}\nendobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const end = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${end}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
