// What the schemas of many capabilities share.
import { z } from 'zod'

export const successReply = <Shape extends z.ZodRawShape = Record<never, never>>(shape: Shape = {} as Shape) =>
  z.object({ success: z.literal(true), ...shape })

/** False when it is absent. */
export const queryFlag = (text: string) =>
  z
    .enum(['true', 'false'])
    .optional()
    .transform((given) => given === 'true')
    .describe(text)
