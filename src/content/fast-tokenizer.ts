// A tokenizer that skips through texts, attribute values and scripts in one step. The tokenizer of htmlparser2 calls a state
// function for each of their characters, which is a third of the time it takes to parse a page.
import { Tokenizer } from 'htmlparser2'

/** What is used of the tokenizer's private state; the package is pinned to one version. */
interface TokenizerState {
  buffer: string
  index: number
  offset: number
  decodeEntities: boolean
  stateText(c: number): void
  handleInAttributeValue(c: number, quote: number): void
}

const LESS = 0x3c
const AMPERSAND = 0x26

export class FastTokenizer extends Tokenizer {}

const plain = Tokenizer.prototype as unknown as TokenizerState

/** Before the next place of `one` or `&`, or on the last character: the caller's loop adds one. */
function skipTo(state: TokenizerState, one: number): void {
  const { buffer } = state
  const end = buffer.length
  let at = state.index - state.offset + 1
  while (at < end) {
    const c = buffer.charCodeAt(at)
    if (c === one || c === AMPERSAND) break
    at++
  }
  state.index = at + state.offset - 1
}

Object.assign(FastTokenizer.prototype, {
  fastForwardTo(this: TokenizerState, c: number): boolean {
    const { buffer, offset } = this
    const at = buffer.indexOf(String.fromCharCode(c), this.index - offset + 1)
    this.index = (at < 0 ? buffer.length - 1 : at) + offset
    return at >= 0
  },
  stateText(this: TokenizerState, c: number): void {
    if (c === LESS || c === AMPERSAND || !this.decodeEntities) plain.stateText.call(this, c)
    else skipTo(this, LESS)
  },
  handleInAttributeValue(this: TokenizerState, c: number, quote: number): void {
    if (c === quote || c === AMPERSAND || !this.decodeEntities) plain.handleInAttributeValue.call(this, c, quote)
    else skipTo(this, quote)
  },
})
