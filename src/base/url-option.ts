// An option that is an address, as every schema reads it: what is wrong with it is said in the words of base/url.ts.
import { z } from 'zod'
import { Problem } from './problem.ts'
import { targetUrl } from './url.ts'

/** `named`: the message of a fault is put behind the option's name. A missing scheme is taken as http. */
export const addressOption = ({ named = false } = {}) =>
  z
    .string()
    .max(8192)
    .transform((text, context) => {
      try {
        return targetUrl(text)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        context.addIssue({ code: 'custom', message: error.message, ...(named ? { params: { named } } : {}) })
        return z.NEVER
      }
    })
