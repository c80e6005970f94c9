// A map in a request body. Separate from cut-to-limits.ts, which the command line loads and which must not load
// zod.
import { z } from 'zod'

export const mapOption = <V extends z.ZodType>(value: V, most: number, key: z.ZodString = z.string()) =>
  z
    .record(key, value)
    .refine((given) => Object.keys(given).length <= most, {
      error: `must have at most ${most} entries`,
      params: { named: true },
    })
    .meta({ maxProperties: most })
