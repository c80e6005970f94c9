// Selects the primary and secondary button of a page and its input style.
import type { BoxStyle, ComputedStyle } from '../../base/computed-style.ts'
import { contrastRatio, isNearColour, isVividColour } from './colour.ts'

type ButtonStyle = { background: string; textColor: string; borderColor?: string; borderRadius: string }

export type MainButtons = { primary?: BoxStyle | undefined; secondary?: BoxStyle | undefined }

const PRIMARY = /(?:^|[\s_-])(?:primary|cta|main|solid|filled|hero|accent|submit|buy|add-to-cart)(?:[\s_-]|$)/i
const SECONDARY = /(?:^|[\s_-])(?:secondary|outline[d]?|ghost|tertiary|alt|hollow|bordered|light)(?:[\s_-]|$)/i
const CHORE =
  /(?:^|[\s_-])(?:close|menu|toggle|hamburger|search|icon|arrow|prev|next|slick|swiper|carousel|tab|accordion|dropdown|share|play|pagination|chip|tag)(?:[\s_-]|$)/i

const CONSENT =
  /^(?:accept|reject|decline|allow|agree|deny|got it|okay|ok|manage|akzeptieren|ablehnen|zustimmen|accepter|refuser|aceptar|rechazar|accetta|rifiuta|aceitar|accepteren|godkänn|同意する)(?: all| cookies| alle[ns]?| tout| todo| tutti)*$/i

/** Buttons with equal styles are counted together, so frequent styles win over exceptions. */
export function findMainButtons({ buttons, painted }: ComputedStyle): MainButtons {
  const page = painted[0]?.colour ?? '#ffffff'
  const real = buttons.filter(
    ({ text, names, area }) => text !== '' && area < 120_000 && !CHORE.test(names) && !CONSENT.test(text),
  )
  const styles = new Map<string, { box: BoxStyle; count: number; score: number }>()
  for (const box of real) {
    const key = `${box.background} ${box.colour} ${box.border} ${box.radius}`
    const known = styles.get(key)
    if (known) {
      known.count++
      known.score = Math.max(known.score, scoreOf(box, page))
    } else styles.set(key, { box, count: 1, score: scoreOf(box, page) })
  }
  const ranked = [...styles.values()].sort(
    (a, b) => b.score + Math.min(2, b.count * 0.25) - a.score - Math.min(2, a.count * 0.25),
  )
  const primary = ranked[0]?.box
  const rest = ranked.filter(({ box }) => box !== primary && differs(box, primary) && (box.background ?? box.border))
  const named = rest.find(({ box }) => SECONDARY.test(box.names))
  return { primary, secondary: (named ?? rest.find(({ box }) => box.where !== 'header') ?? rest[0])?.box }
}

function scoreOf({ background, names, where, area, border, submits, top }: BoxStyle, page: string): number {
  return (
    (PRIMARY.test(names) ? 6 : 0) -
    (SECONDARY.test(names) ? 5 : 0) +
    (background && !isNearColour(background, page) ? 4 : 0) +
    (background && isVividColour(background) ? 2 : 0) +
    (background && contrastRatio(background, page) > 3 ? 1 : 0) +
    (!background && border ? 0.5 : 0) +
    (where === 'main' ? 1 : 0) -
    (where === 'footer' ? 1 : 0) +
    (submits ? 0.5 : 0) +
    Math.min(1, area / 12_000) -
    Math.min(1, top / 20_000)
  )
}

const differs = (a: BoxStyle, b: BoxStyle | undefined): boolean =>
  !b || a.background !== b.background || a.border !== b.border

export function buttonStyleOf(box: BoxStyle | undefined): ButtonStyle | undefined {
  if (!box) return undefined
  return {
    background: box.background ?? 'transparent',
    textColor: box.colour,
    ...(box.border && box.border !== box.background ? { borderColor: box.border } : {}),
    borderRadius: box.radius,
  }
}

interface InputStyle {
  background?: string
  textColor: string
  borderColor?: string
  focusBorderColor?: string
  borderRadius: string
}

/** The most common input style; a header search box is often an exception. */
export function inputStyleOf({ inputs }: ComputedStyle): InputStyle | undefined {
  const count = new Map<string, number>()
  const keyOf = (box: BoxStyle) => `${box.border} ${box.radius} ${box.background}`
  for (const box of inputs) count.set(keyOf(box), (count.get(keyOf(box)) ?? 0) + (box.where === 'main' ? 1.5 : 1))
  const best = [...inputs].sort((a, b) => (count.get(keyOf(b)) ?? 0) - (count.get(keyOf(a)) ?? 0))[0]
  if (!best) return undefined
  return {
    ...(best.background ? { background: best.background } : {}),
    textColor: best.colour,
    ...(best.border ? { borderColor: best.border } : {}),
    ...(best.focusBorder ? { focusBorderColor: best.focusBorder } : {}),
    borderRadius: best.radius,
  }
}
