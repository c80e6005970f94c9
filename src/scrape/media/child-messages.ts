// Message types of the media child; plain data, because they cross processes.
import type { SerialisedProblem } from '../../base/problem.ts'

export interface StreamPart {
  url: string
  range?: { start: number; end: number }
  lock?: { keyUrl: string; iv: string }
  seconds: number
}

/** All parts of one video or audio stream in order; an fMP4 header is the first part. */
export interface Rendition {
  parts: StreamPart[]
  seconds: number
  /** Bits per second as the manifest claims; 0 if unknown. */
  bandwidth: number
  height: number
  codecs: string
}

export interface StreamVariant {
  url: string
  bandwidth: number
  height: number
  codecs: string
  soundUrl?: string
}

export interface ManifestOrder {
  do: 'manifest'
  kind: 'hls' | 'dash'
  text: string
  url: string
}

export interface ManifestFound {
  variants?: StreamVariant[]
  pictures: Rendition[]
  sounds: Rendition[]
  protected: boolean
  live: boolean
}

export interface MakeOrder {
  do: 'make'
  want: 'audio' | 'video'
  /** The video or combined file, then a separate audio file if any. */
  inputs: string[]
  output: string
  ffmpeg: string | undefined
}

export interface MadeMedia {
  path: string
  contentType: string
  seconds: number
  codecs: string[]
  width?: number
  height?: number
  by: 'copied' | 'remuxed' | 'encoded' | 'ffmpeg'
}

export type MediaOrder = ManifestOrder | MakeOrder
export type MediaReply<T> = { made: T } | { problem: SerialisedProblem } | { unfit: string; denied?: boolean }
