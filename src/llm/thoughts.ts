// What a reasoning model thinks aloud before it answers: tags that its server did not take out. Thoughts are no answer, and
// the first JSON object inside them is a draft.

/** Names under which served models think. */
const TAGS = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad'
const CLOSED = new RegExp(`<(${TAGS})\\b[^>]*>[\\s\\S]*?</\\1\\s*>`, 'gi')
/** Some templates put the opening tag into the prompt, so that only the closing one is seen. */
const LATE_END = new RegExp(`^[\\s\\S]*</(?:${TAGS})\\s*>`, 'i')
/** Cut off, or never closed: all of it is thought. */
const OPEN_END = new RegExp(`<(?:${TAGS})\\b[^>]*>[\\s\\S]*$`, 'i')
/** The channels of models that mark each part of what they say. */
const FINAL = /<\|channel\|>\s*final[\s\S]*?<\|message\|>([\s\S]*?)(?:<\|(?:end|return|start)\|>|$)/
const CHANNEL = /<\|channel\|>[\s\S]*$/

export function withoutThoughts(text: string): string {
  const final = FINAL.exec(text)
  if (final) return final[1]!.trim()
  return text.replace(CLOSED, '').replace(LATE_END, '').replace(OPEN_END, '').replace(CHANNEL, '').trim()
}
