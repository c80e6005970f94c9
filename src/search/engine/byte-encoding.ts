// Byte encoding of segments: varints, seven bits per byte, lowest first.

export class ByteWriter {
  #bytes: Uint8Array
  length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = value
  }

  varint(value: number): void {
    this.#reserve(5)
    let rest = value >>> 0
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  setByte(at: number, value: number): void {
    this.#bytes[at] = value
  }

  /** For few bytes: a view of them would cost more than the loop. */
  part(source: Uint8Array, from: number, until: number): void {
    this.#reserve(until - from)
    for (let at = from; at < until; at++) this.#bytes[this.length++] = source[at]!
  }

  bytes(more: Uint8Array): void {
    this.#reserve(more.length)
    this.#bytes.set(more, this.length)
    this.length += more.length
  }

  align(): void {
    while (this.length % 4 !== 0) this.byte(0)
  }

  clear(): void {
    this.length = 0
  }

  /** A view, valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more))
    larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
  }
}

export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.bytes[this.at++]!
  }

  varint(): number {
    let value = 0
    let shift = 0
    for (;;) {
      const byte = this.bytes[this.at++]!
      value |= (byte & 127) << shift
      if (byte < 128) return value >>> 0
      shift += 7
    }
  }
}
