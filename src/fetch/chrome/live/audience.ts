// The viewers of a live session. Each gets the newest frame when it is ready, never a queue of old ones; the fastest
// viewer sets the frame rate.

export interface Watcher {
  picture(bytes: Buffer): void
  facts(facts: ViewFacts): void
  /** The selected text, for a driver who copies it. */
  copied?(text: string): void
  ended?(): void
}

export interface ViewFacts {
  url: string
  title: string
  tabs: { id: string; title: string; url: string; current: boolean }[]
  /** People watching, drivers included. */
  watchers: number
  drivers: number
  /** Connected programs: the session's code, Playwright and the like. */
  programs: number
  dialog: { kind: string; message: string; value: string } | null
  width: number
  height: number
}

/** `film`: the recorder, not counted as a person. */
export type GuestRole = 'watch' | 'drive' | 'film'

interface Guest {
  watcher: Watcher
  role: GuestRole
  /** The last frame is not yet displayed. */
  busy: boolean
  waiting: Buffer | undefined
}

interface Audience {
  readonly guests: ReadonlySet<Guest>
  add(watcher: Watcher, role: GuestRole): Guest
  remove(guest: Guest): void
  clear(): void
  /** Sends a frame to all; `goOn` acknowledges it, which requests the next. */
  show(picture: Buffer, goOn: () => void): void
  ready(guest: Guest): void
  /** Sends the last frame to a new viewer of a static page; false when there is none yet. */
  catchUp(guest: Guest): boolean
  forget(): void
}

export function openAudience(): Audience {
  const guests = new Set<Guest>()
  let last: Buffer | undefined
  /** A pending acknowledgement: all viewers still have a frame waiting. */
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

/** Viewer count, recordings excluded. */
export function peopleIn({ guests }: Audience): { watchers: number; drivers: number } {
  const people = [...guests].filter(({ role }) => role !== 'film')
  return { watchers: people.length, drivers: people.filter(({ role }) => role === 'drive').length }
}
