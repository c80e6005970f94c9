// The k best pages, as a min-heap. Ties are broken by a page hash, so that results do not depend on storage order.

export interface RankedPage {
  segment: number
  page: number
  score: number
}

interface Entry extends RankedPage {
  tie: number
}

export class TopPages {
  readonly #k: number
  readonly #heap: Entry[] = []

  constructor(k: number) {
    this.#k = k
  }

  isFull(): boolean {
    return this.#heap.length >= this.#k
  }

  /** The score to exceed; slightly below the worst, because equal scores are decided by tie. */
  bar(): number {
    return this.isFull() ? this.#heap[0]!.score * (1 - 1e-6) : 0
  }

  add(segment: number, page: number, score: number, tie: number): void {
    if (this.isFull() && score < this.#heap[0]!.score) return
    const entry = { segment, page, score, tie }
    if (!this.isFull()) {
      this.#heap.push(entry)
      this.#up(this.#heap.length - 1)
    } else if (isWorse(this.#heap[0]!, entry)) {
      this.#heap[0] = entry
      this.#down()
    }
  }

  list(): RankedPage[] {
    return [...this.#heap]
      .sort((a, b) => (isWorse(a, b) ? 1 : -1))
      .map(({ segment, page, score }) => ({ segment, page, score }))
  }

  #up(from: number): void {
    const heap = this.#heap
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isWorse(heap[at]!, heap[parent]!)) return
      swap(heap, at, parent)
      at = parent
    }
  }

  #down(): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      let worst = at
      if (left < heap.length && isWorse(heap[left]!, heap[worst]!)) worst = left
      if (left + 1 < heap.length && isWorse(heap[left + 1]!, heap[worst]!)) worst = left + 1
      if (worst === at) return
      swap(heap, at, worst)
      at = worst
    }
  }
}

const isWorse = (a: Entry, b: Entry): boolean =>
  a.score !== b.score ? a.score < b.score : a.tie !== b.tie ? a.tie > b.tie : a.page > b.page

function swap(heap: Entry[], a: number, b: number): void {
  const entry = heap[a]!
  heap[a] = heap[b]!
  heap[b] = entry
}
