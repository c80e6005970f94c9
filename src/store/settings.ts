// Settings of the instance, such as its id and signing secret.
import type { Db } from './tables.ts'

/** The language model that the operator chose, and its key, which is sealed. */
export const MODEL_SETTING = 'model'
export const MODEL_KEY = 'model_key'

export interface Settings {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  /** Concurrent processes get the same value. */
  ensure(name: string, make: () => string): Promise<string>
}

export function openSettings(db: Db): Settings {
  const get = async (name: string) =>
    (await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
  return {
    get,
    async set(name, value) {
      await db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
    async ensure(name, make) {
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
