// PDFs printed by the browser from pages of known content: ten with a table over several pages, ten with running heads and
// feet, ten in Arabic and Hebrew. Each check says what the markdown lacks, or nothing.
import { chromium } from 'playwright-core'
import { prose } from '../../../test/documents/pdfs.mjs'

const page = (style, body, more = '') =>
  `<!doctype html><html ${more}><meta charset="utf-8"><style>body{font:11pt/1.4 serif}td,th{padding:3px 9px;text-align:left}${style}</style><body>${body}</body></html>`
const range = (count) => Array.from({ length: count }, (_, i) => i)
const words = (text) => text.replace(/[\s\u200e\u200f|*\\#]+/g, ' ').trim()

const TABLE_STYLES = {
  ruled: 'table{border-collapse:collapse}td,th{border:1px solid #333}',
  lines: 'table{border-collapse:collapse}tr{border-bottom:1px solid #999}',
  bare: '',
  striped: 'tr:nth-child(even){background:#eee}',
  wide: 'table{width:100%;border-collapse:collapse}td{border-top:1px solid #ccc}',
}
const PLACES = ['North quay', 'South quay', 'Old lock', 'Fish market', 'Upper basin', 'Dry dock']

function tableCase(style, hasRepeatedHead) {
  const head = ['Number', 'Place', 'Boats', 'Paid']
  const rows = range(90).map((i) => [
    `K-${1000 + i}`,
    PLACES[i % 6],
    String((i * 37) % 410),
    `${(i * 13) % 97}.${10 + (i % 90)}`,
  ])
  const cells = (row, tag) => `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const top = hasRepeatedHead ? `<thead>${cells(head, 'th')}</thead>` : cells(head, 'th')
  const body = `<h1>Dues of the harbour</h1><p>${prose(30, 1)}</p><table>${top}${rows.map((row) => cells(row, 'td')).join('')}</table><p>${prose(30, 5)}</p>`
  const check = (markdown) => {
    const found = markdown.split('\n').filter((line) => line.startsWith('|'))
    const tables = markdown.split('\n\n').filter((block) => block.startsWith('|')).length
    const lost = rows.filter((row) => !markdown.includes(`| ${row.join(' | ')} |`)).length
    const heads = found.filter((line) => line.includes('Number')).length
    if (tables !== 1) return `${tables} tables`
    if (lost > 0) return `${lost} rows are not whole`
    return heads === 1 ? '' : `${heads} head rows`
  }
  return { html: page(TABLE_STYLES[style], body), options: {}, check }
}

const HEADS = {
  plain: ['Report of the harbour board', 'Internal use only'],
  numbered: [
    'Report of the harbour board',
    'Page <span class="pageNumber"></span> of <span class="totalPages"></span>',
  ],
  title: ['<span>Annual dues · <span class="pageNumber"></span></span>', '© The harbour board 2024'],
  foot: ['', '<span class="pageNumber"></span>'],
  both: ['<span class="pageNumber"></span> | Chapter on the locks', 'Draft of 3 May, <span class="pageNumber"></span>'],
}

function headCase(name, pages) {
  const [head, foot] = HEADS[name]
  const parts = range(pages * 5).map((i) => `Part${i} ${prose(75, i)}`)
  const line = (text) => `<div style="font-size:8pt;width:100%;padding:0 50px">${text || '<span></span>'}</div>`
  const check = (markdown) => {
    const text = words(markdown)
    const said = [head, foot].map((one) => one.replace(/<[^>]*>/g, '').trim()).filter((one) => one.length > 3)
    const left = said.find((one) => text.includes(one.replace(/ of$/, '')))
    if (left) return `"${left}" is left`
    const lost = parts.filter((part) => !text.includes(words(part))).length
    return lost === 0 ? '' : `${lost} of ${parts.length} paragraphs are torn`
  }
  const options = { displayHeaderFooter: true, headerTemplate: line(head), footerTemplate: line(foot) }
  return { html: page('', parts.map((part) => `<p>${part}</p>`).join('')), options, check }
}

const ARABIC = [
  'يفتح مكتب الميناء في السابعة صباحا ويغلق في السابعة مساء، ولا يعمل يوم الجمعة.',
  'في الربيع يرتفع الماء أربعة أمتار تقريبا خلال ست ساعات، ويكتب الحارس كل مستوى في كتاب أخضر.',
  'يدفع الزوار ثمن الليلة مع الماء والضوء، ومن يبقى أسبوعا يحصل على الليلة السابعة مجانا.',
]
const HEBREW = [
  'משרד הנמל נפתח בשבע בבוקר ונסגר בשבע בערב, ואינו פתוח בשבת.',
  'באביב עולים המים כמעט ארבעה מטרים בתוך שש שעות, והשומר כותב כל גובה בספר ירוק.',
  'האורחים משלמים על הלילה יחד עם מים ואור, ומי שנשאר שבוע מקבל את הלילה השביעי בחינם.',
]
const RTL_BODIES = {
  prose: (texts) => ({ body: texts.map((text) => `<p>${text}</p>`).join(''), wanted: texts }),
  numbers: ([first, second]) => {
    const text = `${first.replace(/[.,].*/u, '')} 2024 Orb Harbour 18.50 ${second.replace(/[,،].*/u, '')}`
    return { body: `<p>${second}</p><p>${text}</p>`, wanted: [second, text] }
  },
  list: (texts) => ({ body: `<ul>${texts.map((text) => `<li>${text}</li>`).join('')}</ul>`, wanted: texts }),
  table: (texts) => {
    const cells = texts.map((text) => text.split(' ').slice(0, 2).join(' '))
    const rows = [cells, [...cells].reverse(), cells]
    const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
    return { body: `<p>${texts[0]}</p><table>${body}</table>`, wanted: [texts[0], `| ${cells.join(' | ')} |`] }
  },
  heading: (texts) => {
    const title = texts[0].split(' ').slice(0, 4).join(' ')
    return {
      body: `<h1>${title}</h1><p>${texts[1]}</p><h2>${title}</h2><p>${texts[2]}</p>`,
      wanted: [`# ${title}`, texts[1], texts[2]],
    }
  },
}

function rightToLeftCase(texts, name) {
  const { body, wanted } = RTL_BODIES[name](texts)
  const check = (markdown) => {
    const text = markdown.replace(/[^\S\n]+|\n(?!\n)/g, ' ').replace(/[\u200e\u200f]/g, '')
    const lost = wanted.filter((one) => !text.includes(one)).length
    return lost === 0 ? '' : `${lost} of ${wanted.length} texts differ`
  }
  const style =
    'body{font:13pt/1.7 "Noto Naskh Arabic","Noto Serif Hebrew",serif}table{border-collapse:collapse}td{border:1px solid}'
  return { html: page(style, body, 'dir="rtl"'), options: {}, check }
}

const cases = () => ({
  ...Object.fromEntries(
    Object.keys(TABLE_STYLES).flatMap((style) => [
      [`table, ${style}`, tableCase(style, false)],
      [`table, ${style}, head on each page`, tableCase(style, true)],
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(HEADS).flatMap((name) => [
      [`heads, ${name}, two pages`, headCase(name, 2)],
      [`heads, ${name}, five pages`, headCase(name, 5)],
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(RTL_BODIES).flatMap((name) => [
      [`Arabic, ${name}`, rightToLeftCase(ARABIC, name)],
      [`Hebrew, ${name}`, rightToLeftCase(HEBREW, name)],
    ]),
  ),
})

/** Prints each page and reads it with `read` (bytes → markdown): the names of the cases with what is wrong. */
export async function readPrinted(launch, read) {
  const browser = await chromium.launch({ ...launch, args: ['--no-sandbox'] })
  const results = []
  try {
    const tab = await browser.newPage()
    for (const [name, { html, options, check }] of Object.entries(cases())) {
      await tab.setContent(html)
      const margin = { top: '70px', bottom: '70px', left: '60px', right: '60px' }
      const bytes = await tab.pdf({ format: 'A4', printBackground: true, margin, ...options })
      const markdown = await read(bytes, name)
      results.push({ name, wrong: check(markdown) })
    }
  } finally {
    await browser.close()
  }
  return results
}
