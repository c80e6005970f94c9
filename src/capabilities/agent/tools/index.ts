// The tools of agent runs, one file each; models can choose those with an `offer`, and read pages (model-chooser.ts).
import { composeAnswerTool } from './compose-answer.ts'
import { crawlTool } from './crawl.ts'
import { extractFromUrlsTool } from './extract-from-urls.ts'
import { interactTool } from './interact.ts'
import { mapTool } from './map.ts'
import { parseTool } from './parse.ts'
import { recallTool } from './recall.ts'
import { rejectNoteTool } from './reject-note.ts'
import { scrapeTool } from './scrape.ts'
import { searchTool } from './search.ts'

export const agentTools = [
  searchTool,
  mapTool,
  scrapeTool,
  extractFromUrlsTool,
  crawlTool,
  parseTool,
  interactTool,
  recallTool,
  composeAnswerTool,
  rejectNoteTool,
] as const
