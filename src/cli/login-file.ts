// The service and key that `orb login` stored, readable by this user only.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

type Login = { url: string; key: string }

export const loginFilePath = (): string => join(homedir(), '.config', 'orbweaver', 'login.json')

export function readLogin(): Login | undefined {
  try {
    const { url, key } = JSON.parse(readFileSync(loginFilePath(), 'utf8')) as Partial<Login>
    return typeof url === 'string' && typeof key === 'string' ? { url, key } : undefined
  } catch {
    return undefined
  }
}

export function writeLogin(login: Login): void {
  const file = loginFilePath()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
}
