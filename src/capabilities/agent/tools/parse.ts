// The tool that reads a document: a PDF, a text document, a table, a presentation. Where `scrape` looks into the first
// pages, this reads on.
import { pageTool } from './page-tool.ts'

const PDF_PAGES = 30

export const parseTool = pageTool(
  'parse',
  `Reads the document of a link (PDF, Word, Excel, …), up to ${PDF_PAGES} of its pages.`,
  PDF_PAGES,
)
