// The types of the test site's pages.
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Scene {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  /** Base address of the site. */
  base: string
  port: number
  /** How often this path was asked for, this time included. */
  hit: number
  count(bytes: number): void
}

export type Page = (scene: Scene) => void | Promise<void>
export type Pages = Readonly<Record<string, Page>>
