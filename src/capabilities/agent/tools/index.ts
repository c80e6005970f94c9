// The tools of agent runs, one file each; models can choose every tool listed here.
import { crawlTool } from './crawl.ts'
import { extractTool } from './extract.ts'
import { interactTool } from './interact.ts'
import { mapTool } from './map.ts'
import { parseTool } from './parse.ts'
import { recallTool } from './recall.ts'
import { scrapeTool } from './scrape.ts'
import { searchTool } from './search.ts'

export const agentTools = [
  searchTool,
  mapTool,
  scrapeTool,
  extractTool,
  crawlTool,
  parseTool,
  interactTool,
  recallTool,
] as const
