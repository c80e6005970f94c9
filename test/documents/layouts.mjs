// PDFs with a known layout, and what they say: columns, running heads, tables, scripts that run from right to left. Each
// says its words in the order of `says`, which is exact.
import {
  beginText,
  degrees,
  endText,
  PDFDocument,
  PDFHexString,
  PDFName,
  rgb,
  StandardFonts,
  setFontAndSize,
  setTextMatrix,
  showText,
} from 'pdf-lib'
import { png, prose } from './pdfs.mjs'

const A4 = [595, 842]
const BLACK = rgb(0, 0, 0)

async function pen(size = A4) {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  const bold = await document.embedFont(StandardFonts.TimesRomanBold)
  const mono = await document.embedFont(StandardFonts.Courier)
  const state = { page: document.addPage(size) }
  const write = (text, x, y, { size: points = 10, font: face = font, ...more } = {}) =>
    state.page.drawText(text, { x, y, size: points, font: face, ...more })
  const line = (x0, y0, x1, y1, thickness = 0.7) =>
    state.page.drawLine({ start: { x: x0, y: y0 }, end: { x: x1, y: y1 }, thickness, color: BLACK })
  return {
    document,
    font,
    bold,
    mono,
    write,
    line,
    page: () => state.page,
    next: (own = size) => {
      state.page = document.addPage(own)
    },
    /** Lines that fit the width, from y down; where the next would stand. */
    text(text, x, y, width, { size: points = 10, pitch = points * 1.2, font: face = font } = {}) {
      let at = y
      let open = ''
      const put = () => {
        write(open, x, at, { size: points, font: face })
        at -= pitch
      }
      for (const word of text.split(' ')) {
        const wider = open ? `${open} ${word}` : word
        if (face.widthOfTextAtSize(wider, points) > width) {
          put()
          open = word
        } else open = wider
      }
      if (open) put()
      return at
    },
    centred: (text, middle, y, { size: points = 10, font: face = font } = {}) =>
      write(text, middle - face.widthOfTextAtSize(text, points) / 2, y, { size: points, font: face }),
    save: async () => Buffer.from(await document.save()),
  }
}

const row = (cells) => `| ${cells.join(' | ')} |`
const table = ([head, ...body]) => [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n')
const says = (...blocks) => blocks.join('\n\n')
/** Prose that begins with a word of its own, so that its place can be told. */
const own = (name, words, seed) => `${name} ${prose(words, seed).replace(/^./, (letter) => letter.toLowerCase())}`

async function columns(count, { gutter = 24, words = 110, shift = 0, size = 10 } = {}) {
  const at = await pen()
  const width = (595 - 2 * 50 - (count - 1) * gutter) / count
  const told = []
  for (let column = 0; column < count; column++) {
    const x = 50 + column * (width + gutter)
    let y = 780 - column * shift
    for (let part = 0; part < 2; part++) {
      const text = own(`Column${column}${part}`, words, column * 3 + part)
      told.push(text)
      y = at.text(text, x, y, width, { size }) - 8
    }
  }
  return { bytes: await at.save(), says: says(...told) }
}

async function wideHeading() {
  const at = await pen()
  const told = []
  const half = (top, name) => {
    for (let column = 0; column < 3; column++) {
      const text = own(`${name}${column}`, 70, column)
      told.push(text)
      at.text(text, 50 + column * 172, top, 150, { size: 9 })
    }
  }
  half(780, 'Upper')
  at.write('What the second half of the page is about, from side to side', 50, 560, { size: 18, font: at.bold })
  told.push('# What the second half of the page is about, from side to side')
  half(530, 'Lower')
  return { bytes: await at.save(), says: says(...told) }
}

async function headedColumns() {
  const at = await pen()
  const told = []
  for (let column = 0; column < 2; column++) {
    const x = 50 + column * 258
    let y = 780
    for (let part = 0; part < 2; part++) {
      const title = `${column * 2 + part + 1}. The ${['first', 'second', 'third', 'last'][column * 2 + part]} matter`
      at.write(title, x, y, { size: 13, font: at.bold })
      const text = own(`Part${column}${part}`, 90, column + part)
      y = at.text(text, x, y - 18, 237) - 14
      told.push(`# ${title}`, text)
    }
  }
  return { bytes: await at.save(), says: says(...told) }
}

/** The last sentence of each column goes on at the top of the next, also over the page's end. */
async function brokenSentences() {
  const at = await pen([420, 300])
  const words = prose(400, 2).replaceAll('.', ',').split(' ')
  let next = 0
  for (let page = 0; page < 2; page++) {
    if (page > 0) at.next()
    for (let column = 0; column < 2; column++)
      for (let line = 0; line < 18; line++) {
        let text = ''
        while (next < words.length && at.font.widthOfTextAtSize(`${text} ${words[next]}`, 10) < 160)
          text += `${text ? ' ' : ''}${words[next++]}`
        at.write(text, 35 + column * 185, 265 - line * 13)
      }
  }
  return {
    bytes: await at.save(),
    says: words
      .slice(0, next)
      .join(' ')
      .replaceAll(/, (\w)/g, ', $1'),
  }
}

async function tableInColumn() {
  const at = await pen()
  const before = own('Before', 60, 1)
  const after = own('After', 60, 2)
  const beside = own('Beside', 200, 3)
  let y = at.text(before, 50, 780, 237) - 12
  const rows = [
    ['Pier', 'Depth', 'Year'],
    ['North', '4.2', '1911'],
    ['South', '3.7', '1924'],
    ['East', '5.0', '1930'],
  ]
  for (const cells of rows) {
    for (const [column, cell] of cells.entries()) at.write(cell, 56 + column * 80, y)
    y -= 15
  }
  at.text(after, 50, y - 8, 237)
  at.text(beside, 308, 780, 237)
  return { bytes: await at.save(), says: says(before, table(rows), after, beside) }
}

async function sidebar() {
  const at = await pen()
  const main = [own('Main', 120, 1), own('Second', 120, 2)]
  const side = own('Aside', 60, 3)
  let y = 780
  for (const text of main) y = at.text(text, 50, y, 330) - 8
  at.text(side, 420, 780, 120, { size: 9 })
  return { bytes: await at.save(), says: says(...main, side) }
}

async function smallPages() {
  const at = await pen([298, 420])
  const told = []
  for (let number = 1; number <= 3; number++) {
    if (number > 1) at.next()
    at.centred('The Harbour Almanac', 149, 370, { size: 8 })
    const text = own(`Leaf${number}`, 60, number)
    told.push(text)
    at.text(text, 40, 340, 218)
    at.centred(`${number + 6}`, 149, 45, { size: 8 })
  }
  return { bytes: await at.save(), says: says(...told) }
}

async function alternating() {
  const at = await pen()
  const told = []
  for (let number = 1; number <= 6; number++) {
    if (number > 1) at.next()
    const isLeft = number % 2 === 0
    at.write(isLeft ? `${number}  A History of Tides` : `Of Gauges and Books  ${number}`, isLeft ? 50 : 430, 800, {
      size: 9,
    })
    const text = own(`Sheet${number}`, 90, number)
    told.push(text)
    at.text(text, 50, 760, 495)
  }
  return { bytes: await at.save(), says: says(...told) }
}

async function feet() {
  const at = await pen()
  const told = []
  for (let number = 1; number <= 2; number++) {
    if (number > 1) at.next()
    const text = own(`Letter${number}`, 140, number)
    told.push(text)
    at.text(text, 60, 780, 470, { size: 11 })
    at.write('Confidential. Tidewater Harbour Board', 60, 40, { size: 8 })
    at.write(`Page ${number} of 2`, 480, 40, { size: 8 })
  }
  return { bytes: await at.save(), says: says(...told) }
}

async function notes() {
  const at = await pen()
  const text = own('Body', 160, 4)
  at.text(text, 60, 780, 470, { size: 11 })
  at.line(60, 112, 160, 112)
  at.write('1 The gauge was moved in the spring of 1911.', 60, 100, { size: 8 })
  at.write('2 Heights are given in metres above the old mark.', 60, 88, { size: 8 })
  at.centred('17', 297, 30, { size: 9 })
  return {
    bytes: await at.save(),
    says: says(
      text,
      '1 The gauge was moved in the spring of 1911.',
      '2 Heights are given in metres above the old mark.',
    ),
  }
}

const CARGO = [
  ['Ship', 'Cargo', 'Tons', 'Berth'],
  ['Grey Heron', 'Timber', '420', 'A1'],
  ['Morning Tide', 'Salt', '95', 'B2'],
  ['Petrel', 'Coal', '1,310', 'A3'],
  ['Kittiwake', 'Wool', '77', 'C1'],
]
const XS = [60, 190, 300, 390, 480]

function drawGrid(at, rows, { top = 700, height = 22, sides = true, across = true, down = true } = {}) {
  const bottom = top - rows.length * height
  for (let index = 0; index <= rows.length; index++)
    if (across || index === 0 || index === 1 || index === rows.length)
      at.line(XS[0], top - index * height, XS.at(-1), top - index * height)
  if (down)
    for (const [index, x] of XS.entries()) if (sides || (index > 0 && index < XS.length - 1)) at.line(x, top, x, bottom)
  for (const [index, cells] of rows.entries())
    for (const [column, cell] of cells.entries())
      at.write(cell, XS[column] + 5, top - index * height - 15, index === 0 ? { font: at.bold } : {})
}

async function gridCase(options) {
  const at = await pen()
  const before = own('Before', 40, 1)
  at.text(before, 60, 780, 470)
  drawGrid(at, CARGO, options)
  const after = own('After', 40, 2)
  at.text(after, 60, 560, 470)
  return { bytes: await at.save(), says: says(before, table(CARGO), after) }
}

async function spans() {
  const at = await pen()
  const top = 700
  for (const y of [700, 656, 612]) at.line(60, y, 480, y)
  for (const y of [678, 634]) at.line(190, y, 480, y)
  for (const x of [60, 190, 300, 480]) at.line(x, top, x, 612)
  const cells = [
    ['North pier', 'Spring', '4.2'],
    ['', 'Autumn', '4.6'],
    ['South pier', 'Spring', '3.7'],
    ['', 'Autumn', '3.9'],
  ]
  for (const [index, texts] of cells.entries())
    for (const [column, text] of texts.entries())
      if (text) at.write(text, [65, 195, 305][column], column === 0 ? top - index * 22 - 26 : top - index * 22 - 15)
  at.line(60, 722, 480, 722)
  for (const x of [60, 190, 300, 480]) at.line(x, 722, x, 700)
  for (const [column, text] of ['Pier', 'Season', 'Depth'].entries())
    at.write(text, [65, 195, 305][column], 707, { font: at.bold })
  return {
    bytes: await at.save(),
    says: table([
      ['Pier', 'Season', 'Depth'],
      ['North pier', 'Spring', '4.2'],
      ['North pier', 'Autumn', '4.6'],
      ['South pier', 'Spring', '3.7'],
      ['South pier', 'Autumn', '3.9'],
    ]),
  }
}

/** Three rules and no more, and a head of two rows: printers' tables. */
async function printersTable() {
  const at = await pen()
  at.write('Table 3: Readings of two gauges.', 60, 740)
  for (const y of [725, 688, 620]) at.line(60, y, 480, y)
  at.centred('Old gauge', 245, 712)
  at.centred('New gauge', 405, 712)
  const xs = [65, 210, 270, 370, 430]
  for (const [column, text] of ['Station', 'Mean', 'Top', 'Mean', 'Top'].entries()) at.write(text, xs[column], 696)
  const rows = [
    ['Northern quay', '1.20', '2.41', '1.22', '2.40'],
    ['Lock', '1.31', '2.55', '1.30', '2.56'],
    ['Outer light', '1.08', '2.20', '1.10', '2.21'],
    ['Old pier', '1.17', '2.33', '1.15', '2.31'],
  ]
  for (const [index, cells] of rows.entries())
    for (const [column, text] of cells.entries()) at.write(text, xs[column], 674 - index * 15)
  return {
    bytes: await at.save(),
    says: says(
      'Table 3: Readings of two gauges.',
      table([['Station', 'Old gauge Mean', 'Old gauge Top', 'New gauge Mean', 'New gauge Top'], ...rows]),
    ),
  }
}

async function overPages({ headAgain, ruled }) {
  const at = await pen([420, 420])
  const head = ['No.', 'Station', 'Height']
  const xs = [40, 120, 280]
  const all = Array.from({ length: 40 }, (_, index) => [
    String(index + 1),
    `Gauge ${String.fromCharCode(65 + (index % 26))}${index}`,
    (1 + ((index * 7) % 40) / 10).toFixed(1),
  ])
  for (let page = 0; page < 2; page++) {
    if (page > 0) at.next()
    const rows = [...(page === 0 || headAgain ? [head] : []), ...all.slice(page * 20, page * 20 + 20)]
    for (const [index, cells] of rows.entries()) {
      const y = 380 - index * 16
      for (const [column, cell] of cells.entries())
        at.write(cell, xs[column] + 4, y - 11, cells === head ? { font: at.bold } : {})
      if (ruled) {
        at.line(40, y, 360, y)
        at.line(40, y - 16, 360, y - 16)
        for (const x of [40, 120, 280, 360]) at.line(x, y, x, y - 16)
      }
    }
  }
  return { bytes: await at.save(), says: table([head, ...all]) }
}

/** Columns that stand closer than columns of text do. */
async function tight() {
  const at = await pen()
  const rows = Array.from({ length: 7 }, (_, index) => [
    `Gauge ${index + 1}`,
    (10.1 + index).toFixed(1),
    (20.2 + index).toFixed(1),
    (30.3 + index).toFixed(1),
  ])
  const xs = [60, 130, 158, 186]
  const all = [['Name', 'Low', 'Mid', 'High'], ...rows]
  for (const [index, cells] of all.entries())
    for (const [column, cell] of cells.entries()) at.write(cell, xs[column], 700 - index * 14)
  return { bytes: await at.save(), says: table(all) }
}

async function wrapped() {
  const at = await pen()
  const xs = [60, 160, 320, 500]
  const rows = [
    [['Rule'], ['What it says'], ['What follows']],
    [['One'], ['Ships wait for the', 'light to turn green'], ['The lock opens when', 'the water is level']],
    [['Two'], ['Nobody moors at the', 'northern steps'], ['Fines of two hundred']],
    [['Three'], ['Fires are out by ten'], ['The watch looks round', 'once more at midnight']],
  ]
  let y = 700
  for (const cells of rows) {
    const height = Math.max(...cells.map((lines) => lines.length)) * 13 + 8
    at.line(60, y, 500, y)
    for (const x of xs) at.line(x, y, x, y - height)
    for (const [column, lines] of cells.entries())
      for (const [index, text] of lines.entries()) at.write(text, xs[column] + 5, y - 13 - index * 13)
    y -= height
  }
  at.line(60, y, 500, y)
  return { bytes: await at.save(), says: table(rows.map((cells) => cells.map((lines) => lines.join(' ')))) }
}

async function turnedHeads() {
  const at = await pen()
  const xs = [65, 205, 245, 285, 325]
  for (const y of [720, 660, 570]) at.line(60, y, 360, y)
  at.write('Station', 65, 666)
  for (const [column, text] of ['Morning', 'Noon', 'Evening', 'Night'].entries())
    at.write(text, xs[column + 1] + 8, 666, { rotate: degrees(90) })
  const rows = [
    ['Northern quay', '1.2', '2.4', '1.9', '0.8'],
    ['Lock', '1.3', '2.5', '2.0', '0.9'],
    ['Outer light', '1.0', '2.2', '1.7', '0.7'],
    ['Old pier', '1.1', '2.3', '1.8', '0.6'],
    ['Dredger', '1.4', '2.6', '2.1', '1.0'],
  ]
  for (const [index, cells] of rows.entries())
    for (const [column, cell] of cells.entries()) at.write(cell, xs[column], 645 - index * 16)
  return { bytes: await at.save(), says: table([['Station', 'Morning', 'Noon', 'Evening', 'Night'], ...rows]) }
}

async function contents() {
  const at = await pen()
  at.write('Contents', 60, 770, { size: 18, font: at.bold })
  const entries = [
    ['Preface', 'vii', 0],
    ['1 The old gauge', '1', 0],
    ['1.1 Where it stood', '3', 18],
    ['1.2 Who read it', '9', 18],
    ['2 The new gauge', '14', 0],
  ]
  for (const [index, [title, page, indent]] of entries.entries()) {
    const start = 60 + indent + at.font.widthOfTextAtSize(title, 11)
    const dots = '. '.repeat(Math.floor((500 - start) / at.font.widthOfTextAtSize('. ', 11))).trim()
    at.write(`${title} ${dots} ${page}`, 60 + indent, 730 - index * 18, { size: 11 })
  }
  return {
    bytes: await at.save(),
    says: says(
      '# Contents',
      [
        '- Preface … vii',
        '- 1 The old gauge … 1',
        '  - 1.1 Where it stood … 3',
        '  - 1.2 Who read it … 9',
        '- 2 The new gauge … 14',
      ].join('\n'),
    ),
  }
}

/** Short sums in two columns, numbered across: read by rows. */
async function sums() {
  const at = await pen()
  const intro = own('Work', 30, 5)
  at.text(intro, 60, 780, 470)
  const all = Array.from({ length: 10 }, (_, index) => `${index + 1}. ${index + 2}x + ${index * 3} = ${index * 5 + 1}`)
  for (const [index, text] of all.entries())
    at.write(text, index % 2 === 0 ? 60 : 320, 720 - Math.floor(index / 2) * 22, { size: 11 })
  return { bytes: await at.save(), says: says(intro, all.join('\n')) }
}

async function bullets() {
  const at = await pen()
  const lead = own('These', 20, 6)
  at.text(lead, 60, 780, 470)
  const items = [
    'A rope of hemp, forty fathoms long and as thick as a wrist, with both of its ends well spliced and tarred',
    'Two lamps',
    'A book for the readings',
  ]
  let y = 745
  for (const item of items) {
    at.write('\u2022', 70, y)
    y = at.text(item, 84, y, 300) - 4
  }
  return { bytes: await at.save(), says: says(lead, items.map((item) => `- ${item}`).join('\n')) }
}

// Scripts from right to left. The letters stand on the page as they look: the last one leftmost.

/** A font without outlines whose codes are the letters themselves. */
function unicodeFont(document) {
  const { context } = document
  const ranges = ['00', '05', '06', '20'].map((high) => `<${high}00> <${high}FF> <${high}00>`)
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange ${ranges.length} beginbfrange\n${ranges.join('\n')}\nendbfrange endcmap end end`
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: 'Plain',
      Flags: 4,
      Ascent: 800,
      Descent: -200,
      CapHeight: 700,
      ItalicAngle: 0,
      StemV: 80,
      FontBBox: [0, -200, 1000, 800],
    }),
  )
  const inner = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: 'Plain',
      CIDSystemInfo: {
        Registry: PDFHexString.fromText('Adobe'),
        Ordering: PDFHexString.fromText('Identity'),
        Supplement: 0,
      },
      FontDescriptor: descriptor,
      DW: 500,
      W: [32, [250]],
    }),
  )
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'Plain',
      Encoding: 'Identity-H',
      DescendantFonts: [inner],
      ToUnicode: context.register(context.flateStream(map)),
    }),
  )
}

/** As it looks: reversed, but for numbers and Latin words. */
const asSeen = (text) =>
  [...text]
    .reverse()
    .join('')
    .replace(/[A-Za-z\d.]+/g, (word) => [...word].reverse().join(''))
const widthOf = (text, size) => [...text].reduce((sum, letter) => sum + (letter === ' ' ? 0.25 : 0.5) * size, 0)

async function rtlPen(size = A4) {
  const at = await pen(size)
  const font = unicodeFont(at.document)
  const put = (text, right, y, points = 11) => {
    const page = at.page()
    page.node.setFontDictionary(PDFName.of('U'), font)
    const codes = [...asSeen(text)].map((letter) => letter.codePointAt(0).toString(16).padStart(4, '0')).join('')
    page.pushOperators(
      beginText(),
      setFontAndSize('U', points),
      setTextMatrix(1, 0, 0, 1, right - widthOf(text, points), y),
      showText(PDFHexString.of(codes)),
      endText(),
    )
  }
  const text = (all, right, y, width, points = 11) => {
    let at2 = y
    let open = ''
    const flush = () => {
      put(open, right, at2, points)
      at2 -= points * 1.35
    }
    for (const word of all.split(' ')) {
      const wider = open ? `${open} ${word}` : word
      if (widthOf(wider, points) > width) {
        flush()
        open = word
      } else open = wider
    }
    flush()
    return at2
  }
  return { ...at, put, rtl: text }
}

const HEBREW = 'המים עולים לאט בנמל הישן והשומר כותב את הגובה בספר פעמיים ביום כבר אחת עשרה שנים ואיש אינו קורא בו'
const ARABIC =
  'يرتفع الماء ببطء في الميناء القديم ويكتب الحارس قياسه في الدفتر مرتين كل يوم منذ احدى عشرة سنة وهو يحفظه'

async function rtlProse(words) {
  const at = await rtlPen()
  const first = `${words} ${words}.`
  const second = `${words.split(' ').reverse().join(' ')} ${words}.`
  const y = at.rtl(first, 540, 780, 480)
  at.rtl(second, 540, y - 14, 480)
  return { bytes: await at.save(), says: says(first, second) }
}

async function rtlColumns() {
  const at = await rtlPen()
  const right = `${ARABIC} ${ARABIC} ${ARABIC} ${ARABIC}.`
  const left = `${HEBREW} ${HEBREW} ${HEBREW} ${HEBREW}.`
  at.rtl(right, 545, 780, 230)
  at.rtl(left, 285, 780, 230)
  return { bytes: await at.save(), says: says(right, left) }
}

async function rtlTable() {
  const at = await rtlPen()
  const rows = [
    ['תחנה', 'גובה', 'שנה'],
    ['צפון', '4.2', '1911'],
    ['דרום', '3.7', '1924'],
    ['מזרח', '5.0', '1930'],
    ['מערב', '2.9', '1941'],
  ]
  for (const [index, cells] of rows.entries())
    for (const [column, cell] of cells.entries()) at.put(cell, 500 - column * 120, 700 - index * 20)
  return { bytes: await at.save(), says: table(rows) }
}

async function rtlMixed() {
  const at = await rtlPen()
  const text = 'בשנת 1911 הועבר המד אל הרציף הצפוני על ידי חברת Tidewater והגובה היה 4.2 מטרים מעל הסימן הישן שבקיר'
  at.rtl(text, 540, 780, 300)
  return { bytes: await at.save(), says: text }
}

async function rtlPhrase() {
  const at = await rtlPen()
  const text = 'המד הועבר על ידי Tidewater Harbour Board אל הרציף הצפוני'
  const words = text.split(' ')
  let right = 540
  // Word by word from the right, the Latin phrase as it is seen there.
  for (const word of [...words.slice(0, 4), ...words.slice(4, 7).reverse(), ...words.slice(7)]) {
    at.put(word, right, 780)
    right -= widthOf(`${word} `, 11)
  }
  return { bytes: await at.save(), says: text }
}

// Scans: an image over the whole page, with a layer of text that a reader of letters left.

/** `bitmap`: the page as scanned, one byte a pixel; `layer` draws the text that lies under it. */
export async function scan(bitmap, layer) {
  const at = await pen()
  await layer?.(at)
  const image = await at.document.embedPng(png(bitmap))
  at.page().drawImage(image, { x: 0, y: 0, width: 595, height: 842 })
  return at.save()
}

/** A picture placed twice, as with its mask, on a picture of the whole page. */
export async function poster(background, placed) {
  const at = await pen()
  at.page().drawImage(await at.document.embedPng(png(background)), { x: 0, y: 0, width: 595, height: 842 })
  const picture = await at.document.embedPng(png(placed))
  for (let times = 0; times < 2; times++) at.page().drawImage(picture, { x: 150, y: 740, width: 300, height: 60 })
  return at.save()
}

export async function bigLine(line) {
  const at = await pen()
  at.write(line, 30, 790, { size: 28 })
  return at.save()
}

export const SHORT_ENDS = [
  'The harbour board met on Tuesday and agreed to extend the lease of the northern',
  'quay again.',
  'Should the captain need more room for the dredger, the eastern basin has been as',
  'free as ever.',
  'Whoever wants to enter the lock at night has to announce that on the channel of',
  'the keeper.',
]

export async function shortEnds() {
  const at = await pen()
  for (const [index, line] of SHORT_ENDS.entries()) at.write(line, 70, 700 - index * 13, { size: 12 })
  return at.save()
}

/** What a poor reader of letters makes of the lines: words broken and strewn, on top of each other. */
export function junkLayer(lines) {
  return (at) => {
    for (const [index, text] of lines.entries()) {
      const letters = text.replace(/[aeo]/g, '^').replace(/[tn]/g, '1|').replace(/ /g, '')
      for (let from = 0; from < letters.length; from += 3)
        at.write(letters.slice(from, from + 3), 70 + ((from * 13) % 300), 760 - index * 24 + (from % 5), {
          font: at.mono,
          size: 13,
        })
    }
  }
}

/** A good layer, as such layers are: in a font of equal widths. */
export function soundLayer(lines) {
  return (at) => {
    for (const [index, text] of lines.entries()) at.write(text, 70, 760 - index * 14, { font: at.mono, size: 9 })
  }
}

/** Accounts as companies file them: no rules, currency signs apart, a page number and a foot between the pages. */
async function filing({ headAgain = true, title = true, years = ['2025', '2024', '2023'] } = {}) {
  const at = await pen()
  const right = [360, 440, 520]
  const names = ['Tolls', 'Moorings', 'Pilotage', 'Storage', 'Cranes', 'Rents', 'Fines', 'Grants', 'Sales of silt']
  const all = Array.from({ length: 108 }, (_, index) => [
    `${names[index % names.length]}, quay ${1 + Math.floor(index / names.length)}`,
    ...years.map((_, year) => (1204 + index * 137 + year * 61).toLocaleString('en-US')),
  ])
  const money = (cells, y, sign) => {
    at.write(cells[0], 60, y)
    for (const [column, cell] of cells.slice(1).entries()) {
      at.write(cell, right[column] - at.font.widthOfTextAtSize(cell, 10), y)
      if (sign) at.write('$', right[column] - 52, y)
    }
  }
  for (let page = 0; page < 3; page++) {
    if (page > 0) at.next()
    let y = 770
    if (page === 0 && title) {
      at.write('Receipts of the harbour', 60, y, { size: 14, font: at.bold })
      y -= 30
    }
    if (page === 0 || headAgain) {
      at.write('(in thousands)', 60, y, { font: at.bold })
      for (const [column, year] of years.entries())
        at.write(year, right[column] - at.bold.widthOfTextAtSize(year, 10), y, { font: at.bold })
      y -= 18
    }
    for (const [index, cells] of all.slice(page * 36, page * 36 + 36).entries()) {
      money(cells, y, index === 0)
      y -= 16
    }
    at.centred(String(41 + page), 297, 40, { size: 9 })
    at.write('Tidewater Harbour Board | Annual report', 60, 25, { size: 7 })
  }
  const rows = all.map((cells, index) =>
    index % 36 === 0 ? [cells[0], ...cells.slice(1).map((cell) => `$ ${cell}`)] : cells,
  )
  return {
    bytes: await at.save(),
    says: says(...(title ? ['# Receipts of the harbour'] : []), table([['(in thousands)', ...years], ...rows])),
  }
}

/** Each page has another number and another date in its head and foot. */
async function changingHeads(pages) {
  const at = await pen()
  const told = []
  for (let number = 1; number <= pages; number++) {
    if (number > 1) at.next()
    at.write(`Minutes ${100 + number}/2026`, 60, 806, { size: 8 })
    at.write(`${number}. March 2026`, 470, 806, { size: 8 })
    const text = own(`Minute${number}`, 330, number)
    told.push(text)
    at.text(text, 60, 784, 470, { size: 11 })
    at.write(`Harbour office, sheet ${number}`, 60, 46, { size: 8 })
  }
  return { bytes: await at.save(), says: says(...told) }
}

/** Cards side by side, each with a heading, in two rows. */
async function cards() {
  const at = await pen()
  const told = []
  for (let index = 0; index < 6; index++) {
    const x = 50 + (index % 3) * 175
    const y = index < 3 ? 760 : 560
    const title = `Berth ${index + 1}`
    at.write(title, x, y, { size: 12, font: at.bold })
    const text = own(`Card${index}`, 26 + ((index * 5) % 9), index)
    at.text(text, x, y - 18, 150, { size: 9 })
    told.push(`# ${title}`, text)
  }
  return { bytes: await at.save(), says: says(...told) }
}

export const layouts = {
  'two columns': () => columns(2),
  'two columns, lines not level': () => columns(2, { shift: 5 }),
  'two columns, a narrow gutter': () => columns(2, { gutter: 11 }),
  'three columns': () => columns(3, { words: 80, size: 9 }),
  'four columns': () => columns(4, { words: 60, size: 8, gutter: 16 }),
  'columns with headings': headedColumns,
  'a heading over three columns': wideHeading,
  'sentences broken by columns and pages': brokenSentences,
  'a table in a column': tableInColumn,
  'a column of notes': sidebar,
  'running heads on small pages': smallPages,
  'heads of left and right pages': alternating,
  'feet on two pages': feet,
  'notes above the page number': notes,
  'a ruled table': () => gridCase({}),
  'a ruled table, open at its sides': () => gridCase({ sides: false }),
  'a table with rules between columns only': () => gridCase({ across: false }),
  'a table with rules between rows only': () => gridCase({ down: false }),
  'cells over two rows': spans,
  'a head of two rows': printersTable,
  'turned heads': turnedHeads,
  'a table over pages': () => overPages({ headAgain: true, ruled: true }),
  'a table over pages, its head said once': () => overPages({ headAgain: false, ruled: true }),
  'a table over pages without rules': () => overPages({ headAgain: true, ruled: false }),
  'accounts over pages': () => filing(),
  'accounts over pages, their head said once': () => filing({ headAgain: false }),
  'accounts over pages without a title': () => filing({ title: false, years: ['FY25', 'FY24', 'FY23'] }),
  'heads with changing numbers on two pages': () => changingHeads(2),
  'heads with changing numbers on five pages': () => changingHeads(5),
  'cards side by side': cards,
  'close columns': tight,
  'wrapped cells': wrapped,
  'a table of contents': contents,
  'sums side by side': sums,
  'hanging bullets': bullets,
  Hebrew: () => rtlProse(HEBREW),
  Arabic: () => rtlProse(ARABIC),
  'columns from right to left': rtlColumns,
  'a table from right to left': rtlTable,
  'numbers and Latin words in Hebrew': rtlMixed,
  'a Latin phrase in Hebrew': rtlPhrase,
}
