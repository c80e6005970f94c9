// Settings of the instance, such as its id and signing secret.
import type { Db } from './tables.ts'

/** The language model that the operator chose, and its key, which is sealed. */
export const MODEL_SETTING = 'model'
export const MODEL_KEY_SETTING = 'model_key'
/** Signs a team's webhooks. */
export const webhookSecretSettingName = (teamId: string): string => `webhook_secret:${teamId}`
export const teamModelSettingName = (teamId: string): string => `${TEAM_MODEL_PREFIX}${teamId}`
export const teamModelKeyName = (teamId: string): string => `${TEAM_MODEL_PREFIX}${teamId}_key`
export const TEAM_MODEL_PREFIX = 'model:'

/** Encrypted where the store has a key for it. */
export const isSecretSetting = (name: string): boolean => /secret|_key$/.test(name)

export type Settings = ReturnType<typeof openSettings>

export function openSettings(db: Db) {
  const get = async (name: string) =>
    (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
  return {
    get,
    async set(name: string, value: string) {
      await db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
    async named(prefix: string) {
      const rows = await db.selectFrom('settings').selectAll().where('name', 'like', `${prefix}%`).execute()
      return rows.filter(({ name }) => !isSecretSetting(name))
    },
    async remove(names: readonly string[]) {
      await db.deleteFrom('settings').where('name', 'in', names).execute()
    },
    /** Concurrent processes get the same value. */
    async ensure(name: string, make: () => string) {
      const known = await get(name)
      if (known !== undefined) return known
      const row = { name, value: make() }
      await db
        .insertInto('settings')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return (await get(name)) ?? row.value
    },
  }
}
