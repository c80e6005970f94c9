// Explains why a block was dropped: its landmark if any, else its most unusual feature, always with the model's
// probability.
import type { FlatPage } from './flatten-page.ts'

const LANDMARKS: Record<string, string> = {
  nav: 'navigation',
  navigation: 'navigation',
  footer: 'page footer',
  contentinfo: 'page footer',
  aside: 'aside',
  complementary: 'aside',
  header: 'page header',
  banner: 'page header',
  form: 'form',
}
const MAX_CLIMB = 12

export function explainDrop(outline: FlatPage, block: number, probability: number): string {
  const model = `model ${probability.toFixed(2)}`
  const b = outline.blocks[block]!
  let e = b.element
  for (let step = 0; step < MAX_CLIMB && e >= 0; step++) {
    const { name, attribs } = outline.elements[e]!
    const landmark = LANDMARKS[name] ?? LANDMARKS[attribs.role ?? '']
    if (landmark) return `${landmark}: ${model}`
    e = outline.parent[e]!
  }
  if (b.linkChars > b.chars * 0.8) return `mostly links: ${model}`
  if (b.words <= 4) return `label: ${model}`
  return model
}
