// How a rendered page looks, as a browser measured it: plain, bounded data. The browser writes it, the rules of a brand
// read it.

/** Colours are `#rrggbb`, lengths are pixels. */
export interface TypeLook {
  colour: string
  /** Families in order, unquoted. */
  fonts: string[]
  size: number
  weight: number
  /** Undefined: `normal`. */
  lineHeight?: number | undefined
  /** Space below, in the flow. */
  below: number
}

export interface BoxLook {
  text: string
  /** Class and id, as hints. */
  names: string
  /** The painted background, or nothing when it is transparent. */
  background?: string | undefined
  colour: string
  /** Nothing when there is no border. */
  border?: string | undefined
  radius: string
  paddingX: number
  paddingY: number
  area: number
  /** Distance from the top of the page. */
  top: number
  where: 'header' | 'footer' | 'main'
  /** It ends or sends a form. */
  submits: boolean
}

export interface LogoLook {
  /** Absolute address, or a data: address for a drawing in the page. */
  src: string
  alt: string
  names: string
  where: 'header' | 'footer' | 'main'
  linksHome: boolean
  width: number
  height: number
  top: number
  kind: 'img' | 'svg' | 'background'
  /** The picture did not load, so its size says nothing. */
  lost: boolean
}

export interface Look {
  title: string
  siteName: string
  favicon: string
  ogImage: string
  /** Painted backgrounds and how many pixels of each are seen. */
  painted: { colour: string; area: number; where: 'header' | 'footer' | 'main' }[]
  /** Text colours by characters; those of links and buttons apart. */
  texts: { colour: string; chars: number; size: number }[]
  links: { colour: string; count: number; where: 'header' | 'footer' | 'main' }[]
  families: { fonts: string[]; chars: number }[]
  weights: { weight: number; chars: number }[]
  types: Partial<Record<'body' | 'paragraph' | 'h1' | 'h2' | 'h3' | 'small' | 'code' | 'strong', TypeLook>>
  buttons: BoxLook[]
  inputs: (BoxLook & { focusBorder?: string | undefined })[]
  /** Corners of boxes that are neither buttons nor inputs. */
  radii: { radius: string; count: number }[]
  /** Paddings, margins and gaps in use. */
  spaces: { pixels: number; count: number }[]
  logos: LogoLook[]
  /** Custom properties of the root that hold colours. */
  variables: { name: string; colour: string }[]
  /** Colours of elements that are called success, warning or error. */
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
