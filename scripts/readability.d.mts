export function sentencesOf(markdown: string): string[]
export function syllablesOf(word: string): number
export function readability(markdown: string): { grade: number; longest: string; longestWords: number }
