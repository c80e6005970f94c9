// What a composition root has opened, to be closed again.

/** What was opened, closed in reverse order. */
export class Closing {
  readonly #steps: (() => Promise<void> | void)[] = []
  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}
