// A value as its JSON bytes, the form in which large values cross threads, are stored and are sent.

export class JsonBytes<T> {
  readonly bytes: Uint8Array

  /** `bytes` must be the UTF-8 of one JSON value. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  static of<T>(value: T): JsonBytes<T> {
    return new JsonBytes(new TextEncoder().encode(JSON.stringify(value)))
  }

  value(): T {
    return JSON.parse(new TextDecoder().decode(this.bytes)) as T
  }
}
