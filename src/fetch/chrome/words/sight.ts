// Colours, shapes and sizes of what a page shows, for requests that name things by their looks. Pure.
import { isShown, type Scene, type SceneThing } from './scene.ts'

const COLOURS: Record<string, RegExp> = {
  red: /^(red|crimson)$/,
  orange: /^orange$/,
  yellow: /^(yellow|gold)$/,
  green: /^(green|lime)$/,
  cyan: /^(cyan|aqua|turquoise|teal)$/,
  blue: /^(blue|navy)$/,
  purple: /^(purple|violet|indigo)$/,
  magenta: /^(magenta|pink|fuchsia)$/,
  brown: /^brown$/,
  black: /^black$/,
  white: /^white$/,
  grey: /^gr[ae]y$/,
}

export const colourNamed = (word: string): string | undefined =>
  Object.keys(COLOURS).find((name) => COLOURS[name]!.test(word))

/** The common name of a colour such as `#ff0000`; by hue, with the dark and the pale apart. */
export function colourOf(hex: string | undefined): string | undefined {
  if (!hex) return undefined
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)]
  const spread = max - min
  if (max < 0.16) return 'black'
  if (spread < 0.09 * Math.max(max, 0.3)) return max > 0.93 ? 'white' : max < 0.2 ? 'black' : 'grey'
  const hue = (max === r ? ((g - b) / spread + 6) % 6 : max === g ? (b - r) / spread + 2 : (r - g) / spread + 4) * 60
  if (hue < 15 || hue >= 345) return max > 0.9 && min > 0.6 ? 'magenta' : 'red'
  if (hue < 42) return max < 0.66 ? 'brown' : 'orange'
  if (hue < 68) return 'yellow'
  if (hue < 165) return 'green'
  if (hue < 196) return 'cyan'
  if (hue < 258) return 'blue'
  if (hue < 291 || (hue < 320 && max < 0.75)) return 'purple'
  return 'magenta'
}

export type DrawnShape =
  | 'circle'
  | 'square'
  | 'rectangle'
  | 'triangle'
  | 'pentagon'
  | 'hexagon'
  | 'polygon'
  | 'line'
  | 'letter'
  | 'digit'
  | 'text'

export const shapeNamed = (word: string): DrawnShape | 'item' | 'shape' | undefined => {
  const one = word.replace(/s$/, '')
  if (/^(circle|square|rectangle|triangle|pentagon|hexagon|polygon|line|letter|digit)$/.test(one))
    return one as DrawnShape
  if (one === 'number') return 'digit'
  if (one === 'item' || one === 'shape' || one === 'object' || one === 'thing') return one === 'item' ? 'item' : 'shape'
  if (one === 'box' || one === 'block') return 'rectangle'
  if (one === 'dot' || one === 'ball') return 'circle'
  return undefined
}

export interface DetectedShape {
  thing: SceneThing
  shape: DrawnShape
  colour: string | undefined
  area: number
}

/** What is drawn: shapes in vector pictures, and coloured boxes without words. */
export function drawings(scene: Scene): DetectedShape[] {
  const out: DetectedShape[] = []
  for (const thing of scene.things) {
    if (!isShown(thing) || !thing.box) continue
    const [, , width, height] = thing.box
    const shape = shapeOf(thing, width, height)
    if (!shape) continue
    const size = thing.tag === 'text' ? (thing.size ?? height) ** 2 : width * height
    out.push({
      thing,
      shape,
      colour: colourOf(/^(text|tspan)$/.test(thing.tag) ? (thing.ink ?? thing.fill) : thing.fill),
      area: size,
    })
  }
  return out
}

function shapeOf(thing: SceneThing, width: number, height: number): DrawnShape | undefined {
  switch (thing.tag) {
    case 'circle':
    case 'ellipse':
      return 'circle'
    case 'rect':
      return Math.abs(width - height) <= 0.12 * Math.max(width, height) ? 'square' : 'rectangle'
    case 'polygon':
      return thing.points === 3
        ? 'triangle'
        : thing.points === 4
          ? 'rectangle'
          : thing.points === 5
            ? 'pentagon'
            : thing.points === 6
              ? 'hexagon'
              : 'polygon'
    case 'line':
      return 'line'
    case 'text':
      return /^\d$/.test(thing.text ?? '') ? 'digit' : /^\p{L}$/u.test(thing.text ?? '') ? 'letter' : 'text'
    default:
      break
  }
  if (
    thing.text ||
    !thing.fill ||
    thing.tag === 'svg' ||
    thing.tag === 'g' ||
    width < 6 ||
    height < 6 ||
    width > 400 ||
    height > 400
  )
    return undefined
  if (thing.does === 1 && thing.role !== 'button') return undefined
  return thing.round ? 'circle' : Math.abs(width - height) <= 2 ? 'square' : 'rectangle'
}

export interface Looks {
  colour?: string
  shape?: DrawnShape | 'item' | 'shape'
  size?: 'large' | 'small'
}

/** Colour, shape and size in some words; nothing when they name none. */
export function looksIn(words: readonly string[]): Looks | undefined {
  const looks: Looks = {}
  for (const word of words) {
    const colour = colourNamed(word)
    if (colour) looks.colour = colour
    const shape = shapeNamed(word)
    if (shape) looks.shape = shape
    if (/^(large|big|bigger|larger|largest|biggest)$/.test(word)) looks.size = 'large'
    if (/^(small|little|smaller|smallest|tiny)$/.test(word)) looks.size = 'small'
  }
  return looks.colour || looks.shape ? looks : undefined
}

/** Drawn things that look so. */
export function sighted(scene: Scene, looks: Looks): DetectedShape[] {
  const all = drawings(scene)
  const list = all.filter(({ shape, colour }) => {
    if (looks.colour && colour !== looks.colour) return false
    if (!looks.shape || looks.shape === 'item' || looks.shape === 'shape')
      return looks.shape !== 'shape' || !/^(letter|digit|text)$/.test(shape)
    if (looks.shape === 'rectangle' || looks.shape === 'square') return shape === 'rectangle' || shape === 'square'
    return shape === looks.shape
  })
  if (!looks.size || all.length < 2) return list
  const areas = all
    .filter(({ shape }) => !looks.shape || looks.shape === 'item' || list.some((one) => one.shape === shape))
    .map(({ area }) => area)
  const middle = (Math.max(...areas) + Math.min(...areas)) / 2
  return list.filter(({ area }) => (looks.size === 'large' ? area >= middle : area < middle))
}
