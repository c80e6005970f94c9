// Formats log lines for a terminal; elsewhere the log stays JSON.
import { makeTextStyler, type TextStyler } from './terminal-output.ts'

interface Line {
  level?: number
  time?: number
  msg?: string
  [field: string]: unknown
}

const WARN = 40
const ERROR = 50
const UNSAID = new Set(['level', 'time', 'msg', 'name', 'reqId', 'pid', 'hostname', 'v'])

export function formatLogLine(text: string, paint: TextStyler): string {
  let line: Line
  try {
    line = JSON.parse(text) as Line
  } catch {
    return text
  }
  const { level = 30, time = Date.now(), msg = '' } = line
  const at = new Date(time).toTimeString().slice(0, 8)
  const facts = Object.entries(line)
    .filter(([name, value]) => !UNSAID.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
  const said = level >= ERROR ? paint.bad(msg) : level >= WARN ? paint.warn(msg) : msg
  return `${paint.dim(at)} ${said} ${paint.dim(facts.join(' '))}`.trimEnd()
}

export function makePrettyLog(stream: NodeJS.WriteStream): { write(text: string): void } | undefined {
  if (!stream.isTTY) return undefined
  const paint = makeTextStyler(stream)
  return {
    write(text) {
      for (const line of text.split('\n')) if (line !== '') stream.write(`${formatLogLine(line, paint)}\n`)
    },
  }
}
