// Schema of the screenshot options, shared by format and action.
import { z } from 'zod'

const viewport = z
  .object({ width: z.int().min(1).max(7680), height: z.int().min(1).max(4320) })
  .describe('Size of the window in pixels.')

export const screenshotOptionsShape = {
  fullPage: z.boolean().default(false).describe('The whole page, not only the visible part.'),
  quality: z.int().min(1).max(100).optional().describe('Quality of a JPEG; without it the picture is a PNG.'),
  viewport: viewport.optional(),
}
