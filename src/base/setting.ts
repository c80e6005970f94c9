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

export const defineSetting = <S extends z.ZodType>(
  env: string,
  schema: S,
  shown: string,
  help: string,
): Setting<S> => ({
  env,
  schema,
  shown,
  help,
})

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
  .url({ protocol: /^https?$/, error: 'must be an http(s) address, such as https://data.example.org' })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
