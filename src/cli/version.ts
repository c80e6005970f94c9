// The version of this build, and `orb version`.
import { readFileSync } from 'node:fs'
import { makeLocalCommand } from './local-command.ts'

export function readProductVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

export const versionCommand = makeLocalCommand({
  name: 'version',
  summary: 'the version of this build, and of Node',
  run: async () => {
    const data = { version: readProductVersion(), node: process.versions.node }
    return { data, text: `Orbweaver ${data.version} on Node ${data.node}` }
  },
})
