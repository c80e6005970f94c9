// Name and place lists: from `compromise`, from Intl (countries) and our own. Loaded on first use, since they take
// several MB and tens of milliseconds.
import names from './names.json' with { type: 'json' }

export interface NameAndPlaceLists {
  /** Lower case. `ambiguous`: also words or places. */
  given: ReadonlySet<string>
  ambiguous: ReadonlySet<string>
  surnames: ReadonlySet<string>
  /** Stems of inflected names by their first two letters. */
  inflected: ReadonlyMap<string, readonly string[]>
  /** English words that are neither names nor places. */
  words: ReadonlySet<string>
  /** Lower case, one to four words. */
  places: ReadonlySet<string>
  /** First words of place names, as a quick filter. */
  beginnings: ReadonlySet<string>
  /** Places in scripts without capitals. */
  unspaced: RegExp
  arabic: ReadonlySet<string>
  japanese: RegExp
}

const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'tr', 'sv', 'ja', 'zh', 'ko', 'ar', 'hi']

export async function loadNameAndPlaceLists(): Promise<NameAndPlaceLists> {
  const { default: nlp } = await import('compromise')
  const lexicon = (nlp.model() as { one: { lexicon: Record<string, string | string[]> } }).one.lexicon
  const given = new Set(names.given.toLowerCase().split(' '))
  const surnames = new Set(names.surnames.toLowerCase().split(' '))
  const words = new Set<string>()
  const places = new Set(names.cities.toLowerCase().split(', '))
  for (const [word, tag] of Object.entries(lexicon)) {
    const tags = Array.isArray(tag) ? tag : [tag]
    if (tags.some((one) => one === 'MaleName' || one === 'FemaleName' || one === 'FirstName')) given.add(word)
    else if (tags.includes('LastName')) surnames.add(word)
    else if (tags.some((one) => PLACE_TAGS.has(one)) && word.length > 4) places.add(word)
    else if (!tags.some((one) => one === 'Person' || one === 'ProperNoun' || one === 'Place') && !word.includes(' '))
      words.add(word)
  }
  const unspaced = new Set<string>(names.unspacedCities.split(' '))
  for (const name of countryNames()) {
    if (/[\u3040-\u9fff]/.test(name)) unspaced.add(name)
    // Two-syllable Korean names are too ambiguous; the important ones are listed.
    else if (/[\uac00-\ud7af]/.test(name)) name.length > 2 && unspaced.add(name)
    else places.add(name.toLowerCase())
  }
  for (const word of names.notPlaces.split(' ')) places.delete(word)
  return {
    given,
    surnames,
    words,
    places,
    beginnings: new Set([...places].map((name) => name.split(/[\s-]/, 1)[0]!)),
    ambiguous: new Set(names.ambiguous.split(' ')),
    inflected: byBeginning(names.inflected),
    unspaced: new RegExp(
      [...unspaced]
        .filter((name) => name.length > 1)
        .sort((a, b) => b.length - a.length)
        .map(escapeForRegExp)
        .join('|'),
      'gu',
    ),
    arabic: new Set(names.arabic.split(' ')),
    japanese: new RegExp(
      names.japaneseSurnames
        .split(' ')
        .sort((a, b) => b.length - a.length)
        .join('|'),
      'gu',
    ),
  }
}

const PLACE_TAGS = new Set(['City', 'Country', 'Region'])

function* countryNames(): Generator<string> {
  for (const locale of LOCALES) {
    const regions = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })
    for (let first = 65; first <= 90; first++)
      for (let second = 65; second <= 90; second++) {
        const code = String.fromCharCode(first, second)
        const name = code === 'ZZ' || code.startsWith('X') ? undefined : regions.of(code)
        if (name && name.length > 3) yield name.replace(/ \(.*$/, '')
        else if (name && /[\u3040-\u9fff\uac00-\ud7af]/.test(name)) yield name
      }
  }
}

/** Groups stems without the inflected vowel by their first letters. */
function byBeginning(list: string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const name of list.toLowerCase().split(' ')) {
    const stem = name.replace(/[аяйьеоaieoy]$/u, '').replace(/(?<=[^аеиоуaeiou])е(?=[лцк]$)/u, '')
    if (stem.length < 3) continue
    const key = stem.slice(0, 2)
    groups.set(key, [...(groups.get(key) ?? []), stem])
  }
  return groups
}

const escapeForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
