// "How heavy …" is answered where a weight stands, not a length. Told by the words of the question and the units beside
// numbers. It must not know the page.
import { folded, stem } from './terms.ts'

interface Dimension {
  /** What asks for it, folded. */
  asked: RegExp
  /** What stands behind the number. */
  units: string
}

const DIMENSIONS: readonly Dimension[] = [
  {
    asked: /\b(?:heavy|weighs?|weight|schwer|wiegt|gewicht|poids|pese|peso|pesa)\b|вес|весит|重さ|多重/,
    units:
      'k?g|kilos?|kilograms?|kilogrammes?|gr|grams?|grammes?|Gramm|mg|lbs?|pounds?|oz|ounces?|stones?|tons?|tonnes?|Tonnen|gramos|quilos|grammi|chili|кг|г',
  },
  {
    asked:
      /\b(?:tall|high|far|deep|wide|thick|height|width|depth|distance|radius|diameter|range|hoch|weit|tief|breit|dick|entfernung|hauteur|largeur|profondeur|distance|altura|anchura|distancia|altezza|larghezza)\b|высота|длина|高さ|多高/,
    units:
      '[cmdk]?m|ft|feet|foot|in(?=[.,;)]|$)|inch(?:es)?|["”″\'’′]|yards?|miles?|mi|blocks?|met(?:er|re)s?|Metern?|(?:kilo|centi|milli)met(?:er|re)s?|Kilometern?|Zentimetern?|mètres?|kilomètres?|metros?|kilómetros?|metri|chilometri|floors?|stor(?:e?y|ies)|м|км|см|米|公里|キロ|メートル|미터',
  },
  {
    asked: /\b(?:speed|fast|schnell|geschwindigkeit|vitesse|velocidad|velocita)\b/,
    units: 'km/?h|kph|mph|m/s|knots?|rpm|[kMG]bps|[kMG]bit/s|[MG]B/s|fps|[kMG]?Hz|miles (?:per|an) hour|seconds?|ms|s',
  },
  {
    asked: /\b(?:hot|cold|warm|temperatures?|temperatur|heiss|kalt|temperature|temperatura)\b/,
    units: '[°º]\\s?[CFK]?|degrees?|Grad|C|F|℃|℉|градус\\p{L}*',
  },
  {
    asked: /\b(?:memory|storage|ram|disk space|speicher|speicherplatz|memoire|memoria)\b/,
    units: '[KMGT]i?B|(?:kilo|mega|giga|tera)bytes?',
  },
  { asked: /\bvoltages?\b/, units: 'k?V|volts?|Volt' },
  { asked: /\b(?:watts?|wattage|horsepower)\b/, units: 'k?W|MW|watts?|kilowatts?|hp|PS|horsepower|bhp' },
]

export interface Measured {
  /** Whether a text gives such a measure. */
  isIn(plain: string): boolean
  /** Whether a word of the question only names it. */
  names(term: string): boolean
}

/** The measure that a question wants; undefined when it may be any. */
export function measureFor(question: string): Measured | undefined {
  const text = folded(question.slice(0, 1000))
  const dimension = DIMENSIONS.find(({ asked }) => asked.test(text))
  if (!dimension) return undefined
  const look = new RegExp(`[\\d½¼¾][ \\u00a0\\u202f]?-?(?:${dimension.units})(?![\\p{L}\\d])`, 'u')
  const named = new Set((text.match(new RegExp(dimension.asked, 'g')) ?? []).map(stem))
  return { isIn: (plain) => look.test(plain), names: (term) => named.has(term) }
}
