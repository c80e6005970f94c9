// What the builder of segments hands to another engine that keeps the index.
/** A page on its way into another engine. */
export interface FiledPage {
  teamId: string
  number: number
  version: number
  url: string
  title: string
  text: string
  /** What links to it say. */
  links: readonly string[]
  tags: readonly string[]
  minutes: number
}
