// A very large set of names in very little memory: 52 bits of a keyed hash for each, sorted, eight bytes an entry. Two names
// meet by chance in one look-up of about a billion; whoever wants to make them meet does not know the key.

export interface NameSet {
  has(name: string): boolean
  readonly size: number
}

export function openNameSet(sorted: Float64Array, key: number): NameSet {
  return {
    size: sorted.length,
    has(name) {
      const wanted = hash52(name, key)
      let low = 0
      let high = sorted.length - 1
      while (low <= high) {
        const middle = (low + high) >>> 1
        const found = sorted[middle]!
        if (found === wanted) return true
        if (found < wanted) low = middle + 1
        else high = middle - 1
      }
      return false
    },
  }
}

/** Grows as names come; `finish` sorts them and drops what came twice. */
export function nameSetBuilder(key: number) {
  let values = new Float64Array(1 << 16)
  let count = 0
  return {
    add(name: string): void {
      if (count === values.length) {
        const grown = new Float64Array(Math.ceil(values.length * 1.5))
        grown.set(values)
        values = grown
      }
      values[count++] = hash52(name, key)
    },
    count: () => count,
    finish(): Float64Array {
      const sorted = values.subarray(0, count).sort()
      let kept = 0
      for (let at = 0; at < sorted.length; at++)
        if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[kept++] = sorted[at]!
      return sorted.slice(0, kept)
    },
  }
}

/** Two mixes of 32 bits, put together to a whole number below 2^52. */
export function hash52(text: string, key: number): number {
  let a = 0x9e3779b1 ^ key
  let b = 0x85ebca6b ^ Math.imul(key, 0x27d4eb2f)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0xcc9e2d51)
    b = Math.imul(b ^ code, 0x1b873593)
    a ^= a >>> 13
    b ^= b >>> 11
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return (a >>> 0) * 0x100000 + ((b >>> 0) & 0xfffff)
}
