// Computed style of a rendered page as bounded, plain data for the branding rules.

export interface TextStyle {
  colour: string
  fonts: string[]
  size: number
  weight: number
  lineHeight?: number | undefined
  below: number
}

export interface BoxStyle {
  text: string
  names: string
  background?: string | undefined
  colour: string
  border?: string | undefined
  radius: string
  paddingX: number
  paddingY: number
  area: number
  top: number
  where: 'header' | 'footer' | 'main'
  submits: boolean
}

export interface LogoStyle {
  src: string
  alt: string
  names: string
  where: 'header' | 'footer' | 'main'
  linksHome: boolean
  width: number
  height: number
  top: number
  kind: 'img' | 'svg' | 'background'
  /** The image did not load, so its size is meaningless. */
  lost: boolean
}

export interface ComputedStyle {
  title: string
  siteName: string
  favicon: string
  ogImage: string
  painted: { colour: string; area: number; where: 'header' | 'footer' | 'main' }[]
  texts: { colour: string; chars: number; size: number }[]
  links: { colour: string; count: number; where: 'header' | 'footer' | 'main' }[]
  families: { fonts: string[]; chars: number }[]
  weights: { weight: number; chars: number }[]
  types: Partial<Record<'body' | 'paragraph' | 'h1' | 'h2' | 'h3' | 'small' | 'code' | 'strong', TextStyle>>
  buttons: BoxStyle[]
  inputs: (BoxStyle & { focusBorder?: string | undefined })[]
  radii: { radius: string; count: number }[]
  spaces: { pixels: number; count: number }[]
  logos: LogoStyle[]
  variables: { name: string; colour: string }[]
  signals: { kind: 'success' | 'warning' | 'error'; colour: string }[]
  icons: { stroked: number; filled: number; colours: { colour: string; count: number }[] }
  transitions: { duration: string; easing: string; count: number }[]
  layout: {
    maxWidth?: number | undefined
    columns?: number | undefined
    gap?: number | undefined
    header?: number | undefined
    footer?: number | undefined
  }
  words: { count: number; emojis: number; exclamations: number; sample: string }
}
