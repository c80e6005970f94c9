// Those who look at a live session. Each is given the newest picture when it is ready for it, never a queue of old ones;
// the quickest of them sets the pace at which the browser is asked for pictures.

export interface Watcher {
  /** A JPEG of the page. */
  picture(bytes: Buffer): void
  /** Where the page is, which tabs there are, and who drives. */
  facts(facts: ViewFacts): void
  /** What was marked in the page, for a driver who copies it. */
  copied?(text: string): void
  /** There is nothing more to see. */
  ended?(): void
}

export interface ViewFacts {
  url: string
  title: string
  tabs: { id: string; title: string; url: string; current: boolean }[]
  /** People who look on, drivers among them. */
  watchers: number
  drivers: number
  /** Programs that are connected: code of the session, Playwright and the like. */
  programs: number
  /** A question of the page that waits for an answer. */
  dialog: { kind: string; message: string; value: string } | null
  width: number
  height: number
}

/** `film`: a machine that looks on, and is not counted among the people. */
export type GuestRole = 'watch' | 'drive' | 'film'

export interface Guest {
  watcher: Watcher
  role: GuestRole
  /** It has not shown the last picture yet. */
  busy: boolean
  waiting: Buffer | undefined
}

export interface Audience {
  readonly guests: ReadonlySet<Guest>
  add(watcher: Watcher, role: GuestRole): Guest
  remove(guest: Guest): void
  clear(): void
  /** A new picture for all of them; `goOn` asks the browser for the next. */
  show(picture: Buffer, goOn: () => void): void
  /** It has shown its last picture. */
  ready(guest: Guest): void
  /** Whoever comes while the page stands still gets the last picture; false when there is none yet. */
  catchUp(guest: Guest): boolean
  /** Another page is in front from now on. */
  forget(): void
}

export function openAudience(): Audience {
  const guests = new Set<Guest>()
  let last: Buffer | undefined
  /** Not called yet, because all have a picture waiting already. */
  let next: (() => void) | undefined
  const askForNext = () => {
    if (!next || ![...guests].some(({ waiting }) => waiting === undefined)) return
    const goOn = next
    next = undefined
    goOn()
  }
  return {
    guests,
    add(watcher, role) {
      const guest: Guest = { watcher, role, busy: false, waiting: undefined }
      guests.add(guest)
      return guest
    },
    remove(guest) {
      guests.delete(guest)
      askForNext()
    },
    clear: () => guests.clear(),
    show(picture, goOn) {
      last = picture
      for (const guest of guests) give(guest, picture)
      next = goOn
      askForNext()
    },
    ready(guest) {
      const { waiting } = guest
      guest.busy = false
      guest.waiting = undefined
      if (waiting) give(guest, waiting)
      askForNext()
    },
    catchUp(guest) {
      if (last) give(guest, last)
      return last !== undefined
    },
    forget() {
      last = undefined
      next = undefined
    },
  }
}

function give(guest: Guest, picture: Buffer): void {
  if (guest.busy) guest.waiting = picture
  else {
    guest.busy = true
    guest.watcher.picture(picture)
  }
}

/** How many people look on; films are none. */
export function peopleIn({ guests }: Audience): { watchers: number; drivers: number } {
  const people = [...guests].filter(({ role }) => role !== 'film')
  return { watchers: people.length, drivers: people.filter(({ role }) => role === 'drive').length }
}
