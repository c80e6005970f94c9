// The schema of a reply that says that a call succeeded.
import { z } from 'zod'

export const successReply = <Shape extends z.ZodRawShape = Record<never, never>>(shape: Shape = {} as Shape) =>
  z.object({ success: z.literal(true), ...shape })
