// Schema of an address option, with the error messages of base/url.ts.
import { z } from 'zod'
import { Problem } from './problem.ts'
import { targetUrl } from './url.ts'

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
