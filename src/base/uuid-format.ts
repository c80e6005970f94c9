// The format of ids; store/id.ts creates them.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Path segments pass this before any lookup. */
export const isUuid = (text: string): boolean => UUID.test(text)
