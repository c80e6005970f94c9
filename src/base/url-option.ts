// Schema of an address option, with the error messages of base/normalize-target-url.ts.
import { z } from 'zod'
import { normalizeTargetUrl } from './normalize-target-url.ts'
import { Problem } from './problem.ts'

export const urlOption = ({ named = false } = {}) =>
  z
    .string()
    .max(8192)
    .transform((text, context) => {
      try {
        return normalizeTargetUrl(text)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        context.addIssue({ code: 'custom', message: error.message, ...(named ? { params: { named } } : {}) })
        return z.NEVER
      }
    })
