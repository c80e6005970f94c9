// A setting of the operator: environment variable, schema and help text.
import { z } from 'zod'

export interface Setting<S extends z.ZodType = z.ZodType> {
  env: string
  schema: S
  shown: string
  help: string
}

export type Values<All extends Record<string, Setting>> = {
  readonly [K in keyof All]: z.output<All[K]['schema']>
}

export const setting = <S extends z.ZodType>(env: string, schema: S, shown: string, help: string): Setting<S> => ({
  env,
  schema,
  shown,
  help,
})

export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
export const text = z.string().min(1).optional()
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address, such as https://data.example.org' })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
