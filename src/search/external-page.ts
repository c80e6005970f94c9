// The page passed to an external search engine.
export interface ExternalPage {
  teamId: string
  number: number
  version: number
  url: string
  title: string
  text: string
  links: readonly string[]
  tags: readonly string[]
  minutes: number
}
