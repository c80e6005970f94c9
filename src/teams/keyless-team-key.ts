// Calls without a key from networks that the operator names (ORB_KEYLESS). They act as a team of their own.
import type { Store } from '../store/index.ts'
import { hashApiKey, makeApiKey } from './keys.ts'

const TEAM = 'keyless'
const ENDPOINTS = ['scrape', 'search', 'map', 'parse']

/** The key that calls without one act with. An operator who revokes it refuses them. */
export async function ensureKeyForKeylessCallers(store: Store): Promise<string> {
  const key = await store.settings.ensure('keyless_key', makeApiKey)
  const team = (await store.teams.byName(TEAM)) ?? (await createTeam(store))
  const hash = hashApiKey(key)
  const known = await store.keys.list(team.id)
  if (!known.some(({ name }) => name === TEAM))
    await store.keys.add({ teamId: team.id, name: TEAM, hash, hint: key.slice(-4), endpoints: ENDPOINTS })
  return key
}

async function createTeam(store: Store) {
  try {
    return await store.teams.create({ name: TEAM, plan: 'free' })
  } catch (error) {
    // Another process created it first.
    const made = await store.teams.byName(TEAM)
    if (made) return made
    throw error
  }
}
