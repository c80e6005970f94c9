// Tool: reads a whole document (PDF, text document, table, presentation), where `scrape` reads only its first pages.
import { makeSinglePageTool } from './single-page-tool.ts'

const PDF_PAGES = 30

export const parseTool = makeSinglePageTool(
  'parse',
  `Reads the document of a link (PDF, Word, Excel, …), up to ${PDF_PAGES} of its pages.`,
  PDF_PAGES,
)
