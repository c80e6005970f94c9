// The agent tool that reads one page through the scraper.
import { makeSinglePageTool } from './single-page-tool.ts'

/** PDF pages to read; `parse` reads whole documents. */
const PDF_PAGES = 5

export const scrapeTool = makeSinglePageTool('scrape', 'Reads the page of a link.', PDF_PAGES)
