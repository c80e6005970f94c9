// What an operator may set: a variable of the environment, what it may be, and its meaning for people.
import { z } from 'zod'

export interface Setting<S extends z.ZodType = z.ZodType> {
  env: string
  schema: S
  /** How the default is shown to people. */
  shown: string
  help: string
  /** The part of the product that reads it, when that part is not in this build yet. */
  awaits?: string
}

/** Settings as they are once read. */
export type Values<All extends Record<string, Setting>> = {
  readonly [K in keyof All]: z.output<All[K]['schema']>
}

export const setting = <S extends z.ZodType>(
  env: string,
  schema: S,
  shown: string,
  help: string,
  awaits?: string,
): Setting<S> => ({
  env,
  schema,
  shown,
  help,
  ...(awaits ? { awaits } : {}),
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
