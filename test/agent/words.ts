// Names and numbers of the agents' web, drawn from a seed: the same at every run, and no two things share a name.

export type Rng = () => number

export function seeded(seed: number): Rng {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(rng: Rng, list: readonly T[]): T => list[Math.floor(rng() * list.length)]!
export const between = (rng: Rng, low: number, high: number): number => low + Math.floor(rng() * (high - low + 1))

const list = (text: string) => text.split(/\s+/)
const FIRST = list(
  'Mary Jonas Aiko Piet Lena Omar Ines Kofi Greta Tomas Nadia Sven Ruth Hugo Amara Felix Ilse Marco Dora Yusuf Clara Emil Paula Viktor Hanna Arjun Selma Bruno Edith Kwame',
)
const LAST = list(
  'Fell Brandt Okafor Visser Lindqvist Haddad Moreau Tanaka Novak Castell Rourke Baptiste Kessler Amundsen Ferrante Oduya Pell Varga Holm Quist Ashby Drew Marsh Tolland Wexford Yarrow Ibsen Lorne Maddox Penrose',
)
const START = list(
  'Tarn Alder Brine Cinder Dunlin Ember Fathom Garnet Heron Inlet Juniper Kestrel Lantern Marl Nettle Osier Plover Quarry Rowan Sable Thistle Umber Vetch Willow Yarrow Zephyr Bracken Copper Drift Elm Flint Gorse Hazel Ivory Jasper Knot Linden Moss',
)
const TRADE = list(
  'Boats Looms Tools Ovens Lamps Cycles Pumps Kilns Gauges Tents Ropes Clocks Scales Presses Valves Stoves Saddles Lenses',
)
const CITY = list(
  'Kendal Bergen Aarhus Ghent Porto Leeds Turku Graz Lyon Basel Gdansk Malmo Bilbao Utrecht Tartu Brno Split Cork Bath Trieste',
)
const STUFF = list('oak steel linen copper leather bamboo cork wool brass ash')
const THING = list(
  'kettle lantern satchel stool ladder basket mortar tray easel trivet crate bench hammock thermos sieve mallet bellows cleaver griddle spindle',
)
const STYLE = list(
  'Arden Birk Corvo Delft Elba Fjord Gale Hollin Iona Jura Kelso Lorn Mull Nairn Orkney Perth Quill Rona Skye Tiree Unst Vaila Wick Yell Zetland Barra Coll Eigg Fair Gigha Harris Islay',
)

export const person = (rng: Rng): string => `${pick(rng, FIRST)} ${pick(rng, LAST)}`
export const city = (rng: Rng): string => pick(rng, CITY)
export const material = (rng: Rng): string => pick(rng, STUFF)
export const phone = (rng: Rng): string => `+44 1539 555 ${String(between(rng, 10, 999)).padStart(3, '0')}`
export const companyName = (at: number): string => `${START[at % START.length]} ${TRADE[(at * 5) % TRADE.length]}`
export const siteWord = (at: number): string => START[at % START.length]!
export const thingName = (at: number): string =>
  `${STYLE[at % STYLE.length]} ${THING[Math.floor(at / STYLE.length + at) % THING.length]} ${100 + at}`
export const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
