// Tool: a model leaves out a note that it found wrong. It is free and visits nothing.
import { z } from 'zod'
import type { AgentTool } from './agent-tool.ts'

type RejectInput = { field: string; value: string | number | boolean; url: string }

export const rejectNoteTool: AgentTool<RejectInput> = {
  name: 'reject',
  use: 'Drops a wrong note.',
  input: z.strictObject({ field: z.string(), value: z.union([z.string(), z.number(), z.boolean()]), url: z.string() }),
  price: () => 0,
  visits: () => [],
  offer: { slots: { note: { type: 'integer' } }, fill: ({ note }, { note: noteAt }) => noteAt(note) },
  call: async () => ({ result: { tool: 'reject', links: [] }, credits: 0 }),
}
