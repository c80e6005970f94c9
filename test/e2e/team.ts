// Teams and keys for tests, made over the API as an operator would.
import { Firecrawl } from 'firecrawl'
import { expect } from 'vitest'
import { type Answer, type Json, request, type Service } from './service.ts'

export type Calls = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

export interface Member {
  key: string
  keyId: string
  teamId: string
  call: Calls
  sdk: Firecrawl
}

export function callsWith({ url }: Pick<Service, 'url'>, key: string): Calls {
  return (method, path, body, headers = {}) =>
    request(url + path, method, body, { authorization: `Bearer ${key}`, ...headers })
}

/** A team with its first key, which has the right `admin`. */
export async function newTeam(
  service: Pick<Service, 'url' | 'call'>,
  name: string,
  options: object = {},
): Promise<Member> {
  const { status, json } = await service.call('POST', '/v2/admin/teams', { name, ...options })
  expect(status, JSON.stringify(json)).toBe(200)
  const member = asMember(service, json.key, json.data.id)
  const { json: me } = await member.call('GET', '/v2/admin/me')
  return { ...member, keyId: me.data?.key.id }
}

/** Another key of the default team, or of the team that is named. */
export async function newKey(service: Pick<Service, 'url' | 'call'>, options: object): Promise<Member> {
  const { status, json } = await service.call('POST', '/v2/admin/keys', { name: 'a key', ...options })
  expect(status, JSON.stringify(json)).toBe(200)
  return { ...asMember(service, json.key, json.data.teamId), keyId: json.data.id }
}

const asMember = (service: Pick<Service, 'url'>, key: string, teamId: string): Member => ({
  key,
  keyId: '',
  teamId,
  call: callsWith(service, key),
  sdk: new Firecrawl({ apiKey: key, apiUrl: service.url }),
})

/** What the SDK throws. */
export const failure = (promise: Promise<unknown>): Promise<Json> =>
  promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error as Json,
  )
