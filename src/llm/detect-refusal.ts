// Detects answers that decline or report a missing page. Only the opening of a short text counts, because a page may
// contain such phrases itself.
import { ModelFault } from './model-fault.ts'

const MAX_CHARS = 600

/** "I can't help with that" in the languages in which models decline most. */
const REFUSAL_OPENINGS = [
  /^(?:i['’]?m |i am )?(?:very |so )?sorry\b.{0,40}\b(?:can(?:no|['’])t|cannot|unable|not able|won['’]t)\b/i,
  /^(?:unfortunately,? )?i (?:can(?:no|['’])t|cannot|am unable to|am not able to|won['’]t|must decline)\b/i,
  /^i(?:['’]m| am) (?:unable|not able|not allowed) to\b/i,
  /^as an? (?:ai|large language|language)\b/i,
  /^(?:es )?tut mir leid\b.{0,40}\bkann\b/i,
  /^(?:leider )?(?:ich )?kann ich? ?(?:dabei|ihnen|dir|das|leider)?.{0,20}\bnicht\b/i,
  /^(?:je suis )?désolée?(?!\p{L}).{0,40}\bne (?:peux|puis)\b/iu,
  /^lo siento\b.{0,40}\bno puedo\b/i,
  /^mi dispiace\b.{0,40}\bnon posso\b/i,
]
/** Answers of models whose server cut the page out of the prompt. */
const PAGE_MISSING_ANSWERS = [
  /\b(?:please|could you|can you)\b.{0,40}\b(?:provide|share|paste|send|give)\b.{0,60}\b(?:page|text|content|document|url|link|article)/i,
  /\b(?:no|any|the) (?:web ?page|page|text|content|document|article)\b.{0,30}\b(?:was|were|is|has been) (?:provided|given|included|shared|attached)/i,
  /\bi (?:do not|don['’]t|can(?:no|['’])t|cannot) (?:see|find|have|access|open|browse)\b.{0,30}\b(?:any|the|a|this|that) (?:web ?page|page|text|content|document|url|link|internet)/i,
]

/** A call of a tool, in words, where none was offered. */
const WRITTEN_CALL =
  /^(?:<tool_calls?>|<function=|\[TOOL_CALLS\]|<\|tool|\{\s*"(?:name|tool)"\s*:\s*"[\w-]+"\s*,\s*"(?:arguments|parameters)")/

export function findModelRefusal(text: string): ModelFault | undefined {
  const said = text.trim()
  if (said.length === 0 || said.length > MAX_CHARS) return undefined
  if (WRITTEN_CALL.test(said)) return new ModelFault('unusable', 'it called a tool, although none was offered')
  const opening = said.split('\n', 1)[0]!.slice(0, 200)
  if (PAGE_MISSING_ANSWERS.some((pattern) => pattern.test(opening)))
    return new ModelFault('unusable', `it stated that it did not receive the page: “${quote(opening)}”`)
  if (REFUSAL_OPENINGS.some((pattern) => pattern.test(opening)))
    return new ModelFault('declined', `it refused to answer: “${quote(opening)}”`)
  return undefined
}

const quote = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text)
