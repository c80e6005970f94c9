// Extracts formulas as TeX without delimiters: the page's own TeX if present, else converted from MathML.
import type { AnyNode, Element } from 'domhandler'
import { collapseSpaces, elementChildren, findElement, isElement, textOfNode } from '../parse-tree.ts'

export type TexFormula = { tex: string; display: boolean }

const MAX_TEX = 20_000

export function texOfMathElement(math: Element): TexFormula | undefined {
  const { attribs } = math
  const annotation = findElement(math, (at) => at.name === 'annotation' && /tex/i.test(at.attribs.encoding ?? ''))
  const written = annotation ? textOfNode(annotation, MAX_TEX) : (attribs.alttext ?? '')
  const tex = unwrap(written.trim() || toTex(math))
  if (!tex) return undefined
  const display = attribs.display === 'block' || attribs.mode === 'display' || isDisplayed(math)
  return { tex, display }
}

export function texOfScript(script: Element): TexFormula | undefined {
  const type = script.attribs.type ?? ''
  if (!/^math\/(?:tex|latex)/i.test(type)) return undefined
  const first = script.children[0]
  const tex = unwrap((first && 'data' in first ? first.data : '').slice(0, MAX_TEX))
  return tex ? { tex, display: /mode\s*=\s*display/i.test(type) } : undefined
}

export const formulaToMarkdown = ({ tex, display }: TexFormula): string => (display ? `$$\n${tex}\n$$` : `$${tex}$`)

function isDisplayed(math: Element): boolean {
  let up: AnyNode | null = math.parent
  for (let steps = 0; up && isElement(up) && steps < 6; steps++, up = up.parent) {
    if (/katex-display|MathJax_Display|math-?block|equation/i.test(up.attribs.class ?? '')) return true
    if (up.name === 'mjx-container' && up.attribs.display === 'true') return true
  }
  return false
}

/** Wikipedia wraps formulas in {\displaystyle …}; XHTML pages use CDATA and comment fences. */
function unwrap(tex: string): string {
  const bare = withoutFence(tex.trim())
  const inner = bare.endsWith('}') ? /^\{\\(?:display|text)style\s+([\s\S]*)\}$/.exec(bare)?.[1] : undefined
  return (inner ?? bare)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
}

function withoutFence(tex: string): string {
  const opened = tex.replace(/^(?:%?\s*<!\[CDATA\[|<!--)/, '')
  if (opened.endsWith(']]>')) return opened.slice(0, -3).trimEnd().replace(/%$/, '').trim()
  return (opened.endsWith('-->') ? opened.slice(0, -3) : opened).trim()
}

// Recursion is safe, since the tree is at most 512 deep.
function toTex(node: AnyNode): string {
  if (!isElement(node)) return 'data' in node ? symbol(collapseSpaces(node.data)) : ''
  const parts = elementChildren(node)
  const [a, b, c] = parts
  const one = (part: Element | undefined): string => (part ? `{${toTex(part)}}` : '{}')
  switch (node.name) {
    case 'mfrac':
      return `\\frac${one(a)}${one(b)}`
    case 'msup':
      return `${base(a)}^${one(b)}`
    case 'msub':
      return `${base(a)}_${one(b)}`
    case 'msubsup':
    case 'munderover':
      return `${base(a)}_${one(b)}^${one(c)}`
    case 'munder':
      return `${base(a)}_${one(b)}`
    case 'mover': {
      const accent = accentOf(b)
      return accent ? `${accent}${one(a)}` : `${base(a)}^${one(b)}`
    }
    case 'msqrt':
      return `\\sqrt{${parts.map(toTex).join('')}}`
    case 'mroot':
      return `\\sqrt[${b ? toTex(b) : ''}]${one(a)}`
    case 'mtext':
      return `\\text{${escapeTex(withMathBlanks(textOfNode(node, 1000)), '\\textbackslash ')}}`
    case 'mspace':
      return ' '
    case 'mtable':
      return `\\begin{matrix}${parts.map((row) => elementChildren(row).map(toTex).join(' & ')).join(' \\\\ ')}\\end{matrix}`
    case 'mfenced':
      return fenceParts(node, parts)
    case 'annotation':
    case 'annotation-xml':
      return ''
  }
  return node.children.map(toTex).join('')
}

const accentOf = (sign: Element | undefined): string | undefined =>
  OVER[sign ? collapseSpaces(textOfNode(sign, 10)) : '']

/** A text keeps only blanks without a break at its ends. */
const withMathBlanks = (text: string): string =>
  text
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/^ | $/g, '')
    .replaceAll('\u00a0', ' ')

function fenceParts({ attribs }: Element, parts: readonly Element[]): string {
  const inner = parts.map(toTex).join(symbol(attribs.separators?.[0] ?? ','))
  const [open, close] = [symbol(attribs.open ?? '('), symbol(attribs.close ?? ')')]
  if (Boolean(open) === Boolean(close)) return `${open}${inner}${close}`
  // `\left` needs a counterpart.
  return `\\left${open || '.'} ${inner} \\right${close || '.'}`
}

function base(part: Element | undefined): string {
  const tex = part ? toTex(part) : ''
  return tex.length === 1 || /^\\[a-z]+$/i.test(tex.trim()) ? tex : `{${tex}}`
}

const OVER: Record<string, string> = {
  '¯': '\\bar',
  '‾': '\\overline',
  '^': '\\hat',
  '~': '\\tilde',
  '→': '\\vec',
  '˙': '\\dot',
}

/** Signs, each followed by its name in TeX. */
function readSymbols(list: string): Record<string, string> {
  const words = list.split(' ')
  return Object.fromEntries(words.flatMap((sign, at) => (at % 2 === 0 ? [[sign, words[at + 1] ?? '']] : [])))
}

const SYMBOLS = readSymbols(
  '∑ sum ∏ prod ∫ int ∞ infty ≤ leq ≥ geq ≠ neq ≈ approx × times ⋅ cdot · cdot ± pm → to ⇒ Rightarrow ∈ in ∉ notin ⊂ subset ⊆ subseteq ∪ cup ∩ cap ∀ forall ∃ exists ∂ partial ∇ nabla … ldots α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega',
)

/** Signs that are markup in TeX. */
export const escapeTex = (text: string, backslash = '\\backslash '): string =>
  text.replace(/[{}%#&_$\\]/g, (sign) => (sign === '\\' ? backslash : `\\${sign}`))

function symbol(text: string): string {
  if (text === '\u2061' || text === '\u2062') return ''
  if (text === '\u2212') return '-'
  const name = Object.hasOwn(SYMBOLS, text) ? SYMBOLS[text] : undefined
  return name ? `\\${name} ` : escapeTex(text)
}

/** Further signs of formulas in documents, where the variants of Greek letters have names of their own. */
const MORE_SYMBOLS = readSymbols(
  'ε varepsilon ϵ epsilon φ varphi ϕ phi ϑ vartheta ϱ varrho ϖ varpi ς varsigma ∐ coprod ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes ⨀ bigodot ⋁ bigvee ⋀ bigwedge ⨄ biguplus ⨆ bigsqcup √ surd ≪ ll ≫ gg ∼ sim ≃ simeq ≅ cong ≡ equiv ∝ propto ⊃ supset ⊇ supseteq ∋ ni ↦ mapsto ← leftarrow ↔ leftrightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↑ uparrow ↓ downarrow ∅ emptyset ⊗ otimes ⊕ oplus ⊙ odot ∓ mp ∘ circ ◦ circ ⋆ star ∗ ast † dagger ‡ ddagger ∥ | ‖ | ⊥ perp ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ℘ wp ∧ wedge ∨ vee ¬ neg ∖ setminus ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ≲ lesssim ≳ gtrsim ≜ triangleq □ square ⊤ top ⊢ vdash ⊨ models ⋯ cdots ⋮ vdots ⋱ ddots ≺ prec ≻ succ ∣ mid ∠ angle ′ prime ÷ div ∪ cup ∩ cap ⊎ uplus ⊔ sqcup ⊓ sqcap ∴ therefore § S',
)

/** One sign as TeX, with a blank after a name. */
export function texOfSign(sign: string): string {
  const plain = sign === 'µ' ? 'μ' : sign
  return Object.hasOwn(MORE_SYMBOLS, plain) ? `\\${MORE_SYMBOLS[plain]} ` : symbol(plain)
}

const DELIMITERS = [
  { open: '\\(', close: '\\)', display: false },
  { open: '\\[', close: '\\]', display: true },
  { open: '$$', close: '$$', display: true },
] as const

/** Splits text into plain pieces and formulas, in linear time. */
export function splitAtTex(text: string): (string | TexFormula)[] {
  const parts: (string | TexFormula)[] = []
  let from = 0
  for (;;) {
    let best: { at: number; end: number; formula: TexFormula } | undefined
    for (const { open, close, display } of DELIMITERS) {
      const at = text.indexOf(open, from)
      if (at < 0 || (best && at > best.at)) continue
      const end = text.indexOf(close, at + 2)
      const tex = end < 0 || end - at > MAX_TEX ? '' : text.slice(at + 2, end).trim()
      if (tex && (open !== '$$' || isTex(tex))) best = { at, end: end + 2, formula: { tex: unwrap(tex), display } }
    }
    if (!best || parts.length > 2000) break
    parts.push(text.slice(from, best.at), best.formula)
    from = best.end
  }
  parts.push(text.slice(from))
  return parts
}

/** Between two runs of dollar signs, which are also prices of restaurants: `$$ for lunch, $$$ for dinner`. */
const isTex = (text: string): boolean =>
  !text.startsWith('$') &&
  (/\\[a-z]|[\^_{=]/i.test(text) || (!/\p{L}{3}/u.test(text) && /^[a-z\d]$|[+*/<>]/i.test(text)))

export const mayContainTex = (text: string): boolean =>
  text.includes('\\(') || text.includes('\\[') || text.includes('$$')
