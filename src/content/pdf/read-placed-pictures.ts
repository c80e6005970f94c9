// Reads pictures that are placed on a page, such as a logo over a photograph, on their own. The OCR engine separates dark
// from light with one threshold for the whole image, so beside a photograph they are lost.
import type { Box, OcrReading, PdfRun } from './page-layout-types.ts'
import type { GreyBitmap } from './pdfium.ts'

type Recognise = (bitmap: GreyBitmap, page: { width: number; height: number }) => Promise<OcrReading | undefined>

/** A larger picture was read with the page. */
const MAX_PICTURE_SHARE_OF_PAGE = 0.3
const MIN_WIDTH = 40
const MIN_HEIGHT = 15
const MAX_PICTURES = 4
/** Some pages are made of thousands of tiles. */
const MAX_PICTURES_CHECKED = 500
/** Small pictures of other things are read as unsure or single letters. */
const MIN_SURE_CONFIDENCE = 80
const WORD = /[\p{L}\p{N}]{2}|\p{Lo}/u

interface PageSize {
  width: number
  height: number
}

/** Sure words in pictures in which nothing is known; `known` are the words of the page. */
export async function readPlacedPictures(
  bitmap: GreyBitmap,
  page: PageSize,
  images: readonly Box[],
  known: readonly PdfRun[],
  recognise: Recognise,
): Promise<PdfRun[]> {
  const found: PdfRun[] = []
  let pictures = 0
  for (const box of placedBoxes(images, page)) {
    // A picture and its mask have the same box.
    const isKnown = (run: Box) => run.x0 < box.x1 && run.x1 > box.x0 && run.y0 < box.y1 && run.y1 > box.y0
    if (known.some(isKnown) || found.some(isKnown)) continue
    if (++pictures > MAX_PICTURES) break
    const cut = cropBitmap(bitmap, box, bitmap.width / page.width)
    const reading = await recognise(cut, { width: box.x1 - box.x0, height: box.y1 - box.y0 })
    if (!reading) break
    const { runs } = reading
    if (!runs.every(({ text, ocr = 0 }) => ocr >= MIN_SURE_CONFIDENCE && WORD.test(text))) continue
    for (const run of runs)
      found.push({
        ...run,
        x0: run.x0 + box.x0,
        x1: run.x1 + box.x0,
        y0: run.y0 + box.y0,
        y1: run.y1 + box.y0,
        base: run.base + box.y0,
      })
  }
  return found
}

function placedBoxes(images: readonly Box[], { width, height }: PageSize): Box[] {
  const boxes = images.slice(0, MAX_PICTURES_CHECKED).map(({ x0, y0, x1, y1 }) => ({
    x0: Math.max(0, x0),
    y0: Math.max(0, y0),
    x1: Math.min(width, x1),
    y1: Math.min(height, y1),
  }))
  const isPlaced = ({ x0, y0, x1, y1 }: Box): boolean =>
    x1 - x0 >= MIN_WIDTH && y1 - y0 >= MIN_HEIGHT && (x1 - x0) * (y1 - y0) <= MAX_PICTURE_SHARE_OF_PAGE * width * height
  return boxes.filter(isPlaced)
}

function cropBitmap({ width, height, grey }: GreyBitmap, box: Box, scale: number): GreyBitmap {
  const left = Math.floor(box.x0 * scale)
  const top = Math.floor(box.y0 * scale)
  const made = {
    width: Math.min(width, Math.ceil(box.x1 * scale)) - left,
    height: Math.min(height, Math.ceil(box.y1 * scale)) - top,
  }
  const cut = new Uint8Array(made.width * made.height)
  for (let row = 0; row < made.height; row++) {
    const from = (top + row) * width + left
    cut.set(grey.subarray(from, from + made.width), row * made.width)
  }
  return { ...made, grey: cut }
}
