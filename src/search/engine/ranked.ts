// A page that was found, and how well it answers.

export interface RankedPage {
  segment: number
  page: number
  score: number
}
