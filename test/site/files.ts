// Documents as a web server sends them: with the right type, a wrong one, or none.
import { readdirSync, readFileSync } from 'node:fs'
import * as office from '../documents/office.mjs'
import * as pdfs from '../documents/pdfs.mjs'
import type { Page, Pages } from './page.ts'

const file =
  (type: string | undefined, make: () => Buffer | Promise<Buffer>, headers: Record<string, string> = {}): Page =>
  async ({ response }) => {
    const body = await make()
    response.writeHead(200, { ...(type ? { 'content-type': type } : {}), ...headers })
    response.end(body)
  }

const truncatedPdf = async () => (await pdfs.twoColumnPaper()).subarray(0, 900)
/** Encrypted with a password that nobody knows: a trailer that says so is all a reader looks at first. */
const encryptedPdf = () =>
  Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n' +
      '3 0 obj\n<< /Filter /Standard /V 1 /R 2 /P -4 /O <28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A> /U <00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF> >>\nendobj\n' +
      'trailer\n<< /Size 4 /Root 1 0 R /Encrypt 3 0 R /ID [<01> <01>] >>\n%%EOF\n',
    'latin1',
  )

/** The same handbook, talk and fees in every format; servers often call them nothing but bytes. */
const savedFiles: Pages = Object.fromEntries(
  readdirSync(new URL('../documents/files/', import.meta.url))
    .filter((name) => !name.endsWith('.md'))
    .map((name) => [
      `/files/saved/${name}`,
      file('application/octet-stream', () => readFileSync(new URL(`../documents/files/${name}`, import.meta.url))),
    ]),
)

export const filePages: Pages = {
  ...savedFiles,
  '/files/paper.pdf': file('application/pdf', pdfs.twoColumnPaper),
  '/files/table.pdf': file('application/pdf', pdfs.longTable),
  '/files/blank.pdf': file('application/pdf', pdfs.blank),
  '/files/mislabelled': file('text/html', pdfs.invoice),
  '/files/download': file('application/octet-stream', () => office.docx(), {
    'content-disposition': 'attachment; filename="rules.docx"',
  }),
  '/files/truncated.pdf': file('application/pdf', truncatedPdf),
  '/files/encrypted.pdf': file('application/pdf', encryptedPdf),
  '/files/rules.docx': file('application/zip', () => office.docx()),
  '/files/fees.xlsx': file(undefined, () => office.workbook('xlsx')),
  '/files/fees.csv': file('text/csv', () => office.csv()),
  '/files/fees.tsv': file('text/tab-separated-values', () => Buffer.from('Length\tFee\n8 m\t120\n')),
  '/files/tales.epub': file('application/zip', () => office.epub()),
  '/files/berth.eml': file('message/rfc822', () => office.eml()),
  '/files/notes.md': file('text/markdown', () => Buffer.from('# Notes\n\nLow water.')),
  '/files/notes.txt': file('text/plain', () => Buffer.from('Low water at six.')),
  '/files/data.json': file('application/json', () => Buffer.from('{"level":2.4}')),
  '/files/data.xml': file('application/xml', () => Buffer.from('<tides><tide>2.4</tide></tides>')),
  '/files/bomb.docx': file('application/vnd.openxmlformats-officedocument.wordprocessingml.document', () =>
    office.bomb(),
  ),
}
