// Colour arithmetic: brightness, saturation, similarity.

interface ColourMeasures {
  /** 0–360. */
  hue: number
  /** 0–1. */
  saturation: number
  lightness: number
  /** WCAG relative luminance, 0–1. */
  luminance: number
  rgb: readonly [number, number, number]
}

export function measureColour(hex: string): ColourMeasures {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number]
  const max = Math.max(r, g, b)
  const min = Math.min(r, g, b)
  const spread = max - min
  const lightness = (max + min) / 2
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1))
  const turn =
    spread === 0 ? 0 : max === r ? ((g - b) / spread) % 6 : max === g ? (b - r) / spread + 2 : (r - g) / spread + 4
  const toLinear = (one: number): number => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
  return {
    hue: (turn * 60 + 360) % 360,
    saturation,
    lightness,
    luminance: 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b),
    rgb: [r, g, b],
  }
}

/** Suitable as a brand colour: neither grey nor nearly black or white. */
export function isVividColour(hex: string): boolean {
  const { saturation, lightness, rgb } = measureColour(hex)
  const spread = Math.max(...rgb) - Math.min(...rgb)
  return saturation > 0.2 && spread > 0.12 && lightness > 0.06 && lightness < 0.94
}

export function isNearColour(a: string, b: string, distance = 0.08): boolean {
  const one = measureColour(a).rgb
  const two = measureColour(b).rgb
  return Math.hypot(one[0] - two[0], one[1] - two[1], one[2] - two[2]) < distance
}

export const isDarkColour = (hex: string): boolean => measureColour(hex).luminance < 0.18

export function contrastRatio(a: string, b: string): number {
  const [light, dark] = [measureColour(a).luminance, measureColour(b).luminance].sort((x, y) => y - x) as [
    number,
    number,
  ]
  return (light + 0.05) / (dark + 0.05)
}
