// Variables and focus colours from the style sheets.
import { hex, parse } from './style-colours.js'

const rulesOf = (max) => {
  const rules = []
  for (const sheet of [...document.styleSheets].slice(0, 60)) {
    let list
    try {
      list = sheet.cssRules
    } catch {
      continue
    }
    for (const rule of list) {
      if (rules.length >= max) return rules
      if (rule.selectorText) rules.push(rule)
    }
  }
  return rules
}
let rules
const readRules = () => (rules ??= rulesOf(6000))
let focusRules
const readFocusRules = () =>
  (focusRules ??= readRules()
    .filter(
      ({ selectorText, style }) =>
        /:focus/.test(selectorText) && (style.borderColor || style.borderTopColor || style.outlineColor),
    )
    .slice(-100)
    .reverse())
// Read, not tried: to focus an input would tell the page.
export const focusOf = (element) => {
  for (const { selectorText, style } of readFocusRules()) {
    try {
      if (!element.matches(selectorText.replace(/:focus(-visible|-within)?/g, ''))) continue
      const value = style.borderTopColor || style.borderColor || style.outlineColor
      const variable = /^var\((--[\w-]+)/.exec(value)
      const colour = parse(variable ? getComputedStyle(element).getPropertyValue(variable[1]).trim() : value)
      if (colour.alpha > 0.1) return hex(colour.rgb)
    } catch {}
  }
  return undefined
}
const COLOUR_VALUE = /^(#[0-9a-f]{3,8}|(rgb|hsl|oklch|oklab|lab|lch|hwb|color)a?\(|[a-z]+$)/i
const KEYWORD = /^(currentcolor|inherit|initial|revert|unset)$/i
// Many design systems keep only the parts, for use as hsl(var(--primary)).
const HSL_PARTS = /^[\d.]+(deg)?\s+[\d.]+%\s+[\d.]+%$/
export const variablesOf = () => {
  const names = new Set()
  for (const { selectorText, style } of readRules()) {
    if (names.size > 400) break
    if (/:root|html|body|data-theme/.test(selectorText))
      for (const name of style) if (name.startsWith('--')) names.add(name)
  }
  const styles = [document.documentElement, document.body].filter(Boolean).map((element) => getComputedStyle(element))
  const found = []
  for (const name of [...names].slice(0, 400)) {
    const text = styles.map((style) => style.getPropertyValue(name).trim()).find(Boolean) ?? ''
    const value = HSL_PARTS.test(text) ? `hsl(${text})` : text
    if (value.length > 100 || !COLOUR_VALUE.test(value) || KEYWORD.test(value) || !CSS.supports('color', value))
      continue
    const colour = parse(value)
    if (colour.alpha > 0.9 && found.length < 200) found.push({ name, colour: hex(colour.rgb) })
  }
  return found
}
