// Message types of the media child; plain data, because they cross processes.
import type { SerialisedProblem } from '../../base/problem.ts'

export interface StreamSegment {
  url: string
  range?: { start: number; end: number }
  lock?: { keyUrl: string; iv: string }
  seconds: number
}

/** All parts of one video or audio stream in order; an fMP4 header is the first part. */
export interface Rendition {
  parts: StreamSegment[]
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

export interface ReadManifestRequest {
  do: 'manifest'
  kind: 'hls' | 'dash'
  text: string
  url: string
}

export interface ReadManifestReply {
  variants?: StreamVariant[]
  pictures: Rendition[]
  sounds: Rendition[]
  protected: boolean
  live: boolean
}

export interface ConvertMediaRequest {
  do: 'make'
  want: 'audio' | 'video'
  /** The video or combined file, then a separate audio file if any. */
  inputs: string[]
  output: string
  ffmpeg: string | undefined
  /** Its native file; the reply asks for it if the sound needs it. */
  audioDecoder?: string
}

export interface ConvertedMedia {
  path: string
  contentType: string
  seconds: number
  codecs: string[]
  width?: number
  height?: number
  by: 'copied' | 'remuxed' | 'encoded' | 'ffmpeg'
}

export type MediaChildRequest = ReadManifestRequest | ConvertMediaRequest
export type MediaChildReply<T> =
  | { made: T }
  | { problem: SerialisedProblem }
  | { unfit: string; denied?: boolean }
  | { lacks: 'audioDecoder' }
