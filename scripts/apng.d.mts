export interface Chunk {
  name: string
  data: Buffer
}
export declare function chunksOf(png: Buffer): Chunk[]
export declare function readPng(png: Buffer): { width: number; height: number; pixels: Buffer }
export declare function makeApng(frames: readonly { png: Buffer; ms: number }[]): Buffer
