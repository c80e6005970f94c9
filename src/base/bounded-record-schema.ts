// A record with a limited number of entries. Separate from cut-input-to-schema-limits.ts, which the CLI loads without
// zod.
import { z } from 'zod'

export const makeBoundedRecordSchema = <V extends z.ZodType>(value: V, most: number, key: z.ZodString = z.string()) =>
  z
    .record(key, value)
    .refine((given) => Object.keys(given).length <= most, {
      error: `must have at most ${most} entries`,
      params: { named: true },
    })
    .meta({ maxProperties: most })
