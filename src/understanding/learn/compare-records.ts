// Compares the ways of a record's fields on the other records of its page: a way that gives a value in many of them is
// general; a tag or a position that meets the part of another field is wrong where its own part is missing.
import type { FoundText } from './follow-ways.ts'
import { followWay, ownerOf } from './follow-ways.ts'
import { classesOf, type PageIndex, type Scope } from './index-page.ts'
import type { FieldProgram, Way } from './program-types.ts'
import { STYLE_NAME } from './propose-ways.ts'
import { firstValue, isPositional, isSign, listOf } from './read-with-program.ts'

interface WayOnRecords {
  way: Way
  /** For each record, the place that was read. */
  places: (string | undefined)[]
  /** Records with a value. */
  count: number
  isNamed: boolean
  /** Met an element of another kind than the taught one. */
  isOther: boolean
}

/** Fields with the ways that no other record contradicts, those that read most records first in trust. */
export function compareOnRecords(
  page: PageIndex,
  fields: Readonly<Record<string, FieldProgram>>,
  all: readonly Scope[],
  taught: readonly Scope[],
): Record<string, FieldProgram> {
  const names = Object.keys(fields).filter((name) => fields[name]!.type !== 'records')
  const read = new Map(names.map((name) => [name, fields[name]!.ways.map((way) => readRecordsBy(way, name))]))
  const claims = all.map(() => new Map<string, string>())
  const owned = new Map(names.map((name) => [name, ownPlaces(name)]))
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, read.has(name) ? withProven(name, field) : field]),
  )

  function readRecordsBy(way: Way, name: string): WayOnRecords {
    const field = fields[name]!
    if (field.type === 'list') {
      const count = all.filter((scope) => listOf(page, way, field, scope).length > 0).length
      return { way, places: [], count, isNamed: true, isOther: false }
    }
    const found = all.map((scope) => followWay(page, way, scope))
    const values = all.map((scope) => firstValue(page, way, field, scope))
    const isSure = isNamed(way)
    const kinds = found.map(([first], n) => (values[n] ? classesAt(first) : undefined))
    const known = new Set(all.flatMap((scope, n) => (taught.includes(scope) ? (kinds[n] ?? []) : [])))
    return {
      way,
      places: values.map((value) => value?.key),
      count: values.filter(Boolean).length,
      isNamed: isSure && found.every(({ length }) => length <= 1),
      isOther: kinds.some((one) =>
        one && one.length > 0
          ? !one.some((name) => known.has(name)) && (known.size > 0 || !isSure)
          : one && known.size > 0,
      ),
    }
  }

  function classesAt(found: FoundText | undefined): string[] {
    const owner = found?.at === undefined ? undefined : ownerOf(page, found.at)
    return owner === undefined
      ? []
      : classesOf(page.elements[owner]!.attribs.class).filter((one) => !STYLE_NAME.test(one))
  }

  function ownPlaces(name: string): (string | undefined)[] {
    const named = read.get(name)!.filter(({ isNamed, isOther }) => isNamed && !isOther)
    const places = all.map((_, n) => named.flatMap(({ places }) => places[n] ?? [])[0])
    for (const [n, place] of places.entries())
      if (place !== undefined && !fields[name]!.shared) claims[n]!.set(place, name)
    return places
  }

  function withProven(name: string, field: FieldProgram): FieldProgram {
    const own = owned.get(name)!
    const ways = read.get(name)!
    const hasNamed = own.some((place) => place !== undefined)
    const faults = ways.map(({ places, isNamed, isOther }) => {
      if (isOther) return all.length
      if (isNamed) return 0
      return places.filter((place, n) => {
        const claimed = place === undefined || field.shared ? undefined : claims[n]!.get(place)
        return (claimed && claimed !== name) || (place !== undefined && own[n] !== undefined && own[n] !== place)
      }).length
    })
    // Beside a name, a tag is of use only where it reads more records.
    const isNeeded = ({ places, isNamed }: WayOnRecords) =>
      isNamed || !hasNamed || places.some((place, n) => place !== undefined && own[n] === undefined)
    const least = Math.min(...faults)
    const kept = ways.filter((one, n) => faults[n] === least && isNeeded(one))
    const most = Math.max(...kept.map(({ count }) => count), 1)
    return {
      ...field,
      ways: kept.map(({ way, count }) => ({ ...way, trust: way.trust! * (0.3 + (0.7 * count) / most) })),
    }
  }
}

/** The last step of a selector has a name or a text, not only a tag or a position. */
const isNamed = (way: Way): boolean =>
  !isPositional(way) &&
  !way.above &&
  !isSign(way) &&
  (way.css === undefined ||
    /\p{L}/u.test(way.after ?? '') ||
    /[.#[][^\s>]*$/.test(way.css) ||
    /:(?:has|contains)\(/.test(way.css))
