// The stored key of a model, with the origin that it was given for: address and key are stored and read one after the other,
// by several processes, and a key goes to no other origin.

type StoredKey = { origin: string; key: string }

export const writeModelKey = (url: string, key: string): string =>
  JSON.stringify({ origin: new URL(url).origin, key } satisfies StoredKey)

/** Empty for a key of another origin. Keys of earlier versions were stored alone. */
export function readModelKey(stored: string | undefined, url: string): string {
  if (!stored?.startsWith('{"origin":')) return stored ?? ''
  const { origin, key } = JSON.parse(stored) as StoredKey
  return origin === new URL(url).origin ? key : ''
}
