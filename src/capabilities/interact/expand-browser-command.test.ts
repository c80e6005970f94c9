import { describe, expect, it } from 'vitest'
import { expandBrowserCommand } from './expand-browser-command.ts'

describe('shell code', () => {
  it.each([
    ['snapshot -i', 'agent-browser snapshot -i'],
    ['click @e3', 'agent-browser click @e3'],
    ['type @e3 hello world', 'agent-browser type @e3 hello world'],
    ['eval "document.title"', 'agent-browser eval "document.title"'],
    ['open https://example.com', 'agent-browser open https://example.com'],
    ['--help', 'agent-browser --help'],
    ['get title', 'agent-browser get title'],
    ['agent-browser snapshot', 'agent-browser snapshot'],
    ['echo ready', 'echo ready'],
    ['ls /tmp', 'ls /tmp'],
    ['type ls', 'type ls'],
    ['eval $HOOK', 'eval $HOOK'],
    ['snapshot -i | head -3', 'snapshot -i | head -3'],
    ['fill @e1 "a; b"', 'agent-browser fill @e1 "a; b"'],
    ['snapshot\necho done', 'snapshot\necho done'],
    ['constructor', 'constructor'],
  ])('%s', (code, shell) => {
    expect(expandBrowserCommand(code)).toBe(shell)
  })
})
