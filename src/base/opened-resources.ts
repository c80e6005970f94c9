// Collects what a composition root has opened, to close it in reverse order.

export class OpenedResources {
  readonly #steps: (() => Promise<void> | void)[] = []
  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}
