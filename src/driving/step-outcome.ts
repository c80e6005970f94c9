// What became of one step, in a sentence for the caller. Pure.

export type StepOutcome = { ok: boolean; text: string }

export const okOutcome = (text: string): StepOutcome => ({ ok: true, text })
export const failedOutcome = (text: string): StepOutcome => ({ ok: false, text })

/** In quotation marks, cut where it is long. */
export const quoteShort = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
