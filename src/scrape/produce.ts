// Materials → the document's fields. A format that fails becomes null and a warning, not a lost page.
import type { Materials } from './formats/format.ts'
import type { Prepared } from './materials.ts'
import type { Plan } from './plan.ts'

export interface Produced {
  fields: Record<string, unknown>
  warnings: string[]
}

export async function produce(formats: Plan['formats'], { have, digest }: Prepared): Promise<Produced> {
  const fields: Record<string, unknown> = {}
  const warnings: string[] = []
  for (const { format, options } of formats) {
    const missing = [...format.needs, format.name].map((need) => digest.failures[need]).find(Boolean)
    try {
      if (missing) throw new Error(missing)
      fields[format.field] = await format.produce({ ...(have as Materials), read: digest.reads[format.name] }, options)
    } catch (error) {
      fields[format.field] = null
      warnings.push(`The format ${format.name} could not be made: ${(error as Error).message}`)
    }
  }
  return { fields, warnings }
}
