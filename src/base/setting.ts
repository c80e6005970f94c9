// A setting of the operator: environment variable, schema and help text.
import { z } from 'zod'

export interface Setting<S extends z.ZodType = z.ZodType> {
  env: string
  schema: S
  shown: string
  help: string
}

export type SettingValues<All extends Record<string, Setting>> = {
  readonly [K in keyof All]: z.output<All[K]['schema']>
}

/** With the default in words before the help, where the value of the schema does not say it. */
export function defineSetting<S extends z.ZodType>(
  env: string,
  schema: S,
  ...said: [help: string] | [shown: string, help: string]
): Setting<S> {
  const [help = '', shown] = said.toReversed()
  return {
    env,
    schema,
    get shown() {
      return shown ?? defaultOf(schema)
    },
    help,
  }
}

function defaultOf(schema: z.ZodType): string {
  const { data } = schema.safeParse(undefined)
  const text = Array.isArray(data) ? data.join(',') : typeof data === 'object' ? '' : String(data ?? '')
  return text || 'unset'
}

export const switchSchema = (usual: 'on' | 'off') => z.enum(['on', 'off']).default(usual)
export const commaListSchema = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
export const optionalTextSchema = z.string().min(1).optional()
export const wholeNumberSchema = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const webAddressSchema = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL, such as https://data.example.org' })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
