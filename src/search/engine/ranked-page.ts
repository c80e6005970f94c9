// A ranked search result.

export interface RankedPage {
  segment: number
  page: number
  score: number
}
