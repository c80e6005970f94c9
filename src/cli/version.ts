// The version of this build, and `orb version`.
import { readFileSync } from 'node:fs'
import { ownCommand } from './own-command.ts'

export function productVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

export const version = ownCommand({
  name: 'version',
  summary: 'the version of this build, and of Node',
  run: async () => {
    const data = { version: productVersion(), node: process.versions.node }
    return { data, text: `Orbweaver ${data.version} on Node ${data.node}` }
  },
})
