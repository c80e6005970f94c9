// The tools of agent runs, one file each; models can choose those with an `offer`, and read pages (model-chooser.ts).
import { composeTool } from './compose.ts'
import { crawlTool } from './crawl.ts'
import { extractTool } from './extract.ts'
import { interactTool } from './interact.ts'
import { mapTool } from './map.ts'
import { parseTool } from './parse.ts'
import { recallTool } from './recall.ts'
import { rejectTool } from './reject.ts'
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
  composeTool,
  rejectTool,
] as const
