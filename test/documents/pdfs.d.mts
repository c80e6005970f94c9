interface Bitmap {
  width: number
  height: number
  grey: Uint8Array
}
export const LETTER_LINES: string[]
export function prose(words: number, seed?: number): string
export function twoColumnPaper(): Promise<Buffer>
export function invoice(): Promise<Buffer>
export function slideDeck(): Promise<Buffer>
export function longTable(): Promise<Buffer>
export function form(): Promise<Buffer>
export function letter(): Promise<Buffer>
export function imageOnly(bitmap: Bitmap): Promise<Buffer>
export function manyPages(count: number): Promise<Buffer>
export function plainPages(count: number): Buffer
export function oddments(): Promise<Buffer>
export function blank(): Promise<Buffer>
export function png(bitmap: Bitmap): Buffer
export function crc(bytes: Uint8Array): number
