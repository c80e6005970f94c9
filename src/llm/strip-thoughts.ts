// Removes a reasoning model's thoughts that its server left in the output: they contain drafts of the answer.

const TAGS = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad'
const CLOSED = new RegExp(`<(${TAGS})\\b[^>]*>[\\s\\S]*?</\\1\\s*>`, 'gi')
/** Some templates put the opening tag into the prompt, so that only the closing one appears. */
const UNOPENED_THOUGHT = new RegExp(`^[\\s\\S]*</(?:${TAGS})\\s*>`, 'i')
/** Cut off or never closed: all of it is thought. */
const UNCLOSED_THOUGHT = new RegExp(`<(?:${TAGS})\\b[^>]*>[\\s\\S]*$`, 'i')
const FINAL = /<\|channel\|>\s*final[\s\S]*?<\|message\|>([\s\S]*?)(?:<\|(?:end|return|start)\|>|$)/
const CHANNEL = /<\|channel\|>[\s\S]*$/

export function stripThoughts(text: string): string {
  const final = FINAL.exec(text)
  if (final) return final[1]!.trim()
  return text
    .replace(CLOSED, '')
    .replace(UNOPENED_THOUGHT, '')
    .replace(UNCLOSED_THOUGHT, '')
    .replace(CHANNEL, '')
    .trim()
}
