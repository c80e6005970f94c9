// The size in pixels at which pages are rendered, for OCR and as the size of a page's blocks.

export const OCR_DPI = 200
const MAX_PIXELS = 40_000_000

export function renderedSizeOf(points: { width: number; height: number }, dpi: number) {
  const scale = Math.min(dpi / 72, Math.sqrt(MAX_PIXELS / Math.max(1, points.width * points.height)))
  const pixels = (length: number) => Math.max(1, Math.round(length * scale))
  return { width: pixels(points.width), height: pixels(points.height) }
}
