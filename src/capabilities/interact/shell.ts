// Some clients send a bare `agent-browser` subcommand instead of the whole command.
import { isCommand } from '../../fetch/chrome/live/commands.ts'

/** Words that are also shell commands; they count as subcommands only when an element or a script follows. */
const SHELL_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['type', /^\s*["']?[@#.[]/],
  ['eval', /^\s+(?!["']?\$)/],
  ['wait', /^\s*\S/],
  ['help', /^\s*$/],
])

export function asShell(code: string): string {
  const line = code.trim()
  const [, name = '', rest = ''] = /^(--?\w+|[a-z]+)([ \t][^\n]*)?$/.exec(line) ?? []
  if (!isCommand(name) || /[;|&]/.test(rest.replace(/"[^"]*"|'[^']*'/g, ''))) return code
  const ours = SHELL_WORDS.get(name)
  return ours && !ours.test(rest) ? code : `agent-browser ${line}`
}
