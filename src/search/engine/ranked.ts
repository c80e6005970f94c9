// A page that was found, and how well it answers.

export interface Ranked {
  segment: number
  page: number
  score: number
}
