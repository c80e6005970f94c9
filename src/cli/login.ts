// `orb login`: a person allows this command line in the dashboard, and the key that comes back is stored for its service.
import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, CommandExitError } from './command.ts'
import { makeLocalCommand } from './local-command.ts'
import { loginFilePath, readLogin, writeLogin } from './login-file.ts'
import { connectionFlags, readConnection, requestJson } from './service-call.ts'

const POLL_MS = 1000
const PATIENCE_MS = 10 * 60_000

export const loginCommand: Command = makeLocalCommand({
  name: 'login',
  summary: 'get a key through the dashboard, and store it for the commands of this user',
  flags: connectionFlags.filter(({ name }) => name === 'service'),
  run: async ({ own }) => {
    const { url } = await readConnection(own)
    const session_id = randomBytes(32).toString('hex')
    const code_verifier = randomBytes(48).toString('base64url')
    const challenge = createHash('sha256').update(code_verifier).digest('base64url')
    // The session is in the fragment, which is never sent to a server.
    console.error(
      `Open this URL, sign in, and allow the login:\n${url}/cli-auth?code_challenge=${challenge}#session_id=${session_id}`,
    )
    const { key, team } = await keyFor(url, { session_id, code_verifier })
    writeLogin({ url, key })
    return {
      data: { url, team, file: loginFilePath() },
      text: `Logged in to ${url} as the team ${team}. The key is in ${loginFilePath()}; \`orb logout\` removes it.`,
    }
  },
})

export const logoutCommand: Command = makeLocalCommand({
  name: 'logout',
  summary: 'remove the key that `orb login` stored; it stays valid until it is revoked',
  run: async () => {
    const stored = readLogin()
    rmSync(loginFilePath(), { force: true })
    return {
      data: { removed: stored?.url ?? null },
      text: stored ? `Logged out of ${stored.url}.` : 'There was no login.',
    }
  },
})

async function keyFor(url: string, body: object): Promise<{ key: string; team: string }> {
  const until = Date.now() + PATIENCE_MS
  const { signal } = new AbortController()
  while (Date.now() < until) {
    const request = { method: 'POST', path: '/api/auth/cli/status', body }
    const { status, apiKey, teamName } = await requestJson({ url, key: undefined }, request, signal)
    if (status === 'complete' && typeof apiKey === 'string') return { key: apiKey, team: String(teamName) }
    await sleep(POLL_MS)
  }
  throw new CommandExitError('The login was not allowed within ten minutes. Run `orb login` again.')
}
