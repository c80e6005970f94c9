// Extracts JSON from model output: strips fences and prose, drops trailing commas, closes truncated values. Linear
// time; undefined without JSON.

const MAX_CHARS = 2_000_000

export function parseModelJson(given: string): { value: unknown } | undefined {
  const text = given.slice(0, MAX_CHARS).trim()
  const whole = parsed(text)
  if (whole) return whole
  const fenced = /```(?:json)?\s*\n?([\s\S]*?)(?:```|$)/i.exec(text)?.[1]
  for (const candidate of fenced === undefined ? [text] : [fenced, text]) {
    const start = candidate.search(/[[{]/)
    if (start < 0) continue
    const { body, repaired } = scan(candidate, start)
    const found = parsed(body) ?? parsed(repaired)
    if (found) return found
  }
  return undefined
}

export function isCompleteJson(given: string): boolean {
  const text = given.slice(0, MAX_CHARS).trim()
  if (parsed(text)) return true
  const start = text.search(/[[{]/)
  return start >= 0 && parsed(scan(text, start).body) !== undefined
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** The value that begins at `start`, verbatim and repaired if truncated. */
function scan(text: string, start: number): { body: string; repaired: string } {
  const open: string[] = []
  const pieces: string[] = []
  let isString = false
  let from = start
  let at = start
  for (; at < text.length; at++) {
    const sign = text[at]!
    if (isString) {
      if (sign === '\\') at += 1
      else if (sign === '"') isString = false
      // Models write raw line breaks in strings, which JSON does not allow.
      else if (sign === '\n') {
        pieces.push(text.slice(from, at), '\\n')
        from = at + 1
      }
      continue
    }
    if (sign === '"') isString = true
    else if (sign === '{') open.push('}')
    else if (sign === '[') open.push(']')
    else if (sign === '}' || sign === ']') {
      pieces.push(withoutComma(text.slice(from, at)))
      from = at
      open.pop()
      if (open.length === 0) break
    }
  }
  const isComplete = open.length === 0
  pieces.push(text.slice(from, isComplete ? at + 1 : text.length))
  const joined = pieces.join('')
  const closed = isComplete
    ? joined
    : `${withoutLoose(isString ? `${joined.replace(/\\$/, '')}"` : joined)}${open.reverse().join('')}`
  return { body: text.slice(start, at + 1), repaired: closed }
}

const withoutComma = (text: string): string => text.replace(/,\s*$/, '')

/** Drops a dangling name, comma or possibly incomplete number at the cut. */
function withoutLoose(text: string): string {
  const cut = text.replace(/[,{]\s*"(?:[^"\\]|\\.)*"\s*:?\s*$/, (loose) => (loose.startsWith('{') ? '{' : ''))
  const ended = cut.replace(/[,:]\s*$/, '')
  return ended === text ? text.replace(/:\s*[a-z\d.+-]*$/i, ': null') : ended
}
