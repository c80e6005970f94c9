// A compact hash set: 52 bits of a keyed hash per name, about five bytes an entry. False positives are about one in a
// billion and cannot be forged without the key.

export interface NameSet {
  has(name: string): boolean
  readonly size: number
}

export interface PackedNames {
  starts: Uint32Array<ArrayBuffer>
  rests: Uint32Array<ArrayBuffer>
  count: number
}

const PLACES = 1 << 20

export const emptyPackedNames = (): PackedNames => ({ starts: new Uint32Array(0), rests: new Uint32Array(0), count: 0 })

export function openNameSet({ starts, rests, count }: PackedNames, key: number): NameSet {
  return {
    size: count,
    has(name) {
      if (count === 0) return false
      mix(name, key)
      for (let at = starts[place]!; at < starts[place + 1]!; at++) if (rests[at] === rest) return true
      return false
    },
  }
}

/** Pass all names to `count`, then all again to `place`; more than counted is an error. */
export function makeNameSetBuilder(key: number) {
  const starts = new Uint32Array(PLACES + 1)
  let rests = new Uint32Array(0)
  let next: Uint32Array<ArrayBuffer> | undefined
  return {
    count(name: string): void {
      mix(name, key)
      starts[place + 1]! += 1
    },
    place(name: string): void {
      if (!next) {
        for (let at = 1; at <= PLACES; at++) starts[at]! += starts[at - 1]!
        next = starts.slice(0, PLACES)
        rests = new Uint32Array(starts[PLACES]!)
      }
      mix(name, key)
      const at = next[place]!
      if (at >= starts[place + 1]!) throw new Error('a list changed while it was read')
      rests[at] = rest
      next[place] = at + 1
    },
    finish(): PackedNames {
      if (!next) return emptyPackedNames()
      let kept = 0
      for (let one = 0; one < PLACES; one++) {
        const [from, to] = [starts[one]!, next[one]!]
        const first = kept
        for (let at = from; at < to; at++) {
          const value = rests[at]!
          if (!rests.subarray(first, kept).includes(value)) rests[kept++] = value
        }
        starts[one] = first
      }
      starts[PLACES] = kept
      return { starts, rests: kept < rests.length * 0.9 ? rests.slice(0, kept) : rests, count: kept }
    },
  }
}

// Results of `mix`: module variables avoid an object for each of ten million calls.
let place = 0
let rest = 0

function mix(text: string, key: number): void {
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
  place = (a >>> 12) & (PLACES - 1)
  rest = (((a & 0xfff) << 20) | (b & 0xfffff)) >>> 0
}
