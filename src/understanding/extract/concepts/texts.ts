// Tests and cleaners of texts that several concepts share.

/** A number is an id of such things, not what they are called. */
export const isInWords = (said: string): boolean => !/^\d+$/.test(said)

/** A name and what it promises: the name was asked for. */
export const bareHouse = (said: string): string => said.split(/\s[|»]\s/u, 1)[0]!
