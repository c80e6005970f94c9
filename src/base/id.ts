// What an id looks like; the store makes them (store/id.ts).

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Path segments pass this before any look-up. */
export const isUuid = (text: string): boolean => UUID.test(text)
