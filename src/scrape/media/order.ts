// What is asked of the child that works on media, and what it answers: plain data, because both cross a process.
import type { SerialisedProblem } from '../../base/problem.ts'

/** One piece of a stream as its manifest names it. */
export interface StreamPart {
  url: string
  /** The bytes of it that are meant, both ends included; absent: all of it. */
  range?: { start: number; end: number }
  /** How it is locked: AES-128 over the whole part. */
  lock?: { keyUrl: string; iv: string }
  seconds: number
}

/** All of one picture or sound, in order; what stands at its beginning (an fMP4 header) is its first part. */
export interface Rendition {
  parts: StreamPart[]
  seconds: number
  /** Bits a second as the manifest claims; 0 when it does not say. */
  bandwidth: number
  height: number
  codecs: string
}

/** A choice that an HLS master playlist offers; its parts stand in a playlist of its own. */
export interface StreamVariant {
  url: string
  bandwidth: number
  height: number
  codecs: string
  /** Where its sound is, when not in the same stream. */
  soundUrl?: string
}

export interface ManifestOrder {
  do: 'manifest'
  kind: 'hls' | 'dash'
  text: string
  url: string
}

export interface ManifestFound {
  /** HLS only: what to choose from. */
  variants?: StreamVariant[]
  pictures: Rendition[]
  sounds: Rendition[]
  /** Locked in a way that only licensed players open. */
  protected: boolean
  /** It has no end yet. */
  live: boolean
}

export interface MakeOrder {
  do: 'make'
  want: 'audio' | 'video'
  /** The file with the picture, or with everything; then the file with the sound, when that is another. */
  inputs: string[]
  /** Where the result is written, unless the first input is the result already. */
  output: string
  /** The operator's ffmpeg, when there is one. */
  ffmpeg: string | undefined
}

export interface MadeMedia {
  /** The file that is the answer. */
  path: string
  contentType: string
  seconds: number
  codecs: string[]
  width?: number
  height?: number
  /** What was done to come to it. */
  by: 'copied' | 'remuxed' | 'encoded' | 'ffmpeg'
}

export type MediaOrder = ManifestOrder | MakeOrder
export type MediaReply<T> = { made: T } | { problem: SerialisedProblem } | { unfit: string; denied?: boolean }
