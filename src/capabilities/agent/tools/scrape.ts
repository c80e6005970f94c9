// The tool that reads a page.
import { pageTool } from './page-tool.ts'

/** Pages of a PDF that are read: this looks into a document; `parse` reads it. */
const PDF_PAGES = 5

export const scrapeTool = pageTool('scrape', 'Reads the page of a link.', PDF_PAGES)
