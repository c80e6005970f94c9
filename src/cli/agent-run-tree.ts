// Prints the steps of an agent run as a tree. Parallel readers are indented.

export interface AgentRunEvent {
  type: string
  agent?: { role?: string }
  text?: string
  message?: string
  toolCallId?: string
  toolName?: string
  parameters?: unknown
  result?: unknown
}

const MOST = 160

export function writeRunTree(
  events: readonly AgentRunEvent[],
  shownCount: number,
): { lines: string[]; shownCount: number } {
  const lines: string[] = []
  for (const event of events.slice(shownCount)) {
    const inner = event.agent?.role === 'subagent' ? '│  ' : ''
    if (event.type === 'reasoning.summary') lines.push(`● ${toPlainLine(event.text)}`)
    else if (event.type === 'progress.reported') lines.push(`● ${toPlainLine(event.message)}`)
    else if (event.type === 'tool_call.finished') {
      const asked = events.find(
        ({ type, toolCallId }) => type === 'tool_call.started' && toolCallId === event.toolCallId,
      )
      lines.push(`${inner}├─ ${toPlainLine(event.toolName)} ${toPlainLine(askedFor(asked?.parameters))}`)
      lines.push(`${inner}│    ${toPlainLine(cameOf(event.result))}`)
    }
  }
  return { lines, shownCount: events.length }
}

function askedFor(parameters: unknown): string {
  const [first] = Object.values((parameters ?? {}) as object).filter((value) => typeof value === 'string')
  return first ?? ''
}

function cameOf(result: unknown): string {
  const { error, title, data, hits } = (result ?? {}) as {
    error?: string
    title?: string
    data?: unknown
    hits?: unknown[]
  }
  if (error !== undefined) return `✗ ${error}`
  if (hits !== undefined) return `${hits.length} URLs`
  const found = data === null || data === undefined ? 'no data' : JSON.stringify(data)
  return title ? `${title}: ${found}` : found
}

/** Control characters of a page could control the terminal. */
const toPlainLine = (text: unknown): string => {
  const one = String(text ?? '').replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
  return one.length > MOST ? `${one.slice(0, MOST)} …` : one
}
