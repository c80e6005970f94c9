// The style of text and boxes.
import { hex, over, parse } from './style-colours.js'

export const px = (text) => parseFloat(text) || 0
export const named = (element) => `${element.getAttribute('class') ?? ''} ${element.id || ''}`.slice(0, 200)
export const fontsOf = (style) =>
  style.fontFamily
    .split(',')
    .map((one) => one.trim().replace(/^["']|["']$/g, ''))
    .filter(Boolean)
    .slice(0, 12)
export const typeOf = (style, under) => ({
  colour: hex(over(parse(style.color), under)),
  fonts: fontsOf(style),
  size: px(style.fontSize),
  weight: +style.fontWeight || 400,
  lineHeight: style.lineHeight === 'normal' ? undefined : px(style.lineHeight),
  below: px(style.marginBottom),
})
// A gradient counts as the colour it begins with.
const GRADIENT_STOP = /((?:rgb|hsl|oklch|oklab|lab|lch|color)a?\([^()]*\)|#[0-9a-f]{3,8})/i
const backdropOf = (style, under) => {
  const back = parse(style.backgroundColor)
  if (back.alpha > 0.05) return over(back, under)
  const stop = /gradient/.test(style.backgroundImage) ? GRADIENT_STOP.exec(style.backgroundImage) : null
  return stop ? over(parse(stop[1]), under) : undefined
}
export const boxOf = (element, style, rect, where, under) => {
  const backdrop = backdropOf(style, under)
  const line = px(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none' ? parse(style.borderTopColor) : undefined
  const label = element.innerText || element.value || element.getAttribute('aria-label') || element.placeholder || ''
  return {
    text: String(label).trim().slice(0, 60),
    names: named(element),
    background: backdrop ? hex(backdrop) : undefined,
    colour: hex(over(parse(style.color), backdrop ?? under)),
    border: line && line.alpha > 0.05 ? hex(over(line, under)) : undefined,
    radius: style.borderTopLeftRadius.split(' ')[0],
    paddingX: px(style.paddingLeft),
    paddingY: px(style.paddingTop),
    area: Math.round(rect.width * rect.height),
    top: Math.round(rect.top + scrollY),
    where,
    submits: element.type === 'submit' || !!element.closest('form'),
  }
}
