// A block of a page as layout hands it over, and what it will be called on the wire.
import type { Box } from './sheet.ts'

export type BlockType =
  | 'title'
  | 'section_header'
  | 'text'
  | 'table'
  | 'formula'
  | 'figure'
  | 'caption'
  | 'footnote'
  | 'code'
  | 'page_number'
  | 'page_header'
  | 'page_footer'

export interface LayoutBlock {
  page: number
  type: BlockType
  /** A finer word than the type: list_item, margin_text, … */
  label: string | null
  box: Box
  /** Markdown; empty for figures. */
  content: string
  /** False: kept as a block, left out of the markdown. */
  inMarkdown: boolean
  source: 'native_text' | 'full_page'
  layout: number
  /** 0–1, of recognised text. */
  ocr: number | null
}

/** How sure the rules are of what they found: rules drawn on the page are evidence, alignment is a guess. */
export const SURE = { ruled: 0.95, text: 0.9, styled: 0.85, aligned: 0.75, margin: 0.8 } as const
