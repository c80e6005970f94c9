// PDFs for tests and proofs, made anew each time: what they say is known, so what is read of them can be judged.
import { deflateSync } from 'node:zlib'
import { degrees, PDFDocument, PDFString, rgb, StandardFonts } from 'pdf-lib'

export const LETTER_LINES = [
  'Harbour Office, 12 Quay Street',
  'Tidewater, 4 March 2026',
  'Dear Captain Ellis,',
  'Thank you for your letter about the berth at the northern quay. The harbour',
  'board met on Tuesday and agreed to extend your lease until the end of June.',
  'The monthly fee of 485 pounds stays as it is. Please sign the enclosed form',
  'and return it before the twentieth of this month, so that the clerk can enter',
  'the new dates in the register. Should you need more room for the dredger,',
  'the eastern basin has been free since the autumn storms.',
  'Yours faithfully,',
  'Margaret Holloway, harbour master',
]

const WORDS =
  'the tide gauge at the old pier was read twice a day for eleven years and its book shows how slowly the mean level rises while storms leave only short marks that fade within weeks of calm weather'.split(
    ' ',
  )

/** Prose of so many words, always the same for the same seed. */
export function prose(words, seed = 0) {
  const out = []
  for (let at = 0; at < words; at++) {
    const word = WORDS[(at * 7 + seed * 13 + Math.floor(at / 11)) % WORDS.length]
    const starts = at % 14 === 0
    out.push(`${starts ? word[0].toUpperCase() + word.slice(1) : word}${at % 14 === 13 || at === words - 1 ? '.' : ''}`)
  }
  return out.join(' ')
}

async function fonts(document) {
  return {
    body: await document.embedFont(StandardFonts.TimesRoman),
    bold: await document.embedFont(StandardFonts.TimesRomanBold),
    sans: await document.embedFont(StandardFonts.Helvetica),
    sansBold: await document.embedFont(StandardFonts.HelveticaBold),
    mono: await document.embedFont(StandardFonts.Courier),
  }
}

/** Lines that fit a width; long words break with a hyphen now and then, as typesetters do. */
function wrapped(text, font, size, width, hyphenate = false) {
  const lines = []
  let line = ''
  for (const word of text.split(' ')) {
    const wider = line ? `${line} ${word}` : word
    if (font.widthOfTextAtSize(wider, size) <= width) {
      line = wider
      continue
    }
    const half = Math.floor(word.length / 2)
    if (hyphenate && word.length > 7 && font.widthOfTextAtSize(`${line} ${word.slice(0, half)}-`, size) <= width) {
      lines.push(`${line} ${word.slice(0, half)}-`)
      line = word.slice(half)
    } else {
      lines.push(line)
      line = word
    }
  }
  if (line) lines.push(line)
  return lines
}

function paragraph(page, text, { font, size, x, y, width, pitch = size * 1.2, hyphenate = false }) {
  let at = y
  for (const line of wrapped(text, font, size, width, hyphenate)) {
    page.drawText(line, { x, y: at, size, font })
    at -= pitch
  }
  return at
}

/** Title, authors, abstract over both columns; two columns with headings, a figure caption and a footnote; running heads. */
export async function twoColumnPaper() {
  const document = await PDFDocument.create()
  document.setTitle('On the Slow Rise of Harbour Water')
  document.setAuthor('M. Holloway')
  document.setSubject('Tide gauges')
  document.setKeywords(['tide', 'gauge'])
  const { body, bold } = await fonts(document)
  const left = 56
  const right = 318
  const width = 238
  for (let number = 1; number <= 3; number++) {
    const page = document.addPage([612, 792])
    page.drawText('Journal of Harbour Studies, Volume 8', { x: 56, y: 760, size: 8, font: body })
    page.drawText(String(40 + number), { x: 300, y: 30, size: 9, font: body })
    let top = 730
    if (number === 1) {
      page.drawText('On the Slow Rise of Harbour Water', { x: 130, y: 715, size: 20, font: bold })
      page.drawText('Margaret Holloway and Tobias Renn', { x: 210, y: 692, size: 11, font: body })
      const after = 210 + body.widthOfTextAtSize('Margaret Holloway and Tobias Renn', 11)
      page.drawText('1', { x: after, y: 697, size: 7, font: body })
      const end = paragraph(page, `Abstract. ${prose(70, 1)}`, { font: body, size: 10, x: 90, y: 668, width: 432 })
      top = end - 16
    }
    let y = top
    page.drawText(`${number}. Section ${['One', 'Two', 'Three'][number - 1]}`, { x: left, y, size: 12, font: bold })
    y -= 18
    for (let part = 0; part < 3; part++)
      y =
        paragraph(page, `Left${number}${part} ${prose(80, number * 10 + part)}`, {
          font: body,
          size: 10,
          x: left,
          y,
          width,
          hyphenate: true,
        }) - 6
    page.drawText(`1 ${['The gauge was moved in 1911.', 'Heights are in metres.', 'Calm days only.'][number - 1]}`, {
      x: left,
      y: 62,
      size: 7,
      font: body,
    })
    y = top
    page.drawText(`${number}.1 Details`, { x: right, y, size: 12, font: bold })
    y -= 18
    for (let part = 0; part < 3; part++)
      y =
        paragraph(page, `Right${number}${part} ${prose(80, number * 20 + part)}`, {
          font: body,
          size: 10,
          x: right,
          y,
          width,
          hyphenate: true,
        }) - 6
    page.drawText(`Figure ${number}: Mean level by year.`, { x: right, y: 90, size: 9, font: body })
  }
  return Buffer.from(await document.save())
}

/** A blue band at its head, a ruled table of items, addresses beside each other, a total. */
export async function invoice() {
  const document = await PDFDocument.create()
  const { sans, sansBold } = await fonts(document)
  const page = document.addPage([595, 842])
  page.drawRectangle({ x: 0, y: 812, width: 595, height: 30, color: rgb(0.1, 0.2, 0.8) })
  page.drawText('INVOICE 2026-117', { x: 56, y: 770, size: 22, font: sansBold })
  const addresses = [
    ['Bill to', 'Ship to'],
    ['Tidewater Harbour Board', 'Northern Quay Store'],
    ['12 Quay Street', 'Gate 4'],
    ['Tidewater', 'Tidewater'],
  ]
  addresses.forEach((pair, row) => {
    page.drawText(pair[0], { x: 56, y: 730 - row * 14, size: 10, font: row === 0 ? sansBold : sans })
    page.drawText(pair[1], { x: 330, y: 730 - row * 14, size: 10, font: row === 0 ? sansBold : sans })
  })
  const rows = [
    ['Item', 'Quantity', 'Unit price', 'Amount'],
    ['Mooring rope, 24 mm', '12', '18.50', '222.00'],
    ['Fender, medium', '6', '41.00', '246.00'],
    ['Tide table 2026', '2', '9.75', '19.50'],
  ]
  const xs = [56, 270, 350, 440, 540]
  rows.forEach((row, index) => {
    const top = 650 - index * 24
    row.forEach((cell, column) => {
      page.drawRectangle({
        x: xs[column],
        y: top - 24,
        width: xs[column + 1] - xs[column],
        height: 24,
        borderWidth: 0.7,
        borderColor: rgb(0, 0, 0),
      })
      page.drawText(cell, { x: xs[column] + 4, y: top - 16, size: 10, font: index === 0 ? sansBold : sans })
    })
  })
  page.drawText('Total due: 487.50', { x: 440, y: 530, size: 12, font: sansBold })
  page.drawText('Payable within 30 days to the account named on the contract.', { x: 56, y: 500, size: 10, font: sans })
  return Buffer.from(await document.save())
}

/** Landscape pages with a title and bullets; on the last the title is as small as the rest, and points have points. */
export async function slideDeck() {
  const document = await PDFDocument.create()
  const { sans, sansBold } = await fonts(document)
  const slides = [
    ['Where the water goes', 'Levels rise slowly', 'Storms leave short marks', 'Gauges must not move'],
    ['What we measured', 'Eleven years of readings', 'Two readings a day', 'One gap in 1911'],
    ['What comes next', 'A second gauge at the lock', 'Readings every hour', 'Open data for everyone'],
  ]
  slides.forEach(([title, ...points], index) => {
    const page = document.addPage([960, 540])
    page.drawText(title, { x: 60, y: 450, size: 40, font: sansBold })
    points.forEach((point, at) => {
      page.drawText(`\u2022 ${point}`, { x: 80, y: 360 - at * 50, size: 24, font: sans })
    })
    page.drawText(`${index + 1}`, { x: 900, y: 20, size: 12, font: sans })
  })
  const page = document.addPage([960, 540])
  page.drawText('Who pays for it', { x: 60, y: 500, size: 24, font: sans })
  const points = [
    '\u2022 The board',
    '\u2013 half of it',
    '\u2013 in two years',
    '\u2022 The town',
    '\u2022 Nobody else',
  ]
  points.forEach((point, at) => {
    page.drawText(point, { x: point.startsWith('\u2022') ? 80 : 110, y: 400 - at * 50, size: 24, font: sans })
  })
  page.drawText('4', { x: 900, y: 20, size: 12, font: sans })
  return Buffer.from(await document.save())
}

/** 200 rows over five pages, its head repeated on each, without rules. */
export async function longTable() {
  const document = await PDFDocument.create()
  const { sans, sansBold } = await fonts(document)
  const xs = [56, 130, 300, 420]
  for (let number = 0; number < 5; number++) {
    const page = document.addPage([595, 842])
    const head = ['No.', 'Station', 'Height', 'Date']
    head.forEach((cell, column) => {
      page.drawText(cell, { x: xs[column], y: 780, size: 10, font: sansBold })
    })
    for (let row = 0; row < 40; row++) {
      const n = number * 40 + row + 1
      const cells = [
        String(n),
        `Station ${String.fromCharCode(65 + (n % 26))}${n}`,
        (1 + (n % 37) / 10).toFixed(1),
        `2026-03-${String(1 + (n % 28)).padStart(2, '0')}`,
      ]
      cells.forEach((cell, column) => {
        page.drawText(cell, { x: xs[column], y: 762 - row * 17, size: 10, font: sans })
      })
    }
    page.drawText(`Page ${number + 1} of 5`, { x: 270, y: 30, size: 9, font: sans })
  }
  return Buffer.from(await document.save())
}

/** Labels, filled fields and boxes. */
export async function form() {
  const document = await PDFDocument.create()
  const { sans, sansBold } = await fonts(document)
  const page = document.addPage([595, 842])
  page.drawText('Application for a berth', { x: 56, y: 770, size: 18, font: sansBold })
  const fields = document.getForm()
  const labels = [
    ['Name', 'Tobias Renn'],
    ['Vessel', 'Grey Heron'],
    ['Length in metres', '11.4'],
    ['Home port', 'Tidewater'],
  ]
  labels.forEach(([label, value], row) => {
    page.drawText(`${label}:`, { x: 56, y: 720 - row * 30, size: 11, font: sans })
    const field = fields.createTextField(`field.${row}`)
    field.setText(value)
    field.addToPage(page, { x: 180, y: 714 - row * 30, width: 240, height: 20, font: sans })
  })
  page.drawText('I accept the harbour rules.', { x: 80, y: 580, size: 11, font: sans })
  const accept = fields.createCheckBox('accept')
  accept.addToPage(page, { x: 56, y: 577, width: 14, height: 14 })
  accept.check()
  page.drawText('Send me the tide table.', { x: 80, y: 556, size: 11, font: sans })
  fields.createCheckBox('table').addToPage(page, { x: 56, y: 553, width: 14, height: 14 })
  return Buffer.from(await document.save())
}

/** The letter as text; `scanned` makes an image of it. */
export async function letter() {
  const document = await PDFDocument.create()
  const { body } = await fonts(document)
  const page = document.addPage([595, 842])
  let y = 778
  for (const line of LETTER_LINES) {
    y -= /^(?:Dear|Thank|Yours|Margaret)/.test(line) ? 34 : 18
    page.drawText(line, { x: 70, y, size: 12, font: body })
  }
  return Buffer.from(await document.save())
}

/** Pages that are nothing but images: what a scanner makes. `bitmap` is one byte a pixel. */
export async function imageOnly(bitmap) {
  const document = await PDFDocument.create()
  const image = await document.embedPng(png(bitmap))
  const page = document.addPage([595, 842])
  page.drawImage(image, { x: 0, y: 0, width: 595, height: 842 })
  return Buffer.from(await document.save())
}

/** Many pages of text with running heads. */
export async function manyPages(count) {
  const document = await PDFDocument.create()
  const { body, bold } = await fonts(document)
  for (let number = 1; number <= count; number++) {
    const page = document.addPage([612, 792])
    page.drawText('A very long report', { x: 72, y: 760, size: 9, font: body })
    page.drawText(`Chapter ${number}`, { x: 72, y: 720, size: 16, font: bold })
    let y = 690
    for (let part = 0; part < 5; part++)
      y = paragraph(page, prose(90, number + part), { font: body, size: 11, x: 72, y, width: 468 }) - 8
    page.drawText(`${number}`, { x: 300, y: 30, size: 9, font: body })
  }
  return Buffer.from(await document.save())
}

/** Very many pages of three lines, written by hand: the library would take seconds. */
export function plainPages(count) {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, at) => `${4 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (let number = 1; number <= count; number++) {
    const lines = [`Reading number ${number} of the gauge`, prose(9, number), prose(9, number + 1)]
    const text = lines.map((line, at) => `1 0 0 1 72 ${600 - at * 14} Tm (${line}) Tj`).join(' ')
    const stream = `BT /F 11 Tf ${text} ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> >> /Contents ${4 + number * 2 - 1} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    )
  }
  let file = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  )
}

/** Code, a link and text on its side. */
export async function oddments() {
  const document = await PDFDocument.create()
  const { body, bold, mono } = await fonts(document)
  const page = document.addPage([612, 792])
  page.drawText('Oddments', { x: 72, y: 720, size: 20, font: bold })
  paragraph(page, prose(60, 3), { font: body, size: 11, x: 72, y: 690, width: 460 })
  const code = ['function rise(level) {', '  return level + 0.003', '}']
  code.forEach((line, at) => {
    page.drawText(line, { x: 72, y: 600 - at * 13, size: 10, font: mono })
  })
  page.drawText('See the harbour pages for more.', { x: 72, y: 540, size: 11, font: body })
  page.node.addAnnot(
    document.context.register(
      document.context.obj({
        Type: 'Annot',
        Subtype: 'Link',
        Rect: [72, 536, 300, 552],
        Border: [0, 0, 0],
        A: { Type: 'Action', S: 'URI', URI: PDFString.of('https://harbour.example/') },
      }),
    ),
  )
  page.drawText('Downloaded on Monday', { x: 595, y: 300, size: 8, font: body, rotate: degrees(90) })
  return Buffer.from(await document.save())
}

export async function blank() {
  const document = await PDFDocument.create()
  document.addPage([612, 792])
  return Buffer.from(await document.save())
}

/** A grey PNG, by hand: four chunks. */
export function png({ width, height, grey }) {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    Buffer.from(grey.buffer, grey.byteOffset + y * width, width).copy(rows, y * (width + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}

export function crc(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}
