// A PDF of plain lines, written by hand, to measure what readers of PDFs make of a text.
const WIDTH = 92
const LINES = 48

/** Each line of the text becomes a paragraph; letters outside Latin-1 are left out. */
export function pdfOf(text) {
  const rows = text.split('\n').flatMap((line) => [...wrapped(line), ''])
  const pages = []
  for (let at = 0; at < rows.length; at += LINES) pages.push(rows.slice(at, at + LINES))
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, n) => `${4 + n * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  for (const [n, page] of pages.entries()) {
    const shown = page.map((line, at) => `1 0 0 1 56 ${740 - at * 14} Tm (${line}) Tj`).join('\n')
    const stream = `BT /F 10 Tf ${shown} ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> >> /Contents ${5 + n * 2} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    )
  }
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}

function wrapped(line) {
  const rows = ['']
  for (const word of line.replace(/[^\x20-\x7e\xa0-\xff]/g, ' ').split(/ +/)) {
    const longer = `${rows.at(-1)} ${word}`.trim()
    if (longer.length <= WIDTH) rows[rows.length - 1] = longer
    else rows.push(word)
  }
  return rows.map((row) => row.replace(/[\\()]/g, '\\$&'))
}
