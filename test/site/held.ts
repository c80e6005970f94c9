// A page that keeps its visitors for as long as a test wants: what is under way stays so, however slow the machine is.
import type { Page } from './site.ts'

/** Visitors who come between `hold` and a call of what it returns wait for that call; all others are answered at once. */
export function heldPage(): { page: Page; hold(): () => void } {
  let open = Promise.resolve()
  return {
    async page({ response }) {
      await open
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>Held</title><main><h1>Held</h1><p>It came when it was let go.</p></main>')
    },
    hold() {
      let release = () => {}
      open = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
  }
}
