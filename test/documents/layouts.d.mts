export interface KnownLayout {
  bytes: Buffer
  says: string
}
interface Bitmap {
  width: number
  height: number
  grey: Uint8Array
}
type Layer = (pen: never) => void
export const layouts: Record<string, () => Promise<KnownLayout>>
export function scan(bitmap: Bitmap, layer?: Layer): Promise<Buffer>
export function poster(background: Bitmap, placed: Bitmap): Promise<Buffer>
export function bigLine(line: string): Promise<Buffer>
export function junkLayer(lines: readonly string[]): Layer
export function soundLayer(lines: readonly string[]): Layer
export const SHORT_ENDS: readonly string[]
export function shortEnds(): Promise<Buffer>
