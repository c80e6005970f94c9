// Layout blocks of a page and their type names in the API.
import type { Box } from './page-layout-types.ts'

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
  /** Refines the type: list_item, margin_text, … */
  label: string | null
  box: Box
  /** Markdown; empty for figures. */
  content: string
  /** False: reported as a block but left out of the markdown. */
  inMarkdown: boolean
  source: 'native_text' | 'full_page'
  layout: number
  /** 0–1; null for native text. */
  ocr: number | null
}

/** Layout confidence: drawn rules are evidence, alignment is a guess. */
export const BLOCK_CONFIDENCE = { ruled: 0.95, text: 0.9, styled: 0.85, aligned: 0.75, margin: 0.8 } as const
