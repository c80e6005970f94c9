// Some clients send a bare `agent-browser` subcommand instead of the whole command.
import { isAgentBrowserCommand } from '../../fetch/chrome/live/agent-browser-commands.ts'

/** Words that are also shell commands; they count as subcommands only when an element or a script follows. */
const SUBCOMMANDS_OF_SHELL_NAME: ReadonlyMap<string, RegExp> = new Map([
  ['type', /^\s*["']?[@#.[]/],
  ['eval', /^\s+(?!["']?\$)/],
  ['wait', /^\s*\S/],
  ['help', /^\s*$/],
])

export function expandBrowserCommand(code: string): string {
  const line = code.trim()
  const [, name = '', rest = ''] = /^(--?\w+|[a-z]+)([ \t][^\n]*)?$/.exec(line) ?? []
  if (!isAgentBrowserCommand(name) || /[;|&]/.test(rest.replace(/"[^"]*"|'[^']*'/g, ''))) return code
  const ours = SUBCOMMANDS_OF_SHELL_NAME.get(name)
  return ours && !ours.test(rest) ? code : `agent-browser ${line}`
}
