// A very large set of names in very little memory: of each, 52 bits of a keyed hash, the first 20 by its place and the rest
// as a number, about five bytes an entry. Two names meet by chance in one look-up of about a billion; whoever wants to make
// them meet does not know the key. It is filled in two rounds, first counting and then placing, so that building one
// takes no more memory than keeping it.

export interface NameSet {
  has(name: string): boolean
  readonly size: number
}

/** A set as it travels between threads. */
export interface PackedNames {
  /** Where the entries of each place begin, and the end of the last. */
  starts: Uint32Array<ArrayBuffer>
  rests: Uint32Array<ArrayBuffer>
  count: number
}

const PLACES = 1 << 20

export const noNames = (): PackedNames => ({ starts: new Uint32Array(0), rests: new Uint32Array(0), count: 0 })

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

/** All names are given to `count`, then all of them again to `place`; more than were counted is an error. */
export function nameSetBuilder(key: number) {
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
    /** Drops what came twice. */
    finish(): PackedNames {
      if (!next) return noNames()
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
      // What a few doubles leave unused is not worth a second copy.
      return { starts, rests: kept < rests.length * 0.9 ? rests.slice(0, kept) : rests, count: kept }
    },
  }
}

// What `mix` found last: values instead of an object for each of ten million calls.
let place = 0
let rest = 0

/** Two mixes of 32 bits. */
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
