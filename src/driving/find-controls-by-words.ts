// Fields and choices that some words of a request name. Remembered for each page: a request is matched in many ways.
import { keyWordsOf, labelWordsOf, rememberingFor, scoreLabelCoverage } from './match-label-words.ts'
import type { ControlChoice, FormField } from './page-controls.ts'

export interface ChoiceMatch {
  choice: ControlChoice
  covers: number
}

/** Choices of the group that the words name: "colour turquoise". */
export const findChoicesOfGroup = rememberingFor((choices: readonly ControlChoice[], words) =>
  choices.filter(({ group, kind }) => kind !== 'check' && scoreLabelCoverage(words, group) >= 0.5),
)

/** The choices whose text the words cover best. */
export const findChoicesByWords = rememberingFor((choices: readonly ControlChoice[], words): ChoiceMatch[] => {
  const isBareNumber = words.length === 1 && /^\d+$/.test(words[0]!)
  const found = choices
    .map((choice) => ({ choice, covers: scoreLabelCoverage(words, choice.text) }))
    .filter(
      ({ choice, covers }) =>
        covers > 0 &&
        (choice.kind === 'check' || choice.kind === 'cell' || covers >= 0.5 || startsWith(choice.text, words)),
    )
    .filter(
      ({ choice, covers }) => !isBareNumber || (covers === 1 && choice.kind !== 'native' && choice.kind !== 'cell'),
    )
  const best = Math.max(...found.map(({ covers }) => covers))
  return found.filter(({ covers }) => covers > best - 0.05)
})

const startsWith = (text: string, words: readonly string[]): boolean =>
  keyWordsOf(text).slice(0, words.length).join(' ') === words.join(' ')

/** Fields with exactly these words as a label. */
export const findFieldsByLabel = rememberingFor((fields: readonly FormField[], words) =>
  fields.filter(({ labels }) => labels.some((label) => labelWordsOf(label).join(' ') === words.join(' '))),
)

/** Fields whose labels the words cover, the better the cheaper. */
export const findFieldsByWords = rememberingFor((fields: readonly FormField[], words) =>
  fields.flatMap((field) => {
    const covers = Math.max(
      0,
      ...field.labels.map((label, n) => scoreLabelCoverage(words, label) - (n === 0 ? 0 : 0.03)),
    )
    // The very word is meant before another name for the same.
    const isSaid = field.labels.some((label) => labelWordsOf(label).some((word) => words.includes(word)))
    return covers >= 0.3 ? [{ field, cost: 0.2 + 0.6 * (1 - Math.min(1, covers)) - (isSaid ? 0.1 : 0) }] : []
  }),
)
