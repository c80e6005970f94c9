// How hard a page of the docs is to read: the grade of Flesch and Kincaid over its prose, and its longest sentence. Code,
// tables and headings are no prose.

/** The sentences of a page's prose. */
export function sentencesOf(markdown) {
  const prose = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/```[\s\S]*?```/g, '\n\n')
    .replace(/<!--[\s\S]*?-->|<[^>\n]+>/g, ' ')
    .split('\n')
    .map((line) => (/^\s*(?:\||#|!\[|>)/.test(line) ? '' : line))
    .join('\n')
    // A point of a list is a sentence of its own.
    .replace(/^\s*(?:[-*+]|\d+\.)\s+/gm, '\n\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`\n]*`/g, 'Code')
    .replace(/[*_~]/g, '')
  return prose
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?:;])["”’)]*\s+(?=["“(]?[\p{Lu}\d])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsOf(sentence).length > 1)
}

const wordsOf = (sentence) => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []

/** Groups of vowels; a silent e at the end is none. */
export function syllablesOf(word) {
  const bare = word.toLowerCase().replace(/[^a-z]/g, '')
  if (bare.length <= 3) return 1
  const groups = bare
    .replace(/(?:[^laeiouy]es|ed|[^laeiouy]e)$/, '')
    .replace(/^y/, '')
    .match(/[aeiouy]{1,2}/g)
  return Math.max(1, groups?.length ?? 1)
}

export function readability(markdown) {
  const sentences = sentencesOf(markdown)
  const words = sentences.flatMap(wordsOf)
  if (words.length === 0) return { grade: 0, longest: '', longestWords: 0 }
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  const grade = 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59
  const longest = sentences.reduce((one, other) => (wordsOf(other).length > wordsOf(one).length ? other : one), '')
  return { grade: Math.round(grade * 10) / 10, longest, longestWords: wordsOf(longest).length }
}
